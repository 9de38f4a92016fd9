-- Counts the changes of every table whose rows a server caches. Other tables (failed sign-ins, sessions,
-- usage, purchases) change often and must not empty the caches. Triggers, so that a change made
-- by hand counts too.
CREATE TABLE cached_rows (changes INTEGER NOT NULL) STRICT;
INSERT INTO cached_rows VALUES (0);

CREATE TRIGGER accounts_inserted AFTER INSERT ON accounts
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;
CREATE TRIGGER accounts_updated AFTER UPDATE ON accounts
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;
CREATE TRIGGER accounts_deleted AFTER DELETE ON accounts
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;

CREATE TRIGGER items_inserted AFTER INSERT ON items
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;
CREATE TRIGGER items_updated AFTER UPDATE ON items
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;
CREATE TRIGGER items_deleted AFTER DELETE ON items
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;

CREATE TRIGGER api_keys_inserted AFTER INSERT ON api_keys
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;
CREATE TRIGGER api_keys_updated AFTER UPDATE ON api_keys
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;
CREATE TRIGGER api_keys_deleted AFTER DELETE ON api_keys
  BEGIN UPDATE cached_rows SET changes = changes + 1; END;

-- Expired rows are removed in small batches; each batch finds its rows without a scan.
CREATE INDEX sessions_by_last_seen ON sessions (last_seen_at);
CREATE INDEX sessions_by_creation ON sessions (created_at);
CREATE INDEX invitations_by_end ON invitations (expires_at);
