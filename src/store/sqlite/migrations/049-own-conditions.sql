-- What the installation itself cannot see or do, until everybody who was told of it knows of its end. JSON.
CREATE TABLE own_conditions (
  id TEXT PRIMARY KEY,
  content TEXT NOT NULL
) STRICT;

-- When the service lived last.
CREATE TABLE sign_of_life (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX deliveries_dead ON deliveries (channel_id, due_ms) WHERE state = 'dead';
