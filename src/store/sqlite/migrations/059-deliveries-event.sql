-- A message asks what its channel has had of its event, and the latest of that: it is found at once, however many have been sent.
DROP INDEX deliveries_event;
CREATE INDEX deliveries_event ON deliveries (event_id, channel_id, number);
