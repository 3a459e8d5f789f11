-- 1: the event is of a simulated attack.
ALTER TABLE events ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0;
