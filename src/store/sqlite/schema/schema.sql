-- The schema of a new SQLite database. The other files in this folder migrate earlier versions to the same schema.
-- Tables and columns have the same names as in ../../postgres/schema/schema.sql.

CREATE TABLE metadata (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Catalog

CREATE TABLE accounts (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  username       TEXT NOT NULL UNIQUE CHECK (username <> ''),
  list_version   TEXT NOT NULL,
  body           TEXT NOT NULL,
  suspended      INTEGER NOT NULL DEFAULT 0 CHECK (suspended IN (0, 1)),
  as_of          INTEGER NOT NULL DEFAULT 0,
  full_name      TEXT GENERATED ALWAYS AS (coalesce(json_extract(body, '$.name.full_name'), '')) VIRTUAL,
  email          TEXT GENERATED ALWAYS AS (coalesce(json_extract(body, '$.email'), '')) VIRTUAL,
  feed_suspended INTEGER
) STRICT;
CREATE INDEX accounts_by_email ON accounts (lower(json_extract(body, '$.email')));
CREATE INDEX accounts_by_folded_name ON accounts (username COLLATE NOCASE);
CREATE INDEX accounts_by_search ON accounts (username, full_name, email, suspended);

CREATE TABLE items (
  id           INTEGER PRIMARY KEY CHECK (id > 0),
  account_id   INTEGER NOT NULL REFERENCES accounts (id),
  hidden       INTEGER NOT NULL CHECK (hidden IN (0, 1)),
  body         TEXT NOT NULL,
  name         TEXT GENERATED ALWAYS AS (json_extract(body, '$.name')) VIRTUAL,
  price        REAL GENERATED ALWAYS AS (json_extract(body, '$.price.regular')) VIRTUAL,
  published_at TEXT GENERATED ALWAYS AS (coalesce(json_extract(body, '$.published_at'), '')) VIRTUAL,
  as_of        INTEGER NOT NULL DEFAULT 0,
  site_limits  TEXT,
  download_url TEXT
) STRICT;
CREATE INDEX items_by_account ON items (account_id, hidden, id);
CREATE INDEX items_by_id ON items (id, account_id, hidden, name);
CREATE INDEX items_by_name ON items (account_id, name COLLATE NOCASE, id, price, published_at);

-- `folded` is the code with ASCII letters in lower case. `before_item` ends with price and currency, `after_item` with
-- the date of the sale.
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
CREATE INDEX purchase_sites_by_item ON purchase_sites (item_id, nth) WHERE nth > 1;
CREATE INDEX purchase_sites_of_many ON purchase_sites (item_id) WHERE nth > 10;

CREATE TABLE site_releases (
  folded      TEXT NOT NULL,
  code        TEXT NOT NULL,
  released_by TEXT NOT NULL,
  released_at TEXT NOT NULL,
  FOREIGN KEY (folded, code) REFERENCES purchases (folded, code) ON DELETE CASCADE
) STRICT;
CREATE INDEX site_releases_by_purchase ON site_releases (folded, code, released_by, released_at);

-- Keys

-- `item_ids` is a JSON list; null means all items. It is not a table, because deleting an item must not widen the scope.
CREATE TABLE api_keys (
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
CREATE INDEX api_keys_by_account ON api_keys (account_id);

CREATE TABLE signing_keys (
  place         INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  state         TEXT NOT NULL,
  public_key    TEXT NOT NULL,
  sealed        BLOB NOT NULL,
  endorsements  TEXT NOT NULL,
  created_at    TEXT NOT NULL
) STRICT;

-- Usage

-- The primary key starts with the day, so that a write changes few pages. `key_id` is not a foreign key, because deleting
-- a key would then scan all days.
CREATE TABLE usage (
  day       TEXT NOT NULL,
  key_id    TEXT NOT NULL,
  operation TEXT NOT NULL,
  outcome   TEXT NOT NULL,
  calls     INTEGER NOT NULL,
  PRIMARY KEY (day, key_id, operation, outcome)
) STRICT, WITHOUT ROWID;

-- Of all keys except test keys, for the pages about all accounts.
CREATE TABLE usage_totals (
  day       TEXT NOT NULL,
  operation TEXT NOT NULL,
  outcome   TEXT NOT NULL,
  calls     INTEGER NOT NULL,
  PRIMARY KEY (day, operation, outcome)
) STRICT, WITHOUT ROWID;

CREATE TABLE key_networks (
  key_id   TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  network  TEXT NOT NULL,
  last_day TEXT NOT NULL,
  PRIMARY KEY (key_id, network)
) STRICT, WITHOUT ROWID;

CREATE TABLE failed_calls (
  key_id    TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  day       TEXT NOT NULL,
  operation TEXT NOT NULL,
  reason    TEXT NOT NULL,
  network   TEXT NOT NULL,
  code      TEXT NOT NULL,
  first_at  TEXT NOT NULL,
  last_at   TEXT NOT NULL,
  calls     INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, operation, reason, network, code)
) STRICT, WITHOUT ROWID;
CREATE INDEX failed_calls_by_reason ON failed_calls (reason, last_at);

-- Sign-in of authors

CREATE TABLE passwords (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  hash       TEXT NOT NULL
) STRICT;

CREATE TABLE preferences (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  locale     TEXT NOT NULL
) STRICT;

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

CREATE TABLE invitations (
  token_digest BLOB PRIMARY KEY,
  account_id   INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  expires_at   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_by_account ON invitations (account_id);
CREATE INDEX invitations_by_end ON invitations (expires_at);

CREATE TABLE sign_in_links (
  token_digest BLOB PRIMARY KEY,
  account_id   INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  expires_at   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_links_by_account ON sign_in_links (account_id);
CREATE INDEX sign_in_links_by_end ON sign_in_links (expires_at);

CREATE TABLE sessions (
  id           TEXT PRIMARY KEY,
  token_digest BLOB NOT NULL UNIQUE,
  account_id   INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at   TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  confirmed_at TEXT NOT NULL,
  network      TEXT NOT NULL,
  device       TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_by_account ON sessions (account_id);
CREATE INDEX sessions_by_creation ON sessions (created_at);
CREATE INDEX sessions_by_last_seen ON sessions (last_seen_at);

CREATE TABLE sign_in_failures (
  bucket     BLOB PRIMARY KEY,
  failures   INTEGER NOT NULL,
  ends_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_failures_by_end ON sign_in_failures (ends_at_ms);

-- Operators

CREATE TABLE operators (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (name <> ''),
  created_at TEXT NOT NULL,
  email      TEXT,
  role       TEXT NOT NULL DEFAULT 'admin' CHECK (role IN ('admin', 'support', 'viewer')),
  alerts     INTEGER NOT NULL DEFAULT 1 CHECK (alerts IN (0, 1))
) STRICT;

CREATE TABLE operator_passwords (
  operator_id INTEGER PRIMARY KEY REFERENCES operators (id) ON DELETE CASCADE,
  hash        TEXT NOT NULL
) STRICT;

CREATE TABLE operator_second_factors (
  operator_id INTEGER PRIMARY KEY REFERENCES operators (id) ON DELETE CASCADE,
  sealed      BLOB NOT NULL,
  used_step   INTEGER NOT NULL
) STRICT;

CREATE TABLE operator_recovery_codes (
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  digest      BLOB NOT NULL,
  PRIMARY KEY (operator_id, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_invitations (
  token_digest BLOB PRIMARY KEY,
  operator_id  INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  expires_at   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_sessions (
  id           TEXT PRIMARY KEY,
  token_digest BLOB NOT NULL UNIQUE,
  operator_id  INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  created_at   TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  confirmed_at TEXT NOT NULL,
  network      TEXT NOT NULL,
  device       TEXT NOT NULL
) STRICT;
CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_id);

CREATE TABLE operator_tokens (
  name           TEXT NOT NULL COLLATE NOCASE PRIMARY KEY CHECK (name <> ''),
  rights         TEXT NOT NULL,
  digest         BLOB NOT NULL,
  created_at     TEXT NOT NULL,
  old_digest     BLOB,
  old_expires_at TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_events (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  at            TEXT NOT NULL,
  actor_kind    TEXT NOT NULL,
  actor_name    TEXT NOT NULL,
  network       TEXT NOT NULL,
  kind          TEXT NOT NULL,
  action        TEXT NOT NULL,
  account_id    INTEGER REFERENCES accounts (id) ON DELETE SET NULL,
  username      TEXT,
  subject_id    TEXT NOT NULL,
  subject_name  TEXT NOT NULL,
  subject_count INTEGER NOT NULL DEFAULT 1,
  by_feed       INTEGER,
  note          TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX audit_events_by_account ON audit_events (account_id, id);
CREATE INDEX audit_events_by_account_and_kind ON audit_events (account_id, kind, id);
CREATE INDEX audit_events_by_kind ON audit_events (kind, id);
CREATE INDEX audit_events_by_actor ON audit_events (actor_kind, actor_name, id);
CREATE INDEX audit_events_by_time ON audit_events (at);

-- Webhooks

CREATE TABLE webhook_endpoints (
  id            TEXT PRIMARY KEY,
  account_id    INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
  url           TEXT NOT NULL,
  events        TEXT,
  created_at    TEXT NOT NULL,
  sealed        BLOB NOT NULL,
  old_sealed    BLOB,
  old_until     TEXT,
  off_at        TEXT,
  off_reason    TEXT,
  removed_at    TEXT,
  waiting       INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  tried_at      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX webhook_endpoints_by_account ON webhook_endpoints (account_id);
CREATE INDEX webhook_endpoints_on ON webhook_endpoints (created_at) WHERE off_at IS NULL AND removed_at IS NULL;

CREATE TABLE webhook_events (
  id        TEXT PRIMARY KEY,
  type      TEXT NOT NULL,
  at        TEXT NOT NULL,
  username  TEXT,
  data      TEXT NOT NULL,
  is_sealed INTEGER NOT NULL,
  once      TEXT
) STRICT;
CREATE INDEX webhook_events_by_age ON webhook_events (at);
CREATE UNIQUE INDEX webhook_events_once ON webhook_events (once) WHERE once IS NOT NULL;

CREATE TABLE webhook_messages (
  id          TEXT PRIMARY KEY,
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  event_id    TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  state       TEXT NOT NULL,
  next_at     INTEGER NOT NULL,
  attempts    INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX webhook_messages_by_age ON webhook_messages (created_at);
CREATE INDEX webhook_messages_by_endpoint ON webhook_messages (endpoint_id, created_at, id);
CREATE INDEX webhook_messages_due ON webhook_messages (endpoint_id, next_at) WHERE state = 'waiting';

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

-- E-mail

-- E-mails that were not sent yet. `sealed` is the encrypted text with the recipient.
CREATE TABLE emails (
  id         TEXT PRIMARY KEY,
  sealed     BLOB NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  next_at    INTEGER NOT NULL,
  attempts   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX emails_due ON emails (next_at);

-- Feed

CREATE TABLE imports (
  id              INTEGER PRIMARY KEY,
  source          TEXT NOT NULL,
  line            INTEGER NOT NULL,
  started_at      TEXT NOT NULL,
  finished_at     TEXT,
  via             TEXT NOT NULL DEFAULT 'file',
  accepted        INTEGER,
  adjusted        INTEGER,
  rejected        INTEGER,
  removed         INTEGER,
  refusals        TEXT,
  problem         TEXT,
  waiting         INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX imports_by_source ON imports (source);
CREATE INDEX imports_by_way ON imports (via, id);

CREATE TABLE pulls (
  name              TEXT PRIMARY KEY,
  every_seconds     INTEGER,
  first_round_at    TEXT NOT NULL,
  last_scheduled_at TEXT,
  last_success_at   TEXT,
  problem           TEXT
) STRICT, WITHOUT ROWID;

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

CREATE TABLE tombstones (
  kind        TEXT NOT NULL,
  identity    TEXT NOT NULL,
  as_of       INTEGER NOT NULL,
  by_operator INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, identity)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstones_by_as_of ON tombstones (as_of);

-- Running servers

CREATE TABLE nodes (
  id           TEXT PRIMARY KEY,
  host         TEXT NOT NULL,
  url          TEXT NOT NULL,
  version      TEXT NOT NULL,
  threads      INTEGER NOT NULL,
  started_at   TEXT NOT NULL,
  last_seen_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
