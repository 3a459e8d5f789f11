-- Passwords of users, as PHC strings; null: the user cannot sign in.
ALTER TABLE users ADD COLUMN password_hash TEXT;
-- 1: may do what belongs to the installation.
ALTER TABLE users ADD COLUMN is_admin INTEGER NOT NULL DEFAULT 0;
UPDATE users SET is_admin = 1 WHERE id IN (SELECT user_id FROM tokens WHERE scopes LIKE '%"admin"%');

-- Who has signed in.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- SHA-256 of the secret in the cookie; the secret itself is stored nowhere.
  secret_hash BLOB NOT NULL UNIQUE,
  created_ms INTEGER NOT NULL,
  -- When it was last used.
  seen_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  -- Where it was begun, and with what.
  address TEXT NOT NULL,
  agent TEXT NOT NULL
) STRICT;

CREATE INDEX sessions_by_user ON sessions (user_id, seen_ms);
