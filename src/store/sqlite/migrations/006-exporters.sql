-- The last known state of the streams of exporters.
CREATE TABLE exporter_streams (
  address TEXT NOT NULL,
  protocol TEXT NOT NULL,
  port INTEGER NOT NULL,
  domain INTEGER NOT NULL,
  -- The shape of the report: one of another shape is of no use.
  form INTEGER NOT NULL,
  -- JSON.
  report TEXT NOT NULL,
  PRIMARY KEY (address, protocol, port, domain)
) STRICT, WITHOUT ROWID;
