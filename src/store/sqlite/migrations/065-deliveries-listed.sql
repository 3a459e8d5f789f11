-- Lists of messages by channel, and by what has not arrived, are found without looking through all that their user was sent.
CREATE INDEX deliveries_listed ON deliveries (user_id, channel_id);
CREATE INDEX deliveries_unsettled ON deliveries (user_id, state) WHERE state NOT IN ('done', 'superseded');
