-- The keys that sign answers (domain/signing-key.ts). `endorsements` is a JSON list.
CREATE TABLE signing_keys (
  place         INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  state         TEXT NOT NULL,
  public_key    TEXT NOT NULL,
  sealed        BLOB NOT NULL,
  endorsements  TEXT NOT NULL,
  created_at    TEXT NOT NULL,
  retired_until TEXT
) STRICT;

-- A server caches them.
CREATE TRIGGER signing_keys_inserted AFTER INSERT ON signing_keys
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;
CREATE TRIGGER signing_keys_updated AFTER UPDATE ON signing_keys
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;
CREATE TRIGGER signing_keys_deleted AFTER DELETE ON signing_keys
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;
