-- The buyer's name, which the contract does not have; null where the feed did not bring it.
ALTER TABLE purchases ADD COLUMN buyer text;

-- As in 0007, with the buyer. A function with another result has to be dropped first.
DROP FUNCTION find_purchases(text[], integer[]);
CREATE FUNCTION find_purchases(folded_codes text[], account_ids integer[])
RETURNS TABLE (code text, account_id integer, item_id bigint, revoked boolean, body text, buyer text)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  SELECT p.code, q.account_id, p.item_id, p.revoked, p.before_item || i.body || p.after_item, p.buyer
  FROM unnest(folded_codes, account_ids) AS q (folded, account_id)
  CROSS JOIN LATERAL (
    SELECT * FROM purchases WHERE lower(purchases.code) = q.folded OFFSET 0
  ) p
  CROSS JOIN LATERAL (
    SELECT items.body FROM items WHERE items.id = p.item_id AND items.account_id = q.account_id OFFSET 0
  ) i;
END
$$;
