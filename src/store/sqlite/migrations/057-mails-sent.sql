-- Mails of users who may send a limited number a day, for as long as they count. Rows of a user who is deleted count for nobody and go with time.
CREATE TABLE mails_sent (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX mails_sent_user ON mails_sent (user_id);
CREATE INDEX mails_sent_time ON mails_sent (at_ms);
