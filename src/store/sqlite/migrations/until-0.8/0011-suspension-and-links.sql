ALTER TABLE accounts ADD COLUMN suspended INTEGER NOT NULL DEFAULT 0 CHECK (suspended IN (0, 1));

-- An author may type the username in any case. NOCASE folds ASCII letters and nothing else.
CREATE INDEX accounts_by_folded_name ON accounts (username COLLATE NOCASE);

-- Links that sign an author in once, made for the operator's own site.
CREATE TABLE sign_in_links (
  token_digest BLOB PRIMARY KEY,
  account_id   INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  expires_at   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_links_by_account ON sign_in_links (account_id);
CREATE INDEX sign_in_links_by_end ON sign_in_links (expires_at);
