-- The sales of an item by date, as in the SQLite schema. The date is the last member of `after_item`. The last column
-- puts sales of the same second in an order; it is a hash, because a code must not be in the address of a page.
CREATE INDEX CONCURRENTLY purchases_by_date ON purchases (
  item_id, (left(right(after_item, 22), 20) COLLATE "C"), revoked,
  (lpad(to_hex(hashtextextended(code, 0)), 16, '0') COLLATE "C")
);

-- Whatever read by item finds the new index, programs of earlier versions too. Beside the old one, the planner would take
-- that and sort, which takes a second for an item with many sales.
DROP INDEX purchases_by_item;

-- Few are refunded, so finding them must not pass over all others.
CREATE INDEX CONCURRENTLY purchases_refunded ON purchases (
  item_id, (left(right(after_item, 22), 20) COLLATE "C"), revoked,
  (lpad(to_hex(hashtextextended(code, 0)), 16, '0') COLLATE "C")
) WHERE revoked;
