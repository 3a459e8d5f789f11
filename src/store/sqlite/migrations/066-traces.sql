-- What the judge had of an address or network in half a minute that came near a line: see detect/trace/trace-code.ts.
CREATE TABLE traces (
  address INTEGER NOT NULL,
  -- Prefix length, bits.
  length INTEGER NOT NULL,
  -- Unix time of its beginning, seconds.
  second INTEGER NOT NULL,
  octets BLOB NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (address, length, second)
) STRICT, WITHOUT ROWID;
CREATE INDEX traces_second ON traces (second);

-- How well the service saw each minute.
CREATE TABLE sights (
  -- Unix time of its beginning, seconds.
  minute INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- IP address; empty: the service as a whole.
  exporter TEXT NOT NULL,
  amount REAL NOT NULL,
  PRIMARY KEY (minute, kind, exporter)
) STRICT, WITHOUT ROWID;
