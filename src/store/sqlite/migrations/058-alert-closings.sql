-- Incidents that receivers have open though their channel is gone, or its user may hear no more of them. The channel is as it was.
CREATE TABLE alert_closings (
  id INTEGER PRIMARY KEY,
  channel_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  settings TEXT NOT NULL,
  sealed BLOB NOT NULL,
  -- Whether its user was an admin then.
  is_admin INTEGER NOT NULL,
  -- Under which name the receiver has it.
  thread TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  UNIQUE (channel_id, thread)
) STRICT;
CREATE INDEX alert_closings_due ON alert_closings (due_ms);
