-- Why a run could not be read to its end, and what the run before it from the same source refused.
ALTER TABLE imports
  ADD COLUMN problem text,
  ADD COLUMN rejected_before bigint;

-- The pulls on this store. Their runs are in `imports`, but only the latest of them.
CREATE TABLE pulls (
  name              text COLLATE "C" PRIMARY KEY,
  every_seconds     integer,
  first_round_at    text NOT NULL,
  last_scheduled_at text,
  last_success_at   text,
  problem           text
);
