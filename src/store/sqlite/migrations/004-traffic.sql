-- Traffic of a target in a minute, scaled by the sampling rate.
CREATE TABLE traffic (
  address INTEGER NOT NULL,
  -- Unix time of the minute's start, seconds.
  minute INTEGER NOT NULL,
  bytes REAL NOT NULL,
  packets REAL NOT NULL,
  flows REAL NOT NULL,
  PRIMARY KEY (address, minute)
) STRICT, WITHOUT ROWID;
