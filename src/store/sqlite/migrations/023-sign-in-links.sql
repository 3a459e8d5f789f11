-- One-time links by which a user signs in and sets a password: the latest of each user.
CREATE TABLE sign_in_links (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- SHA-256 of the code in the link; the code itself is stored nowhere.
  code_hash BLOB NOT NULL UNIQUE,
  expires_ms INTEGER NOT NULL
) STRICT;
