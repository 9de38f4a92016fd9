ALTER TABLE accounts ADD COLUMN suspended boolean NOT NULL DEFAULT false;

-- Nodes cache keys with the state of their account, so a suspension must reach them. It empties the whole
-- cache: listing the account's keys here would miss one that another transaction inserts meanwhile.
-- `note_key_change` removes old rows.
CREATE FUNCTION note_suspension() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_changes (key_id) VALUES ('all');
  RETURN NULL;
END
$$;

CREATE TRIGGER account_suspended AFTER UPDATE OF suspended ON accounts
  FOR EACH ROW WHEN (OLD.suspended <> NEW.suspended) EXECUTE FUNCTION note_suspension();

-- An author may type the username in any case. The column's collation "C" folds ASCII letters only.
CREATE INDEX accounts_by_folded_name ON accounts (lower(username));

-- Links that sign an author in once, made for the operator's own site.
CREATE TABLE sign_in_links (
  token_digest bytea PRIMARY KEY,
  account_id   integer NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  expires_at   text COLLATE "C" NOT NULL
);

CREATE INDEX sign_in_links_by_account ON sign_in_links (account_id);
CREATE INDEX sign_in_links_by_end ON sign_in_links (expires_at);
