-- How many sites each purchase of an item may be used on, in JSON; null for any number.
ALTER TABLE items ADD COLUMN site_limits text;

-- The sites that a purchase was let in on. `nth` is how many places it had with this one when it was added, 0 for a
-- test site: a purchase on n sites has a row whose `nth` is at least n, so that an index of few rows finds it.
CREATE TABLE purchase_sites (
  code      text COLLATE "C" NOT NULL REFERENCES purchases (code) ON DELETE CASCADE,
  site      text COLLATE "C" NOT NULL,
  item_id   bigint NOT NULL,
  first_day text COLLATE "C" NOT NULL,
  last_day  text COLLATE "C" NOT NULL,
  nth       integer NOT NULL,
  PRIMARY KEY (code, site)
);

CREATE INDEX purchase_sites_by_item ON purchase_sites (item_id, nth) WHERE nth > 1;

-- For authors with many items: next to no code is on so many sites.
CREATE INDEX purchase_sites_of_many ON purchase_sites (item_id) WHERE nth > 10;

-- Places that were given up by those who hold a key.
CREATE TABLE site_releases (
  code        text COLLATE "C" NOT NULL REFERENCES purchases (code) ON DELETE CASCADE,
  released_at text COLLATE "C" NOT NULL
);

CREATE INDEX site_releases_by_purchase ON site_releases (code, released_at);

-- The look-up of 0012, with the limits of the item and, where there are any, the last day of the site that asks. The
-- old one stays for programs that run on. The planner expects ten questions: without the setting it makes a new plan
-- for each smaller batch, which costs more than the look-up.
CREATE FUNCTION find_purchases(folded_codes text[], account_ids integer[], sites text[])
RETURNS TABLE (code text, account_id integer, item_id bigint, revoked boolean, body text, buyer text,
  site_limits text, site text, site_last_day text)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
  SELECT p.code, q.account_id, p.item_id, p.revoked, p.before_item || i.body || p.after_item, p.buyer,
    i.site_limits, q.site,
    CASE WHEN i.site_limits IS NOT NULL AND q.site IS NOT NULL THEN (
      SELECT s.last_day FROM purchase_sites s WHERE s.code = p.code AND s.site = q.site
    ) END
  FROM unnest(folded_codes, account_ids, sites) AS q (folded, account_id, site)
  CROSS JOIN LATERAL (
    SELECT * FROM purchases WHERE lower(purchases.code) = q.folded OFFSET 0
  ) p
  CROSS JOIN LATERAL (
    SELECT items.body, items.site_limits FROM items
    WHERE items.id = p.item_id AND items.account_id = q.account_id OFFSET 0
  ) i;
END
$$;
