-- Requests that their users have marked with a key (Idempotency-Key), and how they were answered.
CREATE TABLE idempotency_keys (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  route TEXT NOT NULL,
  -- SHA-256 of the key; the key itself is stored nowhere.
  key_hash BLOB NOT NULL,
  -- HMAC-SHA-256 of what was asked for, with the key.
  body_hash BLOB NOT NULL,
  created_ms INTEGER NOT NULL,
  -- As JSON, empty where it has a secret; null: it is not known.
  answer TEXT,
  PRIMARY KEY (user_id, route, key_hash)
) STRICT;

CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_ms);
