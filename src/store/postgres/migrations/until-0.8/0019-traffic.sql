-- What the metrics counted, by hour (`2026-06-22T23`) and by day (`2026-06-22`).
CREATE TABLE traffic (
  unit      text COLLATE "C" NOT NULL CHECK (unit IN ('hour', 'day')),
  period    text COLLATE "C" NOT NULL,
  kind      text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  detail    text COLLATE "C" NOT NULL,
  total     bigint NOT NULL,
  PRIMARY KEY (unit, period, kind, operation, detail)
);

-- Rejected calls of real keys, and sign-ins of accounts that failed, by day. The day comes first because
-- the operator reads the last days of all of them. No foreign keys: deleting a key would search all days.
CREATE TABLE key_rejections (
  day     text COLLATE "C" NOT NULL,
  key_id  text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  calls   bigint NOT NULL,
  PRIMARY KEY (day, key_id, outcome)
);

CREATE TABLE sign_in_rejections (
  day        text COLLATE "C" NOT NULL,
  account_id integer NOT NULL,
  outcome    text COLLATE "C" NOT NULL,
  sign_ins   bigint NOT NULL,
  PRIMARY KEY (day, account_id, outcome)
);

INSERT INTO key_rejections (day, key_id, outcome, calls)
  SELECT left(period, 10), key_id, outcome, sum(calls)
  FROM usage JOIN api_keys ON id = key_id
  WHERE kind <> 'tk' AND outcome NOT IN ('ok', 'unavailable')
    AND period >= to_char(now() AT TIME ZONE 'UTC' - interval '1 day', 'YYYY-MM-DD')
  GROUP BY 1, 2, 3;
