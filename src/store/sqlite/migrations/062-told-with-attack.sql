-- Events that were there when the beginning of the one that stands for their attack was told: by rules of the installation they are told with it.
CREATE TABLE alert_told_with (
  event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
