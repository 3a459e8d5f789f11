-- What is normal for the targets of each /24: kept so that a restart learns nothing anew.
CREATE TABLE baselines (
  -- The first address.
  network INTEGER PRIMARY KEY,
  -- When it last had traffic, and when this was written, Unix milliseconds.
  heard_ms INTEGER NOT NULL,
  saved_ms INTEGER NOT NULL,
  -- See src/detect/normal/saved-baselines.ts.
  octets BLOB NOT NULL,
  -- CRC-32 of all of the above.
  checksum INTEGER NOT NULL
) STRICT;
CREATE INDEX baselines_heard ON baselines (heard_ms);
