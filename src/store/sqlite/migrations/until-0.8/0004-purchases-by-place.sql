-- The rowid of a purchase is made of its code (purchase-rowids.ts), so that a look-up is one search by
-- number; through an index of codes it was two. `places` is written before this runs: the checksum of each code.
CREATE TABLE placed_purchases (
  place       INTEGER PRIMARY KEY,
  code        TEXT NOT NULL CHECK (code <> ''),
  item_id     INTEGER NOT NULL REFERENCES items (id),
  revoked     INTEGER NOT NULL CHECK (revoked IN (0, 1)),
  before_item TEXT NOT NULL,
  after_item  TEXT NOT NULL
) STRICT;

-- Counting sorts them by their places, so that rows are read in their old order and added in the new one:
-- in a transaction of gigabytes, every page that is read again is looked for in all of the log. CROSS keeps the
-- planner to it.
INSERT INTO placed_purchases (place, code, item_id, revoked, before_item, after_item)
SELECT checksum * 2097152 + row_number() OVER (PARTITION BY checksum ORDER BY id) - 1,
  code, item_id, revoked, before_item, after_item
FROM temp.places CROSS JOIN purchases USING (id);

DROP TABLE temp.places;
DROP TABLE purchases;
ALTER TABLE placed_purchases RENAME TO purchases;
CREATE INDEX purchases_by_item ON purchases (item_id);
