-- Second factors of users: secrets for codes by time.
CREATE TABLE second_factors (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- Sealed with a key that is not in this database.
  sealed_secret BLOB NOT NULL,
  -- The step of the last code that was taken, in 30 seconds since 1970: none of it, or before it, is taken again.
  used_step INTEGER NOT NULL DEFAULT 0,
  -- NULL: no code has shown yet that the user has it.
  confirmed_ms INTEGER
) STRICT;

-- SHA-256 of the codes that stand in for it, one use each; the codes themselves are stored nowhere.
CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash BLOB NOT NULL,
  PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;

-- How a session was begun: password, link, provider.
ALTER TABLE sessions ADD COLUMN way TEXT NOT NULL DEFAULT 'password';
