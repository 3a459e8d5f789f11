-- The steps that rules take where nobody acknowledges an attack. A row stays as long as its event: no step is taken twice.
CREATE TABLE alert_escalations (
  event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  rule_id TEXT NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
  -- Its place among those of the rule, from 0.
  step INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  -- `waiting`; `resting`: the event is over; `done`: it was taken, or is needed no more.
  state TEXT NOT NULL,
  PRIMARY KEY (event_id, rule_id, step)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_escalations_rule ON alert_escalations (rule_id);
CREATE INDEX alert_escalations_due ON alert_escalations (due_ms) WHERE state = 'waiting';
