-- The sales of an item by date. The date is the last member of `after_item`. Not a column: no row has to be written.
-- `revoked` is in it, so that days are counted without reading the rows.
CREATE INDEX purchases_by_date ON purchases (item_id, substr(after_item, -22, 20), revoked);

-- Whatever read by item finds the new index, programs of earlier versions too.
DROP INDEX purchases_by_item;

-- Few are refunded, so finding them must not pass over all others.
CREATE INDEX purchases_refunded ON purchases (item_id, substr(after_item, -22, 20)) WHERE revoked = 1;
