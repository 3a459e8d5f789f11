-- What users prove to control by DNS records: see src/access/proof.ts. Times are Unix milliseconds.
CREATE TABLE proofs (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- `network`, `host` or `domain`, and which.
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  token TEXT NOT NULL,
  issued_ms INTEGER NOT NULL,
  checked_ms INTEGER,
  confirmed_ms INTEGER,
  misses INTEGER NOT NULL,
  missed_ms INTEGER,
  expires_ms INTEGER,
  PRIMARY KEY (user_id, kind, subject)
) STRICT, WITHOUT ROWID;
