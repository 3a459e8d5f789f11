-- After how many minutes the rule said so when the event began, by which the step is found in a rule that was changed since; null: that is not known.
ALTER TABLE alert_escalations ADD COLUMN after_minutes INTEGER;
