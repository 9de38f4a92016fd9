-- Why a run could not be read to its end, and what the run before it from the same source refused.
ALTER TABLE imports ADD COLUMN problem TEXT;
ALTER TABLE imports ADD COLUMN rejected_before INTEGER;

-- The pulls on this store. Their runs are in `imports`, but only the latest of them.
CREATE TABLE pulls (
  name              TEXT PRIMARY KEY,
  every_seconds     INTEGER,
  first_round_at    TEXT NOT NULL,
  last_scheduled_at TEXT,
  last_success_at   TEXT,
  problem           TEXT
) STRICT, WITHOUT ROWID;
