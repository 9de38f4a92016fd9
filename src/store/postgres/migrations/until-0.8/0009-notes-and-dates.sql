-- What a session keeps between two requests, sealed (domain/session-note.ts). `serial` tells the newest.
CREATE TABLE session_notes (
  serial     bigint GENERATED ALWAYS AS IDENTITY,
  session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  kind       text NOT NULL,
  id         text NOT NULL,
  at         text COLLATE "C" NOT NULL,
  sealed     bytea NOT NULL,
  PRIMARY KEY (session_id, kind, id)
);

-- "Newest first" sorts by this.
ALTER TABLE items ADD COLUMN published_at text COLLATE "C"
  GENERATED ALWAYS AS (coalesce(body::jsonb ->> 'published_at', '')) STORED;
-- Holds all that a search compares and sorts by: bodies are read for one page only.
DROP INDEX items_by_name;
CREATE INDEX items_by_name ON items (account_id, lower(name), id)
  INCLUDE (name, price, published_at);
CREATE INDEX items_by_published ON items (account_id, published_at, id);
