-- The rows that changed while the store is moved: a table, and the key of the row as a JSON list of texts. Triggers
-- that a move makes and removes write it.
CREATE TABLE move_changes (
  source TEXT NOT NULL,
  key    TEXT NOT NULL
) STRICT;

-- The canaries of the master keys that a server has read.
ALTER TABLE nodes ADD COLUMN master_keys TEXT;
