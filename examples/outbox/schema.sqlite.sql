CREATE TABLE pazar_outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- One line of the feed.
  record TEXT NOT NULL,
  -- NULL while it waits; the problems, if Pazar refused it.
  refused TEXT NULL
);
