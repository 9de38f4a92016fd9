-- Migrates from 0.12.3. Purchases are read from the copy of the database, so that the new tables can reuse the pages of
-- the old ones: the file grows by a third instead of doubling.
DROP TABLE IF EXISTS schema_steps;
DROP TABLE known_networks;
DROP TABLE operator_known_networks;
DROP TABLE asked_codes;
DROP TABLE move_changes;
DROP TABLE session_notes;
DROP TABLE operator_session_notes;
DROP TRIGGER accounts_inserted;
DROP TRIGGER accounts_updated;
DROP TRIGGER accounts_deleted;
DROP TRIGGER items_inserted;
DROP TRIGGER items_updated;
DROP TRIGGER items_deleted;
DROP TRIGGER api_keys_inserted;
DROP TRIGGER api_keys_updated;
DROP TRIGGER api_keys_deleted;
DROP TRIGGER signing_keys_inserted;
DROP TRIGGER signing_keys_updated;
DROP TRIGGER signing_keys_deleted;
DROP TABLE cached_rows;

ALTER TABLE nodes DROP COLUMN master_keys;
ALTER TABLE signing_keys DROP COLUMN retired_until;
ALTER TABLE imports DROP COLUMN rejected_before;

ALTER TABLE marks RENAME TO metadata;
DELETE FROM metadata WHERE name IN ('moved here', 'released sites', 'purchases counted', 'trends');
CREATE INDEX audit_events_by_actor ON audit_events (actor_kind, actor_name, id);

-- Problems were English sentences. Each becomes a problem with the code `other`.
UPDATE imports SET problem = json_object('code', 'other', 'params', json_object('text', problem))
WHERE problem IS NOT NULL;
UPDATE pulls SET problem = json_object('code', 'other', 'params', json_object('text', problem))
WHERE problem IS NOT NULL;
UPDATE imports SET refusals = json_set(refusals,
  '$.removalProblem', json(CASE WHEN refusals ->> '$.removalProblem' IS NOT NULL THEN
    json_object('code', 'other', 'params', json_object('text', refusals ->> '$.removalProblem')) END),
  '$.groups', json((
    SELECT json_group_array(json_object(
      'type', value ->> 'type', 'field', value ->> 'member',
      'code', 'other', 'params', json_object('text', value ->> 'reason'), 'cause', value ->> 'cause',
      'lines', value ->> 'lines', 'firstLine', value ->> 'firstLine', 'firstIdentity', value ->> 'firstIdentity'))
    FROM json_each(refusals, '$.groups'))))
WHERE refusals IS NOT NULL;

ALTER TABLE operators ADD COLUMN email TEXT;
ALTER TABLE operators ADD COLUMN role TEXT NOT NULL DEFAULT 'admin'
  CHECK (role IN ('admin', 'support', 'viewer'));
