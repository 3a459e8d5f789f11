-- What happened to events, in order: written with the events, read by whoever tells of them, and deleted after a time.
CREATE TABLE event_changes (
  sequence INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL,
  change TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;

-- Of several updates of an event the latest is kept.
CREATE UNIQUE INDEX event_changes_updated ON event_changes (event_id) WHERE change = 'updated';

-- The latest place that was given, and the latest that was deleted for its age: a reader at an earlier one has missed something.
CREATE TABLE event_change_marks (
  last INTEGER NOT NULL,
  deleted INTEGER NOT NULL
) STRICT;
INSERT INTO event_change_marks VALUES (0, 0);
