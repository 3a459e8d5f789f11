-- Whose incidents they are: receivers of one user that say nothing hold up nobody else's. Whose they were is not known where the channel is gone: then each
-- channel counts for itself.
ALTER TABLE alert_closings ADD COLUMN user_id TEXT NOT NULL DEFAULT '';
UPDATE alert_closings SET user_id = coalesce((SELECT c.user_id FROM alert_channels c WHERE c.id = channel_id), channel_id);
