-- Since when the record of a proof is missing: what is added later does not rest on it. Unix milliseconds.
ALTER TABLE proofs ADD COLUMN missing_since_ms INTEGER;
UPDATE proofs SET missing_since_ms = missed_ms;
