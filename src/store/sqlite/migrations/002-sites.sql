-- What users watch, and a counter that rises with every change of it.
CREATE TABLE sites (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Canonical form.
  host TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  group_id TEXT,
  group_name TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (user_id, host)
) STRICT, WITHOUT ROWID;

CREATE TABLE sites_version (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  version INTEGER NOT NULL
) STRICT;

INSERT INTO sites_version (only, version) VALUES (1, 0);
