-- The last known way from a name to each of its addresses.
CREATE TABLE bindings (
  name TEXT NOT NULL,
  address INTEGER NOT NULL,
  -- JSON array: the CNAME targets on the way, in order.
  chain TEXT NOT NULL,
  from_ms INTEGER NOT NULL,
  confirmed_ms INTEGER NOT NULL,
  ttl_seconds INTEGER NOT NULL,
  PRIMARY KEY (name, address)
) STRICT, WITHOUT ROWID;
