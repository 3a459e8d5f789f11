-- Seconds in which the attack was there, which the averages are over: its pauses are left out.
ALTER TABLE events ADD COLUMN active_seconds REAL NOT NULL DEFAULT 0;
UPDATE events SET active_seconds = (last_ms - start_ms) / 1000.0;

-- As JSON: the list shows it, too.
ALTER TABLE events ADD COLUMN peak TEXT NOT NULL DEFAULT '{}';
UPDATE events SET peak = (SELECT peak FROM event_details WHERE event_id = id);
ALTER TABLE event_details DROP COLUMN peak;

-- The highest averages that an episode has, as JSON.
ALTER TABLE events ADD COLUMN worst TEXT NOT NULL DEFAULT '{}';
UPDATE events SET worst = json_object('packetsPerSecond', packets_per_second, 'bytesPerSecond', bytes_per_second);

-- `active`, `quiet`, `over` (it may come back) or `closed` (it will not).
ALTER TABLE events ADD COLUMN phase TEXT NOT NULL DEFAULT 'closed';
UPDATE events SET phase = CASE WHEN end_ms IS NULL THEN 'active' ELSE 'over' END;
CREATE INDEX events_unclosed ON events (last_ms) WHERE phase <> 'closed';

-- The detector's number of the latest episode, and how often a return was recorded.
ALTER TABLE events ADD COLUMN episode INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN returns INTEGER NOT NULL DEFAULT 0;

-- When the event changed last, and the place of that change among all changes of the user's events.
ALTER TABLE events ADD COLUMN updated_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
UPDATE events SET updated_ms = coalesce(end_ms, last_ms);
CREATE INDEX events_by_sequence ON events (user_id, sequence);

-- The episodes of events that came back: the first and each return, as the list of the interface shows them. `number` is 0 for the first.
CREATE TABLE event_episodes (
  event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  -- That of the event for the first.
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  label TEXT,
  bytes_per_second REAL NOT NULL,
  packets_per_second REAL NOT NULL,
  flows_per_second REAL NOT NULL,
  active_seconds REAL NOT NULL,
  deviation REAL NOT NULL,
  start_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  -- Null while the attack goes on.
  end_ms INTEGER,
  -- Each is JSON.
  peak TEXT NOT NULL,
  statistics TEXT NOT NULL,
  PRIMARY KEY (event_id, number)
) STRICT;
CREATE INDEX event_episodes_in_order ON event_episodes (user_id, created_ms, id);
CREATE INDEX event_episodes_by_id ON event_episodes (id);
