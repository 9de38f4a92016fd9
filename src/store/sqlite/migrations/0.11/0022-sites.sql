-- How many sites each purchase of an item may be used on, in JSON; null for any number.
ALTER TABLE items ADD COLUMN site_limits TEXT;

-- The sites that a purchase was let in on. `nth` is how many places it had with this one when it was added, 0 for a
-- test site: a purchase on n sites has a row whose `nth` is at least n, so that an index of few rows finds it.
CREATE TABLE purchase_sites (
  place     INTEGER NOT NULL REFERENCES purchases (place) ON DELETE CASCADE,
  site      TEXT NOT NULL,
  item_id   INTEGER NOT NULL,
  first_day TEXT NOT NULL,
  last_day  TEXT NOT NULL,
  nth       INTEGER NOT NULL,
  PRIMARY KEY (place, site)
) STRICT, WITHOUT ROWID;

CREATE INDEX purchase_sites_by_item ON purchase_sites (item_id, nth) WHERE nth > 1;

-- For authors with many items: next to no code is on so many sites.
CREATE INDEX purchase_sites_of_many ON purchase_sites (item_id) WHERE nth > 10;

-- Places that were given up by those who hold a key.
CREATE TABLE site_releases (
  place       INTEGER NOT NULL REFERENCES purchases (place) ON DELETE CASCADE,
  released_at TEXT NOT NULL
) STRICT;

CREATE INDEX site_releases_by_purchase ON site_releases (place, released_at);
