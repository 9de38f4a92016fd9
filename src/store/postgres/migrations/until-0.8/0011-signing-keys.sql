-- The keys that sign answers (domain/signing-key.ts). `endorsements` is a JSON list.
CREATE TABLE signing_keys (
  place         integer PRIMARY KEY,
  id            text NOT NULL UNIQUE,
  state         text NOT NULL,
  public_key    text NOT NULL,
  sealed        bytea NOT NULL,
  endorsements  text NOT NULL,
  created_at    text COLLATE "C" NOT NULL,
  retired_until text COLLATE "C"
);

-- A server caches them, and learns of a change in the same way as of a changed API key.
CREATE TRIGGER signing_key_changed AFTER UPDATE OR DELETE ON signing_keys
  FOR EACH ROW EXECUTE FUNCTION note_key_change();
