-- Each is JSON.
ALTER TABLE event_details ADD COLUMN vectors TEXT NOT NULL DEFAULT '[]';
ALTER TABLE event_details ADD COLUMN victims TEXT NOT NULL DEFAULT '[]';
