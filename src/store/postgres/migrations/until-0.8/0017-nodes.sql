-- The servers that run on this store. Each one updates its row once a minute.
CREATE TABLE nodes (
  id           text PRIMARY KEY,
  host         text NOT NULL,
  url          text NOT NULL,
  version      text NOT NULL,
  threads      integer NOT NULL,
  started_at   text COLLATE "C" NOT NULL,
  last_seen_at text COLLATE "C" NOT NULL
);
