-- Times in which some attacks are told to no channel of a user.
CREATE TABLE alert_silences (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  -- JSON of the sites, groups and vectors that it is about.
  about TEXT NOT NULL,
  from_ms INTEGER NOT NULL,
  until_ms INTEGER NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX alert_silences_user ON alert_silences (user_id, until_ms);

-- JSON of the hours in which the channel is told what is critical alone; null: none.
ALTER TABLE alert_channels ADD COLUMN quiet TEXT;

-- What held it back until it was due: the id of a silence, or a word; null: nothing. While it is `held` it waits for `due_ms`.
ALTER TABLE deliveries ADD COLUMN held_by TEXT;
CREATE INDEX deliveries_held ON deliveries (due_ms) WHERE state = 'held';
CREATE INDEX deliveries_held_event ON deliveries (event_id, channel_id) WHERE state = 'held';
CREATE INDEX deliveries_held_by ON deliveries (held_by, event_id) WHERE held_by IS NOT NULL;
