-- What users are told of the attacks on their sites, where, and what became of it.
CREATE TABLE alert_channels (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  -- Without case.
  name_key TEXT NOT NULL,
  -- JSON by the schema of the kind.
  settings TEXT NOT NULL,
  -- JSON of the secrets, sealed for this channel.
  sealed BLOB NOT NULL,
  created_ms INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  failing_since_ms INTEGER,
  closed_until_ms INTEGER NOT NULL DEFAULT 0,
  is_disabled INTEGER NOT NULL DEFAULT 0,
  -- JSON of the latest attempt.
  last TEXT,
  UNIQUE (user_id, name_key)
) STRICT;

-- What was found to be told about an event, in order. AUTOINCREMENT: a place is never given again.
CREATE TABLE notices (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  -- JSON.
  facts TEXT NOT NULL,
  UNIQUE (event_id, number)
) STRICT;
CREATE INDEX notices_user ON notices (user_id);

-- What the owner of an event was told last.
CREATE TABLE alert_states (
  event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  severity TEXT NOT NULL,
  label TEXT,
  is_over INTEGER NOT NULL,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_states_open ON alert_states (event_id) WHERE is_over = 0;

CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  channel_id TEXT NOT NULL REFERENCES alert_channels (id) ON DELETE CASCADE,
  notice INTEGER NOT NULL REFERENCES notices (sequence) ON DELETE CASCADE,
  -- Of the channel and of the notice.
  user_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  -- Of the notice within its event.
  number INTEGER NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  -- When it is tried; while it is `sending`, when that began.
  due_ms INTEGER NOT NULL,
  UNIQUE (notice, channel_id)
) STRICT;
CREATE INDEX deliveries_waiting ON deliveries (channel_id, due_ms, notice) WHERE state IN ('due', 'sending');
CREATE INDEX deliveries_order ON deliveries (channel_id, event_id, number) WHERE state IN ('due', 'sending');
CREATE INDEX deliveries_user ON deliveries (user_id);
CREATE INDEX deliveries_event ON deliveries (event_id);

CREATE TABLE delivery_attempts (
  delivery_id INTEGER NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  -- JSON.
  result TEXT NOT NULL
) STRICT;
CREATE INDEX delivery_attempts_delivery ON delivery_attempts (delivery_id);

-- The place in the log of changes up to which users were told; no row: nothing was ever told.
CREATE TABLE alert_cursor (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  place INTEGER NOT NULL
) STRICT;
