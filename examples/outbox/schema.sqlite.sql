CREATE TABLE pazar_outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- One record, as a line of JSON.
  record TEXT NOT NULL,
  -- NULL while pending; the problems if Pazar rejected the record.
  refused TEXT NULL
);
