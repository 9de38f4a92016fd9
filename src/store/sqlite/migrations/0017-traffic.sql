-- What the metrics counted, by hour (`2026-06-22T23`) or day (`2026-06-22`).
CREATE TABLE traffic (
  period    TEXT NOT NULL,
  kind      TEXT NOT NULL,
  operation TEXT NOT NULL,
  detail    TEXT NOT NULL,
  total     INTEGER NOT NULL,
  PRIMARY KEY (period, kind, operation, detail)
) STRICT, WITHOUT ROWID;
