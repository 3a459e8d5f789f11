-- Who may send flows, as set by people, with the list before it; and what happened to exporters.
CREATE TABLE exporter_admission (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- JSON arrays of addresses and prefixes. Null: nobody had set any before.
  entries TEXT NOT NULL,
  previous TEXT,
  changed_ms INTEGER NOT NULL,
  -- E-mail of who set it; null: by command line.
  changed_by TEXT
) STRICT;

CREATE TABLE exporter_notices (
  kind TEXT NOT NULL,
  address TEXT NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  count INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (kind, address)
) STRICT, WITHOUT ROWID;
