-- Why calls failed: equal calls of one day are one row. No secret is in it, and no code of another author. The network
-- and the code are '' for calls that were too many to note each.
CREATE TABLE failed_calls (
  key_id    text COLLATE "C" NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  day       text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  reason    text COLLATE "C" NOT NULL,
  network   text COLLATE "C" NOT NULL,
  code      text COLLATE "C" NOT NULL,
  first_at  text COLLATE "C" NOT NULL,
  last_at   text COLLATE "C" NOT NULL,
  calls     bigint NOT NULL,
  PRIMARY KEY (key_id, day, operation, reason, network, code)
);
