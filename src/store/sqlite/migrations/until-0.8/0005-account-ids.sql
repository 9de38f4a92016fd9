-- AUTOINCREMENT: the id of a deleted account is never given to another one, so nothing that still
-- holds an old id can reach somebody else's items.
CREATE TABLE numbered_accounts (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  username     TEXT NOT NULL UNIQUE CHECK (username <> ''),
  list_version TEXT NOT NULL,
  body         TEXT NOT NULL
) STRICT;

INSERT INTO numbered_accounts (id, username, list_version, body)
SELECT id, username, list_version, body FROM accounts ORDER BY id;

DROP TABLE accounts;
ALTER TABLE numbered_accounts RENAME TO accounts;
CREATE INDEX accounts_by_email ON accounts (lower(json_extract(body, '$.email')));
