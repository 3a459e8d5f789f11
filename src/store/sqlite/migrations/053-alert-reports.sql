-- When rules report, and what of it is not told yet. JSON.
CREATE TABLE alert_reports (
  rule_id TEXT PRIMARY KEY REFERENCES alert_rules (id) ON DELETE CASCADE,
  content TEXT NOT NULL
) STRICT;
