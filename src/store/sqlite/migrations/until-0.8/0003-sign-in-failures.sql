-- Failed sign-ins, so that every thread and restart sees one count.
CREATE TABLE sign_in_failures (
  bucket     BLOB PRIMARY KEY,
  failures   INTEGER NOT NULL,
  ends_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_failures_by_end ON sign_in_failures (ends_at_ms);
