-- How many purchases each account has, kept by feeds and counted anew now and then: counting millions takes too long.
-- Rows are updated often, so that pages have room for their new versions.
CREATE TABLE purchase_counts (
  account_id integer PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  purchases  bigint NOT NULL
) WITH (fillfactor = 50);

-- Calls with the keys of each account for seven days, and its last day before. Calls with test keys are not counted, but
-- are a use.
CREATE TABLE author_calls (
  account_id   integer NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  day          text COLLATE "C" NOT NULL,
  calls        bigint NOT NULL,
  errors       bigint NOT NULL,
  last_used_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, day)
);

INSERT INTO author_calls (account_id, day, calls, errors, last_used_at)
SELECT account_id, substr(used, 1, 10), 0, 0, substr(used || 'T00', 1, 13) || ':00:00Z'
FROM (
  SELECT account_id, max((SELECT max(period) FROM usage WHERE key_id = id)) AS used FROM api_keys
  GROUP BY account_id
) AS keys WHERE used IS NOT NULL;

-- Items of all authors as an operator lists and searches them, without reading their bodies.
CREATE INDEX CONCURRENTLY items_by_id ON items (id) INCLUDE (account_id, hidden, name);

-- Why an operator did it.
ALTER TABLE audit_events ADD COLUMN note text NOT NULL DEFAULT '';
