-- When a site was added, or enabled last.
ALTER TABLE sites ADD COLUMN watched_ms INTEGER NOT NULL DEFAULT 0;
UPDATE sites SET watched_ms = created_ms;
