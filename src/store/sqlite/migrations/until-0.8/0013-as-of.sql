-- The moment each record describes, in milliseconds since 1970; 0 is older than everything. Last in the
-- row, so that no other column takes longer to read.
ALTER TABLE accounts ADD COLUMN as_of INTEGER NOT NULL DEFAULT 0;
ALTER TABLE items ADD COLUMN as_of INTEGER NOT NULL DEFAULT 0;
ALTER TABLE purchases ADD COLUMN as_of INTEGER NOT NULL DEFAULT 0;

-- Removed records, so that an older feed does not bring them back.
CREATE TABLE tombstones (
  kind     TEXT NOT NULL,
  identity TEXT NOT NULL,
  as_of    INTEGER NOT NULL,
  PRIMARY KEY (kind, identity)
) STRICT, WITHOUT ROWID;

CREATE INDEX tombstones_by_as_of ON tombstones (as_of);

-- A new moment alone must not empty the caches: a nightly feed writes one to every row. A new column
-- of these tables must be added here.
DROP TRIGGER accounts_updated;
CREATE TRIGGER accounts_updated AFTER UPDATE OF id, username, list_version, body, suspended ON accounts
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;
DROP TRIGGER items_updated;
CREATE TRIGGER items_updated AFTER UPDATE OF id, account_id, hidden, body ON items
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;
