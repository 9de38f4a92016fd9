-- The key that replaced this one; null for keys that were replaced before this column was there.
ALTER TABLE api_keys ADD COLUMN replaced_by TEXT;

-- Calls of a key by network and operation. `is_estimate`: not every call was looked at.
CREATE TABLE network_calls (
  key_id      TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  network     TEXT NOT NULL,
  day         TEXT NOT NULL,
  operation   TEXT NOT NULL,
  calls       INTEGER NOT NULL,
  is_estimate INTEGER NOT NULL,
  PRIMARY KEY (key_id, network, day, operation)
) STRICT, WITHOUT ROWID;

-- Valid codes that a key asked for, by item. Item 0 stands for all items that were not counted apart.
CREATE TABLE item_calls (
  key_id  TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  day     TEXT NOT NULL,
  item_id INTEGER NOT NULL,
  calls   INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, item_id)
) STRICT, WITHOUT ROWID;
