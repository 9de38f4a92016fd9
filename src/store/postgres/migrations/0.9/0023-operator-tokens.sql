-- Tokens for the operator's paths, as digests. The old one of a replaced token goes on until its moment.
CREATE TABLE operator_tokens (
  name           text COLLATE "C" NOT NULL CHECK (name <> ''),
  rights         text NOT NULL,
  digest         bytea NOT NULL,
  created_at     text COLLATE "C" NOT NULL,
  old_digest     bytea,
  old_expires_at text COLLATE "C"
);

CREATE UNIQUE INDEX operator_tokens_by_name ON operator_tokens (lower(name));

-- How many records, keys, passwords or accounts the event was about.
ALTER TABLE audit_events ADD COLUMN subject_count bigint NOT NULL DEFAULT 1;
