-- Users and the hashes of their tokens' secrets.
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  -- The e-mail in the one form in which it is compared (see store/email.ts).
  email_key TEXT NOT NULL UNIQUE,
  created_ms INTEGER NOT NULL,
  site_quota INTEGER NOT NULL,
  -- JSON { networks: string[], domains: string[] }; null: anything.
  allowed TEXT
) STRICT;

CREATE TABLE tokens (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- SHA-256 of the secret; the secret itself is stored nowhere.
  secret_hash BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- JSON array of scopes.
  scopes TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER,
  last_used_ms INTEGER
) STRICT;

CREATE INDEX tokens_by_user ON tokens (user_id);

-- A row to write when somebody asks whether the store can be written.
CREATE TABLE write_check (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  times INTEGER NOT NULL
) STRICT;

INSERT INTO write_check (only, times) VALUES (1, 0);
