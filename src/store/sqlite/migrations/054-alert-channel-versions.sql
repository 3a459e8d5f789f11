-- Raised where a channel sends elsewhere, or is turned on or off: what comes of an attempt that began before says nothing about it.
ALTER TABLE alert_channels ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
