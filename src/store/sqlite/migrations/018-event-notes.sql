-- What people have said of an event.
CREATE TABLE event_notes (
  event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  -- Who has taken note of it (an e-mail), and when; null: nobody.
  acknowledged_by TEXT,
  acknowledged_ms INTEGER,
  -- `attack`, `flash_crowd`, `false_positive` or `test`; null: it was not said.
  classification TEXT,
  note TEXT NOT NULL,
  -- Who said so last, and when; null: nobody.
  said_by TEXT,
  said_ms INTEGER
) STRICT;
