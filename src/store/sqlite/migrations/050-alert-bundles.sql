-- What is told together on a channel that people read.
-- By what it is gathered while it waits: a rule and what the rule asks to have in common, or a word; null: it is told alone.
ALTER TABLE deliveries ADD COLUMN bundle TEXT;
-- Under which name the receiver has it, and what else is told of the same. That of a message that waits is not known yet.
ALTER TABLE deliveries ADD COLUMN thread TEXT NOT NULL DEFAULT '';
UPDATE deliveries SET thread = event_id;
-- The delivery with which it is told; null: it is a message of its own.
ALTER TABLE deliveries ADD COLUMN carrier INTEGER;

DROP INDEX deliveries_order;
CREATE INDEX deliveries_order ON deliveries (channel_id, thread, notice) WHERE state IN ('due', 'sending');
CREATE INDEX deliveries_thread ON deliveries (channel_id, thread);
CREATE INDEX deliveries_bundle ON deliveries (channel_id, bundle) WHERE state = 'held';
CREATE INDEX deliveries_carrier ON deliveries (carrier) WHERE carrier IS NOT NULL;
CREATE INDEX deliveries_recent ON deliveries (channel_id, created_ms) WHERE bundle IS NOT NULL AND carrier IS NULL;

-- The latest thread of what is told together, and when something was told of it.
CREATE TABLE alert_threads (
  channel_id TEXT NOT NULL REFERENCES alert_channels (id) ON DELETE CASCADE,
  bundle TEXT NOT NULL,
  thread TEXT NOT NULL,
  told_ms INTEGER NOT NULL,
  -- The highest that was told of it.
  severity TEXT NOT NULL,
  PRIMARY KEY (channel_id, bundle)
) STRICT, WITHOUT ROWID;

-- JSON: how often it came back, and when the last times were.
ALTER TABLE alert_states ADD COLUMN returns TEXT NOT NULL DEFAULT '{"count":0,"latestMs":[]}';
