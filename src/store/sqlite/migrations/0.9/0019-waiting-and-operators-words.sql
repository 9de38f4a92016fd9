-- Records whose item or author is not there yet. `record` is JSON of the record as it enters the store;
-- `needs` is the author of an item or the item of a purchase; moments are in milliseconds since 1970.
CREATE TABLE waiting (
  kind     TEXT NOT NULL,
  identity TEXT NOT NULL,
  needs    TEXT NOT NULL,
  record   TEXT NOT NULL,
  as_of    INTEGER NOT NULL,
  since    INTEGER NOT NULL,
  run_id   INTEGER NOT NULL,
  PRIMARY KEY (kind, identity)
) STRICT, WITHOUT ROWID;

CREATE INDEX waiting_by_need ON waiting (kind, needs, since);
CREATE INDEX waiting_by_run ON waiting (run_id);

ALTER TABLE imports ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;

-- What the feed says of a record that an operator has suspended or refunded; null where no operator has.
-- `suspended` and `revoked` are what counts. No server caches these columns, so no trigger watches them.
ALTER TABLE accounts ADD COLUMN feed_suspended INTEGER;
ALTER TABLE purchases ADD COLUMN feed_revoked INTEGER;
ALTER TABLE tombstones ADD COLUMN by_operator INTEGER NOT NULL DEFAULT 0;

UPDATE accounts SET feed_suspended = 0 WHERE suspended = 1 AND 'suspended' = (
  SELECT action FROM audit_events e
  WHERE e.account_id = accounts.id AND e.kind = 'account' AND e.action IN ('suspended', 'resumed')
  ORDER BY e.id DESC LIMIT 1
);
UPDATE purchases SET feed_revoked = 0 WHERE revoked = 1 AND code IN (
  SELECT subject_id FROM audit_events WHERE kind = 'purchase' AND action = 'refunded'
);
