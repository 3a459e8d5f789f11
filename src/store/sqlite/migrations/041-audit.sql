-- Every change and every refusal, in a chain: each row holds the hash of the one before (see audit/chain.ts). Rows are only ever added; the oldest are
-- cut off by moving the anchor first.
CREATE TABLE audit (
  sequence INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  user_id TEXT,
  name TEXT NOT NULL,
  credential TEXT NOT NULL,
  address TEXT NOT NULL,
  object TEXT NOT NULL,
  outcome TEXT NOT NULL,
  count INTEGER NOT NULL,
  -- JSON, as it was hashed.
  detail TEXT NOT NULL,
  before_hash BLOB NOT NULL,
  hash BLOB NOT NULL
) STRICT;

-- The ends of the chain: the last row that was cut off, and the last that there is. `sent`: the last that a syslog receiver was given.
CREATE TABLE audit_chain (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  anchor_sequence INTEGER NOT NULL,
  anchor_hash BLOB NOT NULL,
  head_sequence INTEGER NOT NULL,
  head_hash BLOB NOT NULL,
  sent INTEGER NOT NULL
) STRICT;

INSERT INTO audit_chain VALUES (1, 0, zeroblob(32), 0, zeroblob(32), 0);

CREATE TRIGGER audit_is_added_behind BEFORE INSERT ON audit
WHEN NEW.sequence <> (SELECT head_sequence + 1 FROM audit_chain) OR NEW.before_hash <> (SELECT head_hash FROM audit_chain)
BEGIN SELECT raise(ABORT, 'rows of the audit log are added behind the last one'); END;

CREATE TRIGGER audit_moves_head AFTER INSERT ON audit
BEGIN UPDATE audit_chain SET head_sequence = NEW.sequence, head_hash = NEW.hash; END;

CREATE TRIGGER audit_stays BEFORE UPDATE ON audit
BEGIN SELECT raise(ABORT, 'rows of the audit log stay as they are'); END;

CREATE TRIGGER audit_is_cut_at_anchor BEFORE DELETE ON audit
WHEN OLD.sequence > (SELECT anchor_sequence FROM audit_chain)
BEGIN SELECT raise(ABORT, 'rows of the audit log are cut off up to the anchor'); END;

CREATE TRIGGER audit_ends_follow BEFORE UPDATE ON audit_chain
WHEN NEW.only <> 1
  OR (NEW.anchor_sequence <> OLD.anchor_sequence OR NEW.anchor_hash <> OLD.anchor_hash) AND NOT EXISTS (
    SELECT 1 FROM audit WHERE sequence = NEW.anchor_sequence AND hash = NEW.anchor_hash AND sequence > OLD.anchor_sequence)
  OR (NEW.head_sequence <> OLD.head_sequence OR NEW.head_hash <> OLD.head_hash) AND NOT EXISTS (
    SELECT 1 FROM audit WHERE sequence = NEW.head_sequence AND hash = NEW.head_hash AND sequence > OLD.head_sequence)
BEGIN SELECT raise(ABORT, 'the ends of the audit log follow its rows'); END;

CREATE TRIGGER audit_ends_stay BEFORE DELETE ON audit_chain
BEGIN SELECT raise(ABORT, 'the ends of the audit log follow its rows'); END;

CREATE TRIGGER audit_ends_are_there BEFORE INSERT ON audit_chain
BEGIN SELECT raise(ABORT, 'the ends of the audit log follow its rows'); END;
