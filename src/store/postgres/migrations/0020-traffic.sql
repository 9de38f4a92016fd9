-- What the metrics counted, by hour (`2026-06-22T23`) or day (`2026-06-22`).
CREATE TABLE traffic (
  period    text COLLATE "C" NOT NULL,
  kind      text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  detail    text COLLATE "C" NOT NULL,
  total     bigint NOT NULL,
  PRIMARY KEY (period, kind, operation, detail)
);
