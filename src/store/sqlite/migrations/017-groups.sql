-- Groups of sites; a site has the name of its group beside the id, as it is listed with it.
CREATE TABLE site_groups (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- In lower case.
  name_key TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  UNIQUE (user_id, name_key)
) STRICT;

-- The latest event of a site.
CREATE INDEX events_by_site ON events (user_id, site, created_ms, id);
-- And which of its attacks go on.
CREATE INDEX events_open_by_site ON events (user_id, site) WHERE end_ms IS NULL;
