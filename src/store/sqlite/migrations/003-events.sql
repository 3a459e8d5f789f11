-- Events lie in the order in which they are listed, so that a window is one run of neighbouring rows; what only the detail shows is apart.
CREATE TABLE events (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_ms INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  incident TEXT NOT NULL,
  address INTEGER NOT NULL,
  site TEXT NOT NULL,
  domain TEXT NOT NULL,
  label TEXT,
  bytes_per_second REAL NOT NULL,
  packets_per_second REAL NOT NULL,
  flows_per_second REAL NOT NULL,
  deviation REAL NOT NULL,
  start_ms INTEGER NOT NULL,
  -- Null while the attack goes on.
  end_ms INTEGER,
  PRIMARY KEY (user_id, created_ms, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX events_by_incident ON events (incident);
CREATE INDEX events_open ON events (incident) WHERE end_ms IS NULL;

-- Each column is JSON.
CREATE TABLE event_details (
  event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  peak TEXT NOT NULL,
  why TEXT NOT NULL,
  statistics TEXT NOT NULL,
  dns TEXT NOT NULL
) STRICT;
