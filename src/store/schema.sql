-- The schema of both databases, from which schema.ts makes the SQL of each. A column has one of six types: text, bytes,
-- bigint, real, boolean, or serial (the primary key, numbered by the database). Text is compared byte by byte. A line that
-- ends with `-- sqlite` or `-- postgres` exists only there.

CREATE TABLE schema_version (version bigint NOT NULL); -- postgres

CREATE TABLE metadata (
  name  text PRIMARY KEY,
  value text NOT NULL
) WITHOUT ROWID;

-- Catalog

-- Prices are in ten-thousandths of the currency.

CREATE TABLE accounts (
  id                   serial,
  username             text NOT NULL UNIQUE CHECK (username <> ''),
  list_version         text NOT NULL,
  body                 text NOT NULL,
  is_suspended         boolean NOT NULL DEFAULT false,
  as_of                bigint NOT NULL DEFAULT 0,
  full_name            text GENERATED ALWAYS AS (coalesce(json_extract(body, '$.name.full_name'), '')) VIRTUAL, -- sqlite
  full_name            text GENERATED ALWAYS AS (coalesce(body::jsonb #>> '{name,full_name}', '')) STORED, -- postgres
  email                text GENERATED ALWAYS AS (coalesce(json_extract(body, '$.email'), '')) VIRTUAL, -- sqlite
  email                text GENERATED ALWAYS AS (coalesce(body::jsonb ->> 'email', '')) STORED, -- postgres
  is_suspended_by_feed boolean
);
CREATE INDEX accounts_by_email ON accounts (lower(email));
CREATE INDEX accounts_by_search ON accounts (username, full_name, email, is_suspended); -- sqlite

CREATE TABLE items (
  id           bigint PRIMARY KEY CHECK (id > 0),
  account_id   bigint NOT NULL REFERENCES accounts (id),
  is_hidden    boolean NOT NULL,
  body         text NOT NULL,
  name         text NOT NULL,
  folded_name  text NOT NULL,
  price        bigint NOT NULL,
  published_at text NOT NULL,
  as_of        bigint NOT NULL DEFAULT 0,
  site_limits  text,
  download_url text
);
CREATE INDEX items_by_account ON items (account_id, is_hidden, id);
CREATE INDEX items_by_id ON items (id, account_id, is_hidden, folded_name);
CREATE INDEX items_by_name ON items (account_id, folded_name, id);
CREATE INDEX items_by_price ON items (account_id, price, id, folded_name);
CREATE INDEX items_by_published ON items (account_id, published_at, id, folded_name);

-- `folded` is the code with ASCII letters in lower case. `account_id` is that of the item.
CREATE TABLE purchases (
  folded             text NOT NULL,
  code               text NOT NULL CHECK (code <> ''),
  item_id            bigint NOT NULL REFERENCES items (id),
  account_id         bigint NOT NULL,
  is_revoked         boolean NOT NULL,
  is_revoked_by_feed boolean,
  sold_at            text NOT NULL,
  currency           text NOT NULL,
  price              bigint NOT NULL,
  buyer              text,
  folded_buyer       text,
  before_item        text NOT NULL,
  after_item         text NOT NULL,
  as_of              bigint NOT NULL DEFAULT 0,
  valid_until        text,
  site_limit         bigint,
  PRIMARY KEY (folded, code)
);
CREATE INDEX purchases_by_account ON purchases (account_id, sold_at, item_id);
CREATE INDEX purchases_by_item ON purchases (item_id, sold_at);
CREATE INDEX purchases_refunded ON purchases (account_id, sold_at, item_id) WHERE is_revoked;
CREATE INDEX purchases_by_time ON purchases (sold_at);
CREATE INDEX purchases_refunded_by_time ON purchases (sold_at) WHERE is_revoked;
CREATE INDEX purchases_by_buyer ON purchases (folded_buyer, sold_at DESC) WHERE folded_buyer IS NOT NULL;

-- What pages show instead of counting. Only rows with sales, in UTC days. The item 0 is all items of
-- the account, the account 0 all accounts.
CREATE TABLE daily_sales (
  account_id  bigint NOT NULL,
  item_id     bigint NOT NULL,
  day         text NOT NULL,
  currency    text NOT NULL,
  is_refunded boolean NOT NULL,
  sales       bigint NOT NULL,
  amount      bigint NOT NULL,
  PRIMARY KEY (account_id, item_id, day, currency, is_refunded)
) WITHOUT ROWID;

CREATE TABLE account_counts (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  items      bigint NOT NULL,
  purchases  bigint NOT NULL
);

CREATE TABLE purchase_sites (
  folded    text NOT NULL,
  code      text NOT NULL,
  site      text NOT NULL,
  item_id   bigint NOT NULL,
  first_day text NOT NULL,
  last_day  text NOT NULL,
  ordinal   bigint NOT NULL,
  PRIMARY KEY (folded, code, site),
  FOREIGN KEY (folded, code) REFERENCES purchases (folded, code) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX purchase_sites_by_item ON purchase_sites (item_id, ordinal) WHERE ordinal > 1;
CREATE INDEX purchase_sites_of_many ON purchase_sites (item_id) WHERE ordinal > 10;

CREATE TABLE site_releases (
  folded      text NOT NULL,
  code        text NOT NULL,
  released_by text NOT NULL,
  released_at text NOT NULL,
  FOREIGN KEY (folded, code) REFERENCES purchases (folded, code) ON DELETE CASCADE
);
CREATE INDEX site_releases_by_purchase ON site_releases (folded, code, released_by, released_at);

-- Keys

-- `item_ids` is a JSON list; null means all items. It is not a table, because deleting an item must not widen the scope.
CREATE TABLE api_keys (
  id               text NOT NULL UNIQUE,
  account_id       bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind             text NOT NULL CHECK (kind IN ('sk', 'vk', 'tk', 'imported')),
  name             text NOT NULL,
  item_ids         text,
  lookup           bytes NOT NULL UNIQUE,
  encrypted        bytes NOT NULL,
  created_at       text NOT NULL,
  expires_at       text,
  revoked_at       text,
  serial           serial,
  replaced_at      text,
  replaced_by      text,
  last_used_at     text,
  is_site_required boolean NOT NULL DEFAULT false,
  scope            text CHECK (scope IN ('help_desk', 'catalog')),
  is_leaked        boolean NOT NULL DEFAULT false
);
CREATE INDEX api_keys_by_account ON api_keys (account_id);

-- Who sold an item before it moved to another author, until `moved_at`.
CREATE TABLE previous_authors (
  item_id    bigint NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  moved_at   text NOT NULL,
  PRIMARY KEY (item_id, account_id)
) WITHOUT ROWID;
CREATE INDEX previous_authors_by_account ON previous_authors (account_id);

-- Validation keys that were created for an item which has moved to another author since.
CREATE TABLE moved_item_keys (
  key_id     text NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  item_id    bigint NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  revoked_at text,
  PRIMARY KEY (key_id, item_id)
) WITHOUT ROWID;
CREATE INDEX moved_item_keys_by_item ON moved_item_keys (item_id);

CREATE TABLE signing_keys (
  ordinal      bigint PRIMARY KEY,
  id           text NOT NULL UNIQUE,
  state        text NOT NULL,
  public_key   text NOT NULL,
  encrypted    bytes NOT NULL,
  endorsements text NOT NULL,
  created_at   text NOT NULL
);

-- Usage

-- The primary key starts with the day, so that a write changes few pages. `key_id` is not a foreign key, because deleting
-- a key would then scan all days.
CREATE TABLE usage (
  day       text NOT NULL,
  key_id    text NOT NULL,
  operation text NOT NULL,
  outcome   text NOT NULL,
  calls     bigint NOT NULL,
  PRIMARY KEY (day, key_id, operation, outcome)
) WITHOUT ROWID;

-- Of all keys except test keys, for the pages about all accounts.
CREATE TABLE usage_totals (
  day       text NOT NULL,
  operation text NOT NULL,
  outcome   text NOT NULL,
  calls     bigint NOT NULL,
  PRIMARY KEY (day, operation, outcome)
) WITHOUT ROWID;

CREATE TABLE key_ip_ranges (
  key_id   text NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  ip_range text NOT NULL,
  last_day text NOT NULL,
  PRIMARY KEY (key_id, ip_range)
) WITHOUT ROWID;

CREATE TABLE failed_requests (
  key_id    text NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  day       text NOT NULL,
  operation text NOT NULL,
  reason    text NOT NULL,
  ip_range  text NOT NULL,
  code      text NOT NULL,
  first_at  text NOT NULL,
  last_at   text NOT NULL,
  calls     bigint NOT NULL,
  PRIMARY KEY (key_id, day, operation, reason, ip_range, code)
) WITHOUT ROWID;
CREATE INDEX failed_requests_by_reason ON failed_requests (reason, last_at);

-- People

-- Who signs in. `email` is null for the address of the account that the person owns.
CREATE TABLE people (
  id              serial,
  name            text NOT NULL CHECK (name <> ''),
  email           text,
  locale          text,
  theme           text,
  password_hash   text,
  two_factor      bytes,
  two_factor_step bigint,
  created_at      text NOT NULL
);
CREATE UNIQUE INDEX people_by_name ON people (lower(name));
CREATE INDEX people_by_email ON people (lower(email));

CREATE TABLE members (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  person_id  bigint NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  role       text NOT NULL CHECK (role IN ('owner', 'developer', 'support')),
  joined_at  text NOT NULL,
  -- Whom sign-in links of the marketplace sign in, and who reads the account's e-mail address.
  is_author  boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, person_id)
) WITHOUT ROWID;
CREATE INDEX members_by_person ON members (person_id);

CREATE TABLE operators (
  person_id  bigint PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
  role       text NOT NULL CHECK (role IN ('admin', 'support', 'viewer')),
  has_alerts boolean NOT NULL DEFAULT true
);

CREATE TABLE recovery_codes (
  person_id bigint NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  digest    bytes NOT NULL,
  PRIMARY KEY (person_id, digest)
) WITHOUT ROWID;

-- `id`, in base64url, and `public_key`, in SPKI, are those of the authenticator; `algorithm` is a number of COSE.
CREATE TABLE passkeys (
  id           text PRIMARY KEY,
  person_id    bigint NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  public_key   bytes NOT NULL,
  algorithm    bigint NOT NULL,
  counter      bigint NOT NULL,
  name         text NOT NULL,
  created_at   text NOT NULL,
  last_used_at text
) WITHOUT ROWID;
CREATE INDEX passkeys_by_person ON passkeys (person_id);

-- `subject` is who the person is at the OpenID Connect provider `issuer`.
CREATE TABLE identities (
  issuer    text NOT NULL,
  subject   text NOT NULL,
  person_id bigint NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
CREATE INDEX identities_by_person ON identities (person_id);

-- A link to choose a password: for `person_id`, or for a new person who gets a role in the team of `account_id` or as
-- an operator.
CREATE TABLE invitations (
  token_digest  bytes PRIMARY KEY,
  id            text NOT NULL UNIQUE,
  person_id     bigint REFERENCES people (id) ON DELETE CASCADE,
  account_id    bigint REFERENCES accounts (id) ON DELETE CASCADE,
  role          text,
  operator_role text,
  name          text NOT NULL,
  email         text,
  expires_at    text NOT NULL
) WITHOUT ROWID;
CREATE INDEX invitations_by_person ON invitations (person_id);
CREATE INDEX invitations_by_account ON invitations (account_id);
CREATE INDEX invitations_by_end ON invitations (expires_at);

CREATE TABLE sign_in_links (
  token_digest bytes PRIMARY KEY,
  account_id   bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  expires_at   text NOT NULL
) WITHOUT ROWID;
CREATE INDEX sign_in_links_by_account ON sign_in_links (account_id);
CREATE INDEX sign_in_links_by_end ON sign_in_links (expires_at);

CREATE TABLE sessions (
  id            text PRIMARY KEY,
  token_digest  bytes NOT NULL UNIQUE,
  person_id     bigint NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  created_at    text NOT NULL,
  last_seen_at  text NOT NULL,
  confirmed_at  text NOT NULL,
  ip_range      text NOT NULL,
  device        text NOT NULL,
  is_by_passkey boolean NOT NULL
);
CREATE INDEX sessions_by_person ON sessions (person_id);
CREATE INDEX sessions_by_creation ON sessions (created_at);
CREATE INDEX sessions_by_last_seen ON sessions (last_seen_at);

CREATE TABLE sign_in_failures (
  bucket     bytes PRIMARY KEY,
  failures   bigint NOT NULL,
  ends_at_ms bigint NOT NULL
) WITHOUT ROWID;
CREATE INDEX sign_in_failures_by_end ON sign_in_failures (ends_at_ms);

CREATE TABLE operator_tokens (
  name           text NOT NULL COLLATE NOCASE PRIMARY KEY CHECK (name <> ''), -- sqlite
  name           text NOT NULL CHECK (name <> ''), -- postgres
  rights         text NOT NULL,
  digest         bytes NOT NULL,
  created_at     text NOT NULL,
  old_digest     bytes,
  old_expires_at text
) WITHOUT ROWID;
CREATE UNIQUE INDEX operator_tokens_by_name ON operator_tokens (lower(name)); -- postgres

CREATE TABLE audit_events (
  id            serial,
  at            text NOT NULL,
  actor_kind    text NOT NULL,
  actor_name    text NOT NULL,
  ip_range      text NOT NULL,
  kind          text NOT NULL,
  action        text NOT NULL,
  account_id    bigint REFERENCES accounts (id) ON DELETE SET NULL,
  username      text,
  subject_id    text NOT NULL,
  subject_name  text NOT NULL,
  count         bigint NOT NULL DEFAULT 1,
  is_by_feed    boolean,
  note          text NOT NULL DEFAULT ''
);
CREATE INDEX audit_events_by_account ON audit_events (account_id, id);
CREATE INDEX audit_events_by_account_and_kind ON audit_events (account_id, kind, id);
CREATE INDEX audit_events_by_kind ON audit_events (kind, id);
CREATE INDEX audit_events_by_actor ON audit_events (actor_kind, actor_name, id);
CREATE INDEX audit_events_by_time ON audit_events (at);

-- Webhooks

CREATE TABLE webhook_endpoints (
  id               text PRIMARY KEY,
  account_id       bigint REFERENCES accounts (id) ON DELETE CASCADE,
  url              text NOT NULL,
  events           text,
  created_at       text NOT NULL,
  encrypted        bytes NOT NULL,
  old_encrypted    bytes,
  old_until        text,
  disabled_at      text,
  disabled_reason  text,
  removed_at       text,
  failing_since_ms bigint,
  attempted_at_ms  bigint NOT NULL DEFAULT 0
);
CREATE INDEX webhook_endpoints_by_account ON webhook_endpoints (account_id);
CREATE INDEX webhook_endpoints_on ON webhook_endpoints (created_at) WHERE disabled_at IS NULL AND removed_at IS NULL;

CREATE TABLE webhook_events (
  id              text PRIMARY KEY,
  type            text NOT NULL,
  at              text NOT NULL,
  username        text,
  data            text NOT NULL,
  is_encrypted    boolean NOT NULL,
  idempotency_key text
);
CREATE INDEX webhook_events_by_age ON webhook_events (at);
CREATE UNIQUE INDEX webhook_events_by_idempotency_key ON webhook_events (idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE webhook_messages (
  id          text PRIMARY KEY,
  endpoint_id text NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  event_id    text NOT NULL,
  created_at  text NOT NULL,
  state       text NOT NULL,
  next_at_ms  bigint NOT NULL,
  attempts    bigint NOT NULL DEFAULT 0
);
CREATE INDEX webhook_messages_by_age ON webhook_messages (created_at);
CREATE INDEX webhook_messages_by_endpoint ON webhook_messages (endpoint_id, created_at, id);
CREATE INDEX webhook_messages_due ON webhook_messages (endpoint_id, next_at_ms) WHERE state = 'waiting';

CREATE TABLE webhook_attempts (
  message_id  text NOT NULL REFERENCES webhook_messages (id) ON DELETE CASCADE,
  ordinal     bigint NOT NULL,
  at_ms       bigint NOT NULL,
  status      bigint,
  problem     text,
  duration_ms bigint,
  response    text NOT NULL,
  PRIMARY KEY (message_id, ordinal)
);

-- E-mail

-- E-mails that were not sent yet. `sealed` is the encrypted text with the recipient.
CREATE TABLE emails (
  id         text PRIMARY KEY,
  encrypted  bytes NOT NULL,
  created_at text NOT NULL,
  expires_at text NOT NULL,
  next_at_ms bigint NOT NULL,
  attempts   bigint NOT NULL DEFAULT 0
);
CREATE INDEX emails_due ON emails (next_at_ms);

-- Feed

-- `outcome` is JSON, without the counts, of a run that was read to its end. A run with `is_failed` has a problem, or deleted
-- nothing although it should have.
CREATE TABLE imports (
  id                 serial,
  source             text NOT NULL,
  via                text NOT NULL,
  line               bigint NOT NULL,
  started_at         text NOT NULL,
  finished_at        text,
  accepted           bigint NOT NULL DEFAULT 0,
  adjusted           bigint NOT NULL DEFAULT 0,
  waiting            bigint NOT NULL DEFAULT 0,
  rejected           bigint NOT NULL DEFAULT 0,
  removed            bigint NOT NULL DEFAULT 0,
  revoked            bigint NOT NULL DEFAULT 0,
  restored           bigint NOT NULL DEFAULT 0,
  outcome            text,
  problem            text,
  is_failed          boolean NOT NULL DEFAULT false,
  is_refusal_allowed boolean NOT NULL DEFAULT false
);
CREATE INDEX imports_by_source ON imports (source, id);
CREATE INDEX imports_by_way ON imports (via, id);

CREATE TABLE pulls (
  name              text PRIMARY KEY,
  every_seconds     bigint,
  first_round_at    text NOT NULL,
  last_scheduled_at text,
  last_read_at      text,
  last_success_at   text,
  problem           text
) WITHOUT ROWID;

CREATE TABLE pending_records (
  kind     text NOT NULL,
  identity text NOT NULL,
  needs    text NOT NULL,
  record   text NOT NULL,
  as_of    bigint NOT NULL,
  since_ms bigint NOT NULL,
  run_id   bigint NOT NULL,
  PRIMARY KEY (kind, identity)
) WITHOUT ROWID;
CREATE INDEX pending_records_by_need ON pending_records (kind, needs, since_ms);
CREATE INDEX pending_records_by_run ON pending_records (run_id);

CREATE TABLE tombstones (
  kind           text NOT NULL,
  identity       text NOT NULL,
  as_of          bigint NOT NULL,
  is_by_operator boolean NOT NULL DEFAULT false,
  PRIMARY KEY (kind, identity)
) WITHOUT ROWID;
CREATE INDEX tombstones_by_as_of ON tombstones (as_of);

-- Running servers

CREATE TABLE nodes (
  id           text PRIMARY KEY,
  host         text NOT NULL,
  url          text NOT NULL,
  version      text NOT NULL,
  threads      bigint NOT NULL,
  started_at   text NOT NULL,
  last_seen_at text NOT NULL
) WITHOUT ROWID;
