-- The moment each record describes, in milliseconds since 1970; 0 is older than everything.
ALTER TABLE accounts ADD COLUMN as_of bigint NOT NULL DEFAULT 0;
ALTER TABLE items ADD COLUMN as_of bigint NOT NULL DEFAULT 0;
ALTER TABLE purchases ADD COLUMN as_of bigint NOT NULL DEFAULT 0;

-- Removed records, so that an older feed does not bring them back.
CREATE TABLE tombstones (
  kind     text COLLATE "C" NOT NULL,
  identity text COLLATE "C" NOT NULL,
  as_of    bigint NOT NULL,
  PRIMARY KEY (kind, identity)
);

CREATE INDEX tombstones_by_as_of ON tombstones (as_of);
