-- Mails that the mail server has for some of their recipients: for whom they are still to be sent.
CREATE TABLE mail_deferrals (
  mail_id TEXT PRIMARY KEY,
  channel_id TEXT NOT NULL REFERENCES alert_channels (id) ON DELETE CASCADE,
  -- JSON: the addresses.
  left_to TEXT NOT NULL,
  taken INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  since_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_deferrals_channel ON mail_deferrals (channel_id, since_ms);
