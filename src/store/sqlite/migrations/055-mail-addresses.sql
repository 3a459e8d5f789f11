-- Addresses that users send mail to beside that of their account.
CREATE TABLE mail_addresses (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Without case.
  address_key TEXT NOT NULL,
  address TEXT NOT NULL,
  asked_ms INTEGER,
  problem TEXT NOT NULL DEFAULT '',
  confirmed_ms INTEGER,
  UNIQUE (user_id, address_key)
) STRICT;

-- Confirming mails of the last day. It outlives its user, so that nobody begins again by another account.
CREATE TABLE mail_askings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  address_key TEXT NOT NULL,
  asked_ms INTEGER NOT NULL,
  is_sent INTEGER NOT NULL
) STRICT;
CREATE INDEX mail_askings_address ON mail_askings (address_key, asked_ms);
CREATE INDEX mail_askings_user ON mail_askings (user_id, asked_ms);
CREATE INDEX mail_askings_time ON mail_askings (asked_ms);
