-- A code by time is accepted only if its step is later than `used_step`.
CREATE TABLE second_factors (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  sealed     BLOB NOT NULL,
  used_step  INTEGER NOT NULL
) STRICT;

CREATE TABLE recovery_codes (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  digest     BLOB NOT NULL,
  PRIMARY KEY (account_id, digest)
) STRICT, WITHOUT ROWID;
