-- Whether a stream had sent records for minutes: one that had gives way to no newcomer. The streams that an earlier version kept are taken to have.
ALTER TABLE stream_states ADD COLUMN is_proven INTEGER NOT NULL DEFAULT 1;
