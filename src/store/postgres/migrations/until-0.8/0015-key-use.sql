-- The key that replaced this one; null for keys that were replaced before this column was there.
ALTER TABLE api_keys ADD COLUMN replaced_by text;

-- Calls of a key by network and operation. `is_estimate`: not every call was looked at.
CREATE TABLE network_calls (
  key_id      text NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  network     text NOT NULL,
  day         text COLLATE "C" NOT NULL,
  operation   text NOT NULL,
  calls       bigint NOT NULL,
  is_estimate boolean NOT NULL,
  PRIMARY KEY (key_id, network, day, operation)
);

-- Valid codes that a key asked for, by item. Item 0 stands for all items that were not counted apart.
CREATE TABLE item_calls (
  key_id  text NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  day     text COLLATE "C" NOT NULL,
  item_id bigint NOT NULL,
  calls   bigint NOT NULL,
  PRIMARY KEY (key_id, day, item_id)
);
