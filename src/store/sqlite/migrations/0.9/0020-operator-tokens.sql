-- Tokens for the operator's paths, as digests. The old one of a replaced token goes on until its moment.
CREATE TABLE operator_tokens (
  name           TEXT NOT NULL COLLATE NOCASE PRIMARY KEY CHECK (name <> ''),
  rights         TEXT NOT NULL,
  digest         BLOB NOT NULL,
  created_at     TEXT NOT NULL,
  old_digest     BLOB,
  old_expires_at TEXT
) STRICT, WITHOUT ROWID;

-- How many records, keys, passwords or accounts the event was about.
ALTER TABLE audit_events ADD COLUMN subject_count INTEGER NOT NULL DEFAULT 1;
