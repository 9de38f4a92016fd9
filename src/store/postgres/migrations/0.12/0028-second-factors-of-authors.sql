-- A code by time is accepted only if its step is later than `used_step`.
CREATE TABLE second_factors (
  account_id integer PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  sealed     bytea NOT NULL,
  used_step  bigint NOT NULL
);

CREATE TABLE recovery_codes (
  account_id integer NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  digest     bytea NOT NULL,
  PRIMARY KEY (account_id, digest)
);
