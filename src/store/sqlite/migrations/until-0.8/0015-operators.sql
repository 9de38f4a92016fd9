-- The people who sign in to the console, by tables of their own (store/sign-in-tables.ts).
CREATE TABLE operators (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (name <> ''),
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE operator_passwords (
  operator_id INTEGER PRIMARY KEY REFERENCES operators (id) ON DELETE CASCADE,
  hash        TEXT NOT NULL
) STRICT;

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

CREATE TABLE operator_session_notes (
  serial     INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES operator_sessions (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL,
  id         TEXT NOT NULL,
  at         TEXT NOT NULL,
  sealed     BLOB NOT NULL,
  UNIQUE (session_id, kind, id)
) STRICT;

CREATE TABLE operator_known_networks (
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  network     TEXT NOT NULL,
  PRIMARY KEY (operator_id, network)
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_invitations (
  token_digest BLOB PRIMARY KEY,
  operator_id  INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  expires_at   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A code by time is accepted only if its step is later than `used_step`.
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

-- One audit for keys, accounts, purchases and operators. It outlives the account that it names.
CREATE TABLE audit_events (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  at           TEXT NOT NULL,
  actor_kind   TEXT NOT NULL,
  actor_name   TEXT NOT NULL,
  network      TEXT NOT NULL,
  kind         TEXT NOT NULL,
  action       TEXT NOT NULL,
  account_id   INTEGER REFERENCES accounts (id) ON DELETE SET NULL,
  username     TEXT,
  subject_id   TEXT NOT NULL,
  subject_name TEXT NOT NULL
) STRICT;

INSERT INTO audit_events (id, at, actor_kind, actor_name, network, kind, action, account_id, username,
  subject_id, subject_name)
SELECT e.id, e.at, iif(e.source = 'operator', 'command', 'author'),
  iif(e.source = 'operator', '', a.username), iif(e.source = 'operator', '', e.source),
  'key', e.action, e.account_id, a.username, e.key_id, e.key_name
FROM key_events e JOIN accounts a ON a.id = e.account_id ORDER BY e.id;

DROP TABLE key_events;

CREATE INDEX audit_events_by_account ON audit_events (account_id, id);
CREATE INDEX audit_events_by_account_and_kind ON audit_events (account_id, kind, id);
CREATE INDEX audit_events_by_kind ON audit_events (kind, id);
CREATE INDEX audit_events_by_time ON audit_events (at);

-- An operator searches authors by these. Virtual: the values are kept in the index alone, which holds all
-- that a search compares.
ALTER TABLE accounts ADD COLUMN full_name TEXT
  GENERATED ALWAYS AS (coalesce(json_extract(body, '$.name.full_name'), '')) VIRTUAL;
ALTER TABLE accounts ADD COLUMN email TEXT
  GENERATED ALWAYS AS (coalesce(json_extract(body, '$.email'), '')) VIRTUAL;
CREATE INDEX accounts_by_search ON accounts (username, full_name, email, suspended);
