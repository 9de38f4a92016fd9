-- The servers that run on this store. Each one updates its row once a minute.
CREATE TABLE nodes (
  id           TEXT PRIMARY KEY,
  host         TEXT NOT NULL,
  url          TEXT NOT NULL,
  version      TEXT NOT NULL,
  threads      INTEGER NOT NULL,
  started_at   TEXT NOT NULL,
  last_seen_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
