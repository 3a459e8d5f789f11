-- Every site of an event's owner that the attack touches, whether or not the site is still there. The columns of the event's key come first, so
-- that an event's rows are neighbours; they follow it when it is dated anew or deleted.
CREATE TABLE event_sites (
  event_user TEXT NOT NULL,
  event_created_ms INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  host TEXT NOT NULL,
  PRIMARY KEY (event_user, event_created_ms, event_id, host),
  FOREIGN KEY (event_user, event_created_ms, event_id) REFERENCES events (user_id, created_ms, id)
    ON DELETE CASCADE ON UPDATE CASCADE
) STRICT, WITHOUT ROWID;

-- The events of a site, in the order in which they are listed.
CREATE INDEX event_sites_by_host ON event_sites (event_user, host, event_created_ms, event_id);
DROP INDEX events_by_site;

-- Events from before this table touch the site that they are named after,
INSERT INTO event_sites SELECT user_id, created_ms, id, site FROM events;

-- the sites that hold the victim's address,
WITH RECURSIVE lengths (length) AS (SELECT 24 UNION ALL SELECT length + 1 FROM lengths WHERE length < 31),
victims (user_id, address) AS MATERIALIZED (SELECT DISTINCT user_id, address FROM events),
hosts (user_id, address, host) AS MATERIALIZED (
  SELECT user_id, address, printf('%d.%d.%d.%d', address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255)
  FROM victims
  UNION ALL
  SELECT user_id, address, printf('%d.%d.%d.%d/%d', network >> 24, network >> 16 & 255, network >> 8 & 255, network & 255, length)
  FROM (
    SELECT user_id, address, length, address >> (32 - length) << (32 - length) AS network FROM victims CROSS JOIN lengths
  )
)
INSERT OR IGNORE INTO event_sites
SELECT events.user_id, events.created_ms, events.id, hosts.host
FROM events JOIN hosts ON hosts.user_id = events.user_id AND hosts.address = events.address
JOIN sites ON sites.user_id = hosts.user_id AND sites.host = hosts.host;

-- and those at or above the names that led to it.
WITH RECURSIVE led (user_id, created_ms, id, name) AS MATERIALIZED (
  SELECT events.user_id, events.created_ms, events.id, json_extract(snapshot.value, '$.domain')
  FROM events JOIN event_details ON event_details.event_id = events.id, json_each(event_details.dns) AS snapshot
),
zones (user_id, name, zone) AS (
  SELECT user_id, name, name FROM led
  UNION
  SELECT user_id, name, substr(zone, instr(zone, '.') + 1) FROM zones WHERE instr(zone, '.') > 0
),
hosts (user_id, name, host) AS MATERIALIZED (
  SELECT zones.user_id, zones.name, sites.host
  FROM zones JOIN sites ON sites.user_id = zones.user_id AND sites.host = '*.' || zones.zone
  UNION
  SELECT zones.user_id, zones.name, sites.host
  FROM zones JOIN sites ON sites.user_id = zones.user_id AND sites.host = zones.name WHERE zones.zone = zones.name
)
INSERT OR IGNORE INTO event_sites
SELECT led.user_id, led.created_ms, led.id, hosts.host
FROM led JOIN hosts ON hosts.user_id = led.user_id AND hosts.name = led.name;
