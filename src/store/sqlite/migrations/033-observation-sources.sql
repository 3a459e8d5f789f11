-- The kind of sender that an observation came from: found, zone, dnstap, import; or told, where an earlier version kept only the sender's name.
ALTER TABLE observations ADD COLUMN source TEXT NOT NULL DEFAULT 'told';
UPDATE observations SET source = CASE
  WHEN sensor IN ('', 'resolver') THEN 'found'
  WHEN sensor GLOB 'zone *' AND sensor <> 'zone file' THEN 'zone'
  WHEN sensor = 'zone file' THEN 'import'
  ELSE 'told' END;
