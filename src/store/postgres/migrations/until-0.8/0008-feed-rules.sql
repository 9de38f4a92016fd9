-- The rules of the feed are decided in src/domain/feed-rules.ts, for both stores.
DROP FUNCTION put_feed_runs(jsonb);
DROP FUNCTION put_items(jsonb);
DROP FUNCTION put_purchases(jsonb);
DROP FUNCTION put_feed(jsonb);
