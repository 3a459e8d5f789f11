-- Of an attack on a network: its victims by /24 (see VictimNetwork). Events of before have `victims` alone, which were all of them.
ALTER TABLE event_details ADD COLUMN networks TEXT NOT NULL DEFAULT '[]';
