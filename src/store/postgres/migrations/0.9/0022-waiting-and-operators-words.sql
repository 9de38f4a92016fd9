-- Records whose item or author is not there yet. `record` is JSON of the record as it enters the store;
-- `needs` is the author of an item or the item of a purchase; moments are in milliseconds since 1970.
CREATE TABLE waiting (
  kind     text COLLATE "C" NOT NULL,
  identity text COLLATE "C" NOT NULL,
  needs    text COLLATE "C" NOT NULL,
  record   text NOT NULL,
  as_of    bigint NOT NULL,
  since    bigint NOT NULL,
  run_id   bigint NOT NULL,
  PRIMARY KEY (kind, identity)
);

CREATE INDEX waiting_by_need ON waiting (kind, needs, since);
CREATE INDEX waiting_by_run ON waiting (run_id);

ALTER TABLE imports ADD COLUMN waiting bigint NOT NULL DEFAULT 0;

-- What the feed says of a record that an operator has suspended or refunded; null where no operator has.
-- `suspended` and `revoked` are what counts.
ALTER TABLE accounts ADD COLUMN feed_suspended boolean;
ALTER TABLE purchases ADD COLUMN feed_revoked boolean;
ALTER TABLE tombstones ADD COLUMN by_operator boolean NOT NULL DEFAULT false;

UPDATE accounts SET feed_suspended = false WHERE suspended AND 'suspended' = (
  SELECT action FROM audit_events e
  WHERE e.account_id = accounts.id AND e.kind = 'account' AND e.action IN ('suspended', 'resumed')
  ORDER BY e.id DESC LIMIT 1
);
UPDATE purchases SET feed_revoked = false WHERE revoked AND code IN (
  SELECT subject_id FROM audit_events WHERE kind = 'purchase' AND action = 'refunded'
);
