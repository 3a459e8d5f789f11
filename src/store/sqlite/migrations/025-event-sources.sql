-- The source addresses in the lists of an event (100 at most), so that events are found by them: numbers, a space before and after each.
CREATE TABLE event_sources (
  event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  addresses TEXT NOT NULL
) STRICT;

INSERT INTO event_sources (event_id, addresses)
SELECT event_id, (SELECT ' ' || group_concat(value ->> '$.item', ' ') || ' ' FROM json_each(statistics, '$.srcip'))
FROM event_evidence WHERE json_array_length(statistics, '$.srcip') > 0;

-- Whatever changes the lists changes this with them.
CREATE TRIGGER event_sources_made AFTER INSERT ON event_evidence
WHEN json_array_length(new.statistics, '$.srcip') > 0
BEGIN
  INSERT OR REPLACE INTO event_sources (event_id, addresses)
  SELECT new.event_id, ' ' || group_concat(value ->> '$.item', ' ') || ' ' FROM json_each(new.statistics, '$.srcip');
END;

CREATE TRIGGER event_sources_changed AFTER UPDATE OF statistics ON event_evidence
BEGIN
  DELETE FROM event_sources WHERE event_id = new.event_id;
  INSERT INTO event_sources (event_id, addresses)
  SELECT new.event_id, ' ' || group_concat(value ->> '$.item', ' ') || ' ' FROM json_each(new.statistics, '$.srcip')
  HAVING count(*) > 0;
END;
