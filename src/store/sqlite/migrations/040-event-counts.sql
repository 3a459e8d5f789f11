-- How many real events each user has, by the hour in which they are listed, and how many of them somebody has acknowledged: counts of long times add
-- these up. Whatever changes the events changes these with them.
CREATE TABLE event_counts (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Since 1970.
  hour INTEGER NOT NULL,
  events INTEGER NOT NULL,
  acknowledged INTEGER NOT NULL,
  PRIMARY KEY (user_id, hour)
) STRICT, WITHOUT ROWID;

INSERT INTO event_counts (user_id, hour, events, acknowledged)
SELECT user_id, created_ms / 3600000, count(*), count(acknowledged_ms)
FROM events LEFT JOIN event_notes ON event_id = id WHERE is_test = 0 GROUP BY 1, 2;

CREATE TRIGGER event_counts_made AFTER INSERT ON events WHEN new.is_test = 0
BEGIN
  INSERT INTO event_counts (user_id, hour, events, acknowledged) VALUES (new.user_id, new.created_ms / 3600000, 1, 0)
  ON CONFLICT (user_id, hour) DO UPDATE SET events = events + 1;
END;

-- Before, while its note is still there. Where the user is deleted the counts may be gone already.
CREATE TRIGGER event_counts_deleted BEFORE DELETE ON events WHEN old.is_test = 0
BEGIN
  UPDATE event_counts SET events = events - 1,
    acknowledged = acknowledged - EXISTS (SELECT 1 FROM event_notes WHERE event_id = old.id AND acknowledged_ms IS NOT NULL)
  WHERE user_id = old.user_id AND hour = old.created_ms / 3600000;
  DELETE FROM event_counts WHERE user_id = old.user_id AND hour = old.created_ms / 3600000 AND events = 0;
END;

CREATE TRIGGER event_counts_moved AFTER UPDATE OF user_id, created_ms, is_test ON events
BEGIN
  UPDATE event_counts SET events = events - 1,
    acknowledged = acknowledged - EXISTS (SELECT 1 FROM event_notes WHERE event_id = old.id AND acknowledged_ms IS NOT NULL)
  WHERE old.is_test = 0 AND user_id = old.user_id AND hour = old.created_ms / 3600000;
  INSERT INTO event_counts (user_id, hour, events, acknowledged)
  SELECT new.user_id, new.created_ms / 3600000, 1,
    EXISTS (SELECT 1 FROM event_notes WHERE event_id = new.id AND acknowledged_ms IS NOT NULL)
  WHERE new.is_test = 0
  ON CONFLICT (user_id, hour) DO UPDATE SET events = events + 1, acknowledged = acknowledged + excluded.acknowledged;
  DELETE FROM event_counts WHERE user_id = old.user_id AND hour = old.created_ms / 3600000 AND events = 0;
END;

CREATE TRIGGER event_counts_noted AFTER INSERT ON event_notes WHEN new.acknowledged_ms IS NOT NULL
BEGIN
  UPDATE event_counts SET acknowledged = acknowledged + 1
  WHERE (user_id, hour) = (SELECT user_id, created_ms / 3600000 FROM events WHERE id = new.event_id AND is_test = 0);
END;

CREATE TRIGGER event_counts_note_changed AFTER UPDATE OF acknowledged_ms ON event_notes
WHEN (old.acknowledged_ms IS NULL) <> (new.acknowledged_ms IS NULL)
BEGIN
  UPDATE event_counts SET acknowledged = acknowledged + iif(new.acknowledged_ms IS NULL, -1, 1)
  WHERE (user_id, hour) = (SELECT user_id, created_ms / 3600000 FROM events WHERE id = new.event_id AND is_test = 0);
END;

-- With its event: that is gone already, and was counted with its note.
CREATE TRIGGER event_counts_note_deleted AFTER DELETE ON event_notes WHEN old.acknowledged_ms IS NOT NULL
BEGIN
  UPDATE event_counts SET acknowledged = acknowledged - 1
  WHERE (user_id, hour) = (SELECT user_id, created_ms / 3600000 FROM events WHERE id = old.event_id AND is_test = 0);
END;
