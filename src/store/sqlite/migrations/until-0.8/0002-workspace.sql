-- What the author's workspace needs: signing in, looking through items, and how keys are used.

ALTER TABLE items ADD COLUMN name TEXT GENERATED ALWAYS AS (json_extract(body, '$.name')) VIRTUAL;
ALTER TABLE items ADD COLUMN price REAL
  GENERATED ALWAYS AS (json_extract(body, '$.price.regular')) VIRTUAL;
-- Holds all that a search compares and sorts by: bodies are read for one page only.
CREATE INDEX items_by_name ON items (account_id, name COLLATE NOCASE, id, price);
CREATE INDEX accounts_by_email ON accounts (lower(json_extract(body, '$.email')));

ALTER TABLE api_keys ADD COLUMN replaced_at TEXT;

CREATE TABLE passwords (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  hash       TEXT NOT NULL
) STRICT;

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

-- Where each account has ever signed in from: there its owner is never slowed by others' guessing.
CREATE TABLE known_networks (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  network    TEXT NOT NULL,
  PRIMARY KEY (account_id, network)
) STRICT, WITHOUT ROWID;

CREATE TABLE invitations (
  token_digest BLOB PRIMARY KEY,
  account_id   INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  expires_at   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX invitations_by_account ON invitations (account_id);

CREATE TABLE preferences (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  locale     TEXT NOT NULL
) STRICT;

CREATE TABLE key_events (
  id         INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key_id     TEXT NOT NULL,
  key_name   TEXT NOT NULL,
  action     TEXT NOT NULL,
  at         TEXT NOT NULL,
  source     TEXT NOT NULL
) STRICT;

CREATE INDEX key_events_by_account ON key_events (account_id, id);

-- `period` is an hour (2026-01-31T14) or, once it is a week old, a day (2026-01-31).
CREATE TABLE usage (
  key_id    TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  period    TEXT NOT NULL,
  operation TEXT NOT NULL,
  outcome   TEXT NOT NULL,
  calls     INTEGER NOT NULL,
  PRIMARY KEY (key_id, period, operation, outcome)
) STRICT, WITHOUT ROWID;

CREATE TABLE key_sightings (
  key_id       TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  network      TEXT NOT NULL,
  last_used_at TEXT NOT NULL,
  PRIMARY KEY (key_id, network)
) STRICT, WITHOUT ROWID;
