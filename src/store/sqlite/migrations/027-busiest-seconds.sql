-- The most that a second of the minute had, of each amount by itself; 0: it is not known.
ALTER TABLE traffic ADD COLUMN max_bytes REAL NOT NULL DEFAULT 0;
ALTER TABLE traffic ADD COLUMN max_packets REAL NOT NULL DEFAULT 0;
ALTER TABLE traffic ADD COLUMN max_flows REAL NOT NULL DEFAULT 0;

-- Attacks of more than a day are few, and found by their end: the others ended shortly after they were listed.
CREATE INDEX events_long ON events (user_id, end_ms) WHERE end_ms - start_ms > 86400000;