ALTER TABLE operators ADD COLUMN alerts INTEGER NOT NULL DEFAULT 1 CHECK (alerts IN (0, 1));
CREATE TABLE emails (
  id         TEXT PRIMARY KEY,
  sealed     BLOB NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  next_at    INTEGER NOT NULL,
  attempts   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX emails_due ON emails (next_at);

-- Messages had only their last attempt.
CREATE TABLE webhook_attempts (
  message_id  TEXT NOT NULL REFERENCES webhook_messages (id) ON DELETE CASCADE,
  nth         INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  status      INTEGER,
  problem     TEXT,
  duration_ms INTEGER,
  response    TEXT NOT NULL,
  PRIMARY KEY (message_id, nth)
) STRICT;
INSERT INTO webhook_attempts
SELECT id, attempts, tried_at, status, CASE WHEN problem IS NOT NULL THEN json_object('code', 'other', 'params', json_object('text', problem)) END, NULL, coalesce(answer, '')
FROM webhook_messages WHERE tried_at IS NOT NULL;
ALTER TABLE webhook_messages DROP COLUMN tried_at;
ALTER TABLE webhook_messages DROP COLUMN status;
ALTER TABLE webhook_messages DROP COLUMN problem;
ALTER TABLE webhook_messages DROP COLUMN answer;

CREATE TABLE new_api_keys (
  id           TEXT NOT NULL UNIQUE,
  account_id   INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind         TEXT NOT NULL CHECK (kind IN ('sk', 'vk', 'tk', 'imported')),
  name         TEXT NOT NULL,
  item_ids     TEXT,
  lookup       BLOB NOT NULL UNIQUE,
  sealed       BLOB NOT NULL,
  created_at   TEXT NOT NULL,
  expires_at   TEXT,
  revoked_at   TEXT,
  serial       INTEGER PRIMARY KEY,
  replaced_at  TEXT,
  replaced_by  TEXT,
  last_used_at TEXT,
  requires_site INTEGER NOT NULL DEFAULT 0 CHECK (requires_site IN (0, 1)),
  leaked        INTEGER NOT NULL DEFAULT 0 CHECK (leaked IN (0, 1))
) STRICT;
INSERT INTO new_api_keys
SELECT id, account_id, kind, name, item_ids, lookup, sealed, created_at, expires_at, revoked_at, rowid, replaced_at,
  replaced_by, (SELECT max(last_used_at) FROM key_sightings WHERE key_id = id), 0, 0
FROM api_keys;
DROP TABLE api_keys;
ALTER TABLE new_api_keys RENAME TO api_keys;
CREATE INDEX api_keys_by_account ON api_keys (account_id);

DROP TABLE purchase_counts;
DROP TABLE network_calls;
DROP TABLE item_calls;
DROP TABLE author_calls;
DROP TABLE key_rejections;
DROP TABLE sign_in_rejections;
DROP TABLE traffic;
DROP TABLE usage;
DROP TABLE key_sightings;
CREATE TABLE usage (
  day       TEXT NOT NULL,
  key_id    TEXT NOT NULL,
  operation TEXT NOT NULL,
  outcome   TEXT NOT NULL,
  calls     INTEGER NOT NULL,
  PRIMARY KEY (day, key_id, operation, outcome)
) STRICT, WITHOUT ROWID;
INSERT INTO usage
SELECT substr(period, 1, 10), key_id, operation, outcome, sum(calls) FROM copy.usage GROUP BY 1, 2, 3, 4;
CREATE TABLE usage_totals (
  day       TEXT NOT NULL,
  operation TEXT NOT NULL,
  outcome   TEXT NOT NULL,
  calls     INTEGER NOT NULL,
  PRIMARY KEY (day, operation, outcome)
) STRICT, WITHOUT ROWID;
INSERT INTO usage_totals
SELECT day, operation, outcome, sum(calls) FROM usage
WHERE key_id IN (SELECT id FROM api_keys WHERE kind <> 'tk') GROUP BY 1, 2, 3;
CREATE INDEX failed_calls_by_reason ON failed_calls (reason, last_at);
CREATE TABLE key_networks (
  key_id   TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  network  TEXT NOT NULL,
  last_day TEXT NOT NULL,
  PRIMARY KEY (key_id, network)
) STRICT, WITHOUT ROWID;
INSERT INTO key_networks SELECT key_id, network, substr(last_used_at, 1, 10) FROM copy.key_sightings;

ALTER TABLE items ADD COLUMN download_url TEXT;

-- Rows are inserted in the order of the primary keys, which fills the pages of the new tables.
DROP TABLE site_releases;
DROP TABLE purchase_sites;
DROP TABLE purchases;

CREATE TABLE purchases (
  folded       TEXT NOT NULL,
  code         TEXT NOT NULL CHECK (code <> ''),
  item_id      INTEGER NOT NULL REFERENCES items (id),
  revoked      INTEGER NOT NULL CHECK (revoked IN (0, 1)),
  feed_revoked INTEGER,
  buyer        TEXT,
  before_item  TEXT NOT NULL,
  after_item   TEXT NOT NULL,
  as_of        INTEGER NOT NULL DEFAULT 0,
  valid_until  TEXT,
  site_limit   INTEGER,
  sold_at      TEXT GENERATED ALWAYS AS (substr(after_item, -22, 20)) VIRTUAL,
  currency     TEXT GENERATED ALWAYS AS (substr(before_item, -12, 3)) VIRTUAL,
  price        REAL GENERATED ALWAYS AS (CAST(substr(before_item, instr(before_item, '"price":') + 8) AS REAL)) VIRTUAL,
  PRIMARY KEY (folded, code)
) STRICT;
INSERT INTO purchases
SELECT lower(code), code, item_id, revoked, feed_revoked, buyer, before_item, after_item, as_of, NULL, NULL
FROM copy.purchases ORDER BY 1, 2;
CREATE INDEX purchases_by_date ON purchases (item_id, sold_at, revoked, currency, price);
CREATE INDEX purchases_refunded ON purchases (item_id, sold_at, currency, price) WHERE revoked;

CREATE TABLE purchase_sites (
  folded    TEXT NOT NULL,
  code      TEXT NOT NULL,
  site      TEXT NOT NULL,
  item_id   INTEGER NOT NULL,
  first_day TEXT NOT NULL,
  last_day  TEXT NOT NULL,
  nth       INTEGER NOT NULL,
  PRIMARY KEY (folded, code, site),
  FOREIGN KEY (folded, code) REFERENCES purchases (folded, code) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO purchase_sites
SELECT lower(p.code), p.code, s.site, s.item_id, s.first_day, s.last_day, s.nth
FROM copy.purchase_sites s JOIN copy.purchases p USING (place) WHERE s.nth >= 0 ORDER BY 1, 2, 3;
CREATE INDEX purchase_sites_by_item ON purchase_sites (item_id, nth) WHERE nth > 1;
CREATE INDEX purchase_sites_of_many ON purchase_sites (item_id) WHERE nth > 10;

CREATE TABLE site_releases (
  folded      TEXT NOT NULL,
  code        TEXT NOT NULL,
  released_by TEXT NOT NULL,
  released_at TEXT NOT NULL,
  FOREIGN KEY (folded, code) REFERENCES purchases (folded, code) ON DELETE CASCADE
) STRICT;
INSERT INTO site_releases
SELECT lower(p.code), p.code, '', r.released_at
FROM copy.site_releases r JOIN copy.purchases p USING (place);
CREATE INDEX site_releases_by_purchase ON site_releases (folded, code, released_by, released_at);
