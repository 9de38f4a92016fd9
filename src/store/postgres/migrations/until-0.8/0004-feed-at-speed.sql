-- A batch of the feed as runs: a run of purchases or of items, with identities of their own, is one
-- statement; put_feed takes mixed records one by one. Both give the same answers. A run that changes
-- nothing writes nothing. The caller holds the lock of the feed: no other feed writes meanwhile.
-- Migration 8 removes it.

CREATE FUNCTION put_purchases(records jsonb)
RETURNS TABLE ("at" bigint, member text, reason text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH judged AS (
    SELECT given.*, i.id AS found_item, p.item_id AS kept_item,
      (p.revoked, p.before_item, p.after_item)
        IS DISTINCT FROM (given.revoked, given.before_item, given.after_item) AS is_changed
    FROM ROWS FROM (jsonb_to_recordset(records) AS (
      code text, "itemId" bigint, "isRevoked" boolean, "beforeItem" text, "afterItem" text
    )) WITH ORDINALITY AS given (code, item_id, revoked, before_item, after_item, at)
    LEFT JOIN items i ON i.id = given.item_id
    LEFT JOIN purchases p
      ON lower(p.code) = lower(given.code COLLATE "C") AND p.code = given.code
  ), inserted AS (
    INSERT INTO purchases (code, item_id, revoked, before_item, after_item)
    SELECT code, found_item, revoked, before_item, after_item FROM judged
    WHERE kept_item IS NULL AND found_item IS NOT NULL
  ), updated AS (
    UPDATE purchases p
    SET revoked = j.revoked, before_item = j.before_item, after_item = j.after_item
    FROM judged j
    WHERE j.kept_item = j.item_id AND j.is_changed
      AND lower(p.code) = lower(j.code COLLATE "C") AND p.code = j.code
  )
  SELECT at, 'item_id', CASE WHEN kept_item IS NULL THEN 'there is no item ' || item_id
    ELSE 'this code was sold for item ' || kept_item END
  FROM judged WHERE coalesce(kept_item, found_item) IS DISTINCT FROM item_id;
END
$$;

CREATE FUNCTION put_items(records jsonb)
RETURNS TABLE ("at" bigint, member text, reason text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH judged AS (
    SELECT given.*, a.id AS owner, i.account_id AS kept_owner,
      (i.hidden, i.body) IS DISTINCT FROM (given.hidden, given.body) AS is_changed
    FROM ROWS FROM (jsonb_to_recordset(records) AS (
      id bigint, author text, "isHidden" boolean, body text
    )) WITH ORDINALITY AS given (id, author, hidden, body, at)
    LEFT JOIN accounts a ON a.username = given.author
    LEFT JOIN items i ON i.id = given.id
  ), inserted AS (
    INSERT INTO items (id, account_id, hidden, body)
    SELECT id, owner, hidden, body FROM judged WHERE owner IS NOT NULL AND kept_owner IS NULL
  ), updated AS (
    UPDATE items i SET hidden = j.hidden, body = j.body
    FROM judged j WHERE i.id = j.id AND j.kept_owner = j.owner AND j.is_changed
  ), renewed AS (
    UPDATE accounts SET list_version = gen_random_uuid() WHERE id IN (
      SELECT owner FROM judged WHERE coalesce(kept_owner, owner) = owner AND is_changed
    )
  )
  SELECT at, 'author', CASE WHEN owner IS NULL THEN 'there is no account ' || author
    ELSE 'item ' || id || ' belongs to another author' END
  FROM judged WHERE owner IS NULL OR kept_owner <> owner;
END
$$;

-- Answers with the refused records only, each with its place in the batch, counted from one. The
-- settings keep to the indexes: a plan that was made while the tables were empty would scan them.
CREATE FUNCTION put_feed_runs(runs jsonb)
RETURNS TABLE ("at" bigint, member text, reason text) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  run    jsonb;
  before bigint := 0;
BEGIN
  FOR run IN SELECT value FROM jsonb_array_elements(runs) LOOP
    CASE run ->> 'type'
    WHEN 'purchase' THEN
      RETURN QUERY SELECT before + at, member, reason FROM put_purchases(run -> 'records');
    WHEN 'item' THEN
      RETURN QUERY SELECT before + at, member, reason FROM put_items(run -> 'records');
    ELSE
      RETURN QUERY SELECT before + at, fate ->> 'member', fate ->> 'reason'
      FROM jsonb_array_elements(put_feed(run -> 'records')) WITH ORDINALITY AS fates (fate, at)
      WHERE fate <> 'null';
    END CASE;
    before := before + jsonb_array_length(run -> 'records');
  END LOOP;
END
$$;
