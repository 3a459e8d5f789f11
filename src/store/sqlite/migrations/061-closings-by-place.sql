-- A channel that is sent elsewhere leaves incidents open at each place that it had: they are closed when what they are about ends.
CREATE TABLE closings_by_place (
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
  -- Whose end comes first: `event` or `condition`; null: it is closed now.
  awaits TEXT,
  UNIQUE (channel_id, thread, settings, sealed)
) STRICT;
INSERT INTO closings_by_place
SELECT id, channel_id, kind, settings, sealed, is_admin, thread, created_ms, due_ms, NULL FROM alert_closings;
DROP TABLE alert_closings;
ALTER TABLE closings_by_place RENAME TO alert_closings;
CREATE INDEX alert_closings_due ON alert_closings (due_ms);
