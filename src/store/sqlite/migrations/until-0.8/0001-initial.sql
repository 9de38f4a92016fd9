-- Rows hold the contract's JSON text beside the columns they are found by. A reader concatenates
-- text; nothing is parsed or built on the way out.

CREATE TABLE marks (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  id           INTEGER PRIMARY KEY,
  username     TEXT NOT NULL UNIQUE CHECK (username <> ''),
  list_version TEXT NOT NULL,
  body         TEXT NOT NULL
) STRICT;

CREATE TABLE items (
  id         INTEGER PRIMARY KEY CHECK (id > 0),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  hidden     INTEGER NOT NULL CHECK (hidden IN (0, 1)),
  body       TEXT NOT NULL
) STRICT;

CREATE INDEX items_by_account ON items (account_id, hidden, id);

CREATE TABLE purchases (
  id          INTEGER PRIMARY KEY,
  code        TEXT NOT NULL CHECK (code <> ''),
  item_id     INTEGER NOT NULL REFERENCES items (id),
  revoked     INTEGER NOT NULL CHECK (revoked IN (0, 1)),
  before_item TEXT NOT NULL,
  after_item  TEXT NOT NULL
) STRICT;

-- One tree answers both questions: SQLite's NOCASE folds ASCII letters and nothing else, which is
-- the contract's rule, and the second column keeps each exact code unique.
CREATE UNIQUE INDEX purchases_by_code ON purchases (code COLLATE NOCASE, code COLLATE BINARY);
CREATE INDEX purchases_by_item ON purchases (item_id);

CREATE TABLE api_keys (
  id         TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('sk', 'vk', 'tk', 'imported')),
  name       TEXT NOT NULL,
  -- A JSON list of ids; null means all. Not a table: an item that goes must not widen the choice.
  item_ids   TEXT,
  lookup     BLOB NOT NULL UNIQUE,
  sealed     BLOB NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT
) STRICT;

CREATE INDEX api_keys_by_account ON api_keys (account_id);

-- How far each import came, written with its batches.
CREATE TABLE imports (
  id          INTEGER PRIMARY KEY,
  source      TEXT NOT NULL,
  line        INTEGER NOT NULL,
  started_at  TEXT NOT NULL,
  finished_at TEXT
) STRICT;

CREATE INDEX imports_by_source ON imports (source);
