-- The time by which rows were last deleted for their age: a clock that is far ahead of it is not believed at once. It begins with the latest row that
-- an earlier version has written; 0: there is none.
CREATE TABLE retention_clock (followed_ms INTEGER NOT NULL) STRICT;
INSERT INTO retention_clock VALUES (max(
  (SELECT coalesce(max(created_ms), 0) FROM events),
  (SELECT coalesce(max(minute), 0) * 1000 FROM traffic)
));
