-- Which attacks are told to which channels of a user, in the order in which they are looked at.
CREATE TABLE alert_rules (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- About attacks on anybody: it counts while its user is an admin.
  is_of_installation INTEGER NOT NULL,
  -- JSON.
  content TEXT NOT NULL
) STRICT;
CREATE INDEX alert_rules_user ON alert_rules (user_id, position);
CREATE INDEX alert_rules_installation ON alert_rules (user_id) WHERE is_of_installation = 1;

-- Until now every channel was told everything.
INSERT INTO alert_rules
SELECT lower(hex(randomblob(8))), user_id, 1, 'Everything', 0, '{}' FROM alert_channels GROUP BY user_id;

-- When it is told next that an attack goes on, by a rule.
CREATE TABLE alert_reminders (
  event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  rule_id TEXT NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
  due_ms INTEGER NOT NULL,
  PRIMARY KEY (event_id, rule_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_reminders_rule ON alert_reminders (rule_id);
CREATE INDEX alert_reminders_due ON alert_reminders (due_ms);

-- The rule by which it is told, which may be gone; null: none, or it was told before there were rules.
ALTER TABLE deliveries ADD COLUMN rule_id TEXT;
