-- Names that resolvers elsewhere were asked for, and where they led: of each name and address what was told last.
CREATE TABLE observations (
  name TEXT NOT NULL,
  address INTEGER NOT NULL,
  -- JSON array: the CNAME targets on the way, in order.
  chain TEXT NOT NULL,
  first_ms INTEGER NOT NULL,
  -- Since when it has led there without a break.
  from_ms INTEGER NOT NULL,
  confirmed_ms INTEGER NOT NULL,
  ttl_seconds INTEGER NOT NULL,
  count INTEGER NOT NULL,
  sensor TEXT NOT NULL,
  PRIMARY KEY (name, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX observations_by_time ON observations (confirmed_ms);
