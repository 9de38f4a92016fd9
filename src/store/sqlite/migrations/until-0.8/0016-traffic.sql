-- What the metrics counted, by hour (`2026-06-22T23`) and by day (`2026-06-22`).
CREATE TABLE traffic (
  unit      TEXT NOT NULL CHECK (unit IN ('hour', 'day')),
  period    TEXT NOT NULL,
  kind      TEXT NOT NULL,
  operation TEXT NOT NULL,
  detail    TEXT NOT NULL,
  total     INTEGER NOT NULL,
  PRIMARY KEY (unit, period, kind, operation, detail)
) STRICT, WITHOUT ROWID;

-- Rejected calls of real keys, and sign-ins of accounts that failed, by day. The day comes first because
-- the operator reads the last days of all of them. No foreign keys: deleting a key would search all days.
CREATE TABLE key_rejections (
  day     TEXT NOT NULL,
  key_id  TEXT NOT NULL,
  outcome TEXT NOT NULL,
  calls   INTEGER NOT NULL,
  PRIMARY KEY (day, key_id, outcome)
) STRICT, WITHOUT ROWID;

CREATE TABLE sign_in_rejections (
  day        TEXT NOT NULL,
  account_id INTEGER NOT NULL,
  outcome    TEXT NOT NULL,
  sign_ins   INTEGER NOT NULL,
  PRIMARY KEY (day, account_id, outcome)
) STRICT, WITHOUT ROWID;

INSERT INTO key_rejections (day, key_id, outcome, calls)
  SELECT substr(period, 1, 10), key_id, outcome, sum(calls)
  FROM usage JOIN api_keys ON id = key_id
  WHERE kind <> 'tk' AND outcome NOT IN ('ok', 'unavailable') AND period >= date('now', '-1 days')
  GROUP BY 1, 2, 3;
