-- What a carpet bombing hits of the site, as JSON; null: one address alone, or an event of before this was kept.
ALTER TABLE events ADD COLUMN network TEXT;
