-- Who may watch what, for this user; null: as everybody. An event of which only the totals are its owner's to see has none of the rest.
ALTER TABLE users ADD COLUMN policy TEXT;
ALTER TABLE events ADD COLUMN view TEXT NOT NULL DEFAULT 'all';
