-- What is needed to follow the attack on after a restart, as JSON; `null`: of an event of before that was kept.
ALTER TABLE event_details ADD COLUMN followed TEXT NOT NULL DEFAULT 'null';
