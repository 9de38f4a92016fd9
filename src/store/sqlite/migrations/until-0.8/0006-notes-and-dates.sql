-- What a session keeps between two requests, sealed (domain/session-note.ts). `serial` tells the newest.
CREATE TABLE session_notes (
  serial     INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL,
  id         TEXT NOT NULL,
  at         TEXT NOT NULL,
  sealed     BLOB NOT NULL,
  UNIQUE (session_id, kind, id)
) STRICT;

-- "Newest first" sorts by this. Virtual: the value is kept in the index alone.
ALTER TABLE items ADD COLUMN published_at TEXT
  GENERATED ALWAYS AS (coalesce(json_extract(body, '$.published_at'), '')) VIRTUAL;
-- Holds all that a search compares and sorts by: bodies are read for one page only.
DROP INDEX items_by_name;
CREATE INDEX items_by_name ON items (account_id, name COLLATE NOCASE, id, price, published_at);
