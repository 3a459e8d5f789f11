-- When the attack was last seen so far.
ALTER TABLE events ADD COLUMN last_ms INTEGER NOT NULL DEFAULT 0;
UPDATE events SET last_ms = coalesce(end_ms, start_ms);

-- What is large and changes less often than the rest. Each column is JSON.
CREATE TABLE event_evidence (
  event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  statistics TEXT NOT NULL,
  -- `null`: of an event of before there were courses.
  course TEXT NOT NULL
) STRICT;

INSERT INTO event_evidence (event_id, statistics, course) SELECT event_id, statistics, 'null' FROM event_details;
ALTER TABLE event_details DROP COLUMN statistics;
