-- Who changed the classification last, and when; null: nobody, or there is none. What was said last until now stands for it.
ALTER TABLE event_notes ADD COLUMN classified_by TEXT;
ALTER TABLE event_notes ADD COLUMN classified_ms INTEGER;
UPDATE event_notes SET classified_by = said_by, classified_ms = said_ms WHERE classification IS NOT NULL;
