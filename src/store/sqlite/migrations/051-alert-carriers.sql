-- What a message carries is a message of its own when that is deleted, as with the owner of its event.
CREATE TRIGGER deliveries_carrier_deleted AFTER DELETE ON deliveries BEGIN
  UPDATE deliveries SET state = 'due', carrier = NULL WHERE carrier = OLD.id AND state = 'joined';
END;
UPDATE deliveries SET state = 'due', carrier = NULL
WHERE state = 'joined' AND carrier NOT IN (SELECT id FROM deliveries WHERE state IN ('held', 'due', 'sending'));
