-- Why calls failed: equal calls of one day are one row. No secret is in it, and no code of another author. The network
-- and the code are '' for calls that were too many to note each.
CREATE TABLE failed_calls (
  key_id    TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  day       TEXT NOT NULL,
  operation TEXT NOT NULL,
  reason    TEXT NOT NULL,
  network   TEXT NOT NULL,
  code      TEXT NOT NULL,
  first_at  TEXT NOT NULL,
  last_at   TEXT NOT NULL,
  calls     INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, operation, reason, network, code)
) STRICT, WITHOUT ROWID;
