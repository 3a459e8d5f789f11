-- Until when the secret before the one that was made last counts as well; null: there is none.
ALTER TABLE alert_channels ADD COLUMN old_secret_until_ms INTEGER;
