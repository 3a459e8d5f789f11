-- Events that were deleted with their owner while channels of others waited to hear of their end: as they were then, as JSON.
CREATE TABLE deleted_events (
  event_id TEXT PRIMARY KEY,
  detail TEXT NOT NULL
) STRICT, WITHOUT ROWID;
