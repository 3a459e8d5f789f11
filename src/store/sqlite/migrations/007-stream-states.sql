-- What exporters told once and is needed to read what they send: kept so that a restart need not wait until they tell it again.
CREATE TABLE stream_states (
  address TEXT NOT NULL,
  protocol TEXT NOT NULL,
  port INTEGER NOT NULL,
  domain INTEGER NOT NULL,
  -- When the stream was last heard of, Unix milliseconds.
  seen_ms INTEGER NOT NULL,
  -- When the exporter started, by its options data; its time and its uptime by its last header. 0: unknown.
  boot_ms REAL NOT NULL,
  export_ms REAL NOT NULL,
  uptime_ms REAL NOT NULL,
  -- JSON array of sampling entries.
  sampling TEXT NOT NULL,
  -- CRC-32 of all of the above.
  checksum INTEGER NOT NULL,
  PRIMARY KEY (address, protocol, port, domain)
) STRICT, WITHOUT ROWID;
CREATE INDEX stream_states_seen ON stream_states (seen_ms);

CREATE TABLE stream_templates (
  address TEXT NOT NULL,
  protocol TEXT NOT NULL,
  port INTEGER NOT NULL,
  domain INTEGER NOT NULL,
  id INTEGER NOT NULL,
  -- 1: an options template.
  options INTEGER NOT NULL,
  -- The template record as it came.
  definition BLOB NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (address, protocol, port, domain, id)
) STRICT, WITHOUT ROWID;
