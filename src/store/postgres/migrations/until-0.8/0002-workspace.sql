-- What the author's workspace needs: signing in, looking through items, and how keys are used.

ALTER TABLE items ADD COLUMN name text COLLATE "C"
  GENERATED ALWAYS AS (body::jsonb ->> 'name') STORED;
ALTER TABLE items ADD COLUMN price double precision
  GENERATED ALWAYS AS ((body::jsonb #>> '{price,regular}')::double precision) STORED;
-- Holds all that a search compares and sorts by: bodies are read for one page only.
CREATE INDEX items_by_name ON items (account_id, lower(name), id) INCLUDE (name, price);
CREATE INDEX accounts_by_email ON accounts (lower((body::jsonb ->> 'email') COLLATE "C"));

ALTER TABLE api_keys ADD COLUMN replaced_at text COLLATE "C";

CREATE TABLE passwords (
  account_id integer PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  hash       text NOT NULL
);

CREATE TABLE sessions (
  id           text PRIMARY KEY,
  token_digest bytea NOT NULL UNIQUE,
  account_id   integer NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at   text COLLATE "C" NOT NULL,
  last_seen_at text COLLATE "C" NOT NULL,
  confirmed_at text COLLATE "C" NOT NULL,
  network      text NOT NULL,
  device       text NOT NULL
);

CREATE INDEX sessions_by_account ON sessions (account_id);

-- Where each account has ever signed in from: there its owner is never slowed by others' guessing.
CREATE TABLE known_networks (
  account_id integer NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  network    text NOT NULL,
  PRIMARY KEY (account_id, network)
);

CREATE TABLE invitations (
  token_digest bytea PRIMARY KEY,
  account_id   integer NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  expires_at   text COLLATE "C" NOT NULL
);

CREATE INDEX invitations_by_account ON invitations (account_id);

CREATE TABLE preferences (
  account_id integer PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  locale     text NOT NULL
);

CREATE TABLE key_events (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key_id     text NOT NULL,
  key_name   text NOT NULL,
  action     text NOT NULL,
  at         text NOT NULL,
  source     text NOT NULL
);

CREATE INDEX key_events_by_account ON key_events (account_id, id);

-- `period` is an hour (2026-01-31T14) or, once it is a week old, a day (2026-01-31).
CREATE TABLE usage (
  key_id    text NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  period    text COLLATE "C" NOT NULL,
  operation text NOT NULL,
  outcome   text NOT NULL,
  calls     bigint NOT NULL,
  PRIMARY KEY (key_id, period, operation, outcome)
);

CREATE TABLE key_sightings (
  key_id       text NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  network      text NOT NULL,
  last_used_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (key_id, network)
);
