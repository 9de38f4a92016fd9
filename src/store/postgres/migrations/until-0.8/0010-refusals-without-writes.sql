-- A try that is refused writes nothing: the function looks first, without a lock, and only counts
-- where every bucket has a try left. A try that loses a race for the last one is the exception.
-- Each bucket has a window of its own length.
DROP FUNCTION take_sign_in_try;
CREATE FUNCTION take_sign_in_try(
  buckets bytea[], tries_max integer[], new_ends_ms bigint[], now_ms bigint
) RETURNS TABLE (place bigint, is_full boolean, ends_at_ms bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT place, true, ends_at_ms
  FROM ROWS FROM (unnest(buckets), unnest(tries_max)) WITH ORDINALITY AS given (bucket, tries, place)
  JOIN sign_in_failures USING (bucket)
  WHERE failures >= tries AND ends_at_ms > now_ms;
  IF FOUND THEN RETURN; END IF;
  -- Locks the rows, in the order they are given.
  INSERT INTO sign_in_failures AS kept
  SELECT bucket, 0, new_end_ms
  FROM ROWS FROM (unnest(buckets), unnest(new_ends_ms)) WITH ORDINALITY AS given (bucket, new_end_ms, place)
  ORDER BY place
  ON CONFLICT (bucket) DO UPDATE SET
    failures = CASE WHEN kept.ends_at_ms <= now_ms THEN 0 ELSE kept.failures END,
    ends_at_ms = CASE WHEN kept.ends_at_ms <= now_ms THEN excluded.ends_at_ms ELSE kept.ends_at_ms END;
  RETURN QUERY
  SELECT place, failures >= tries, ends_at_ms
  FROM ROWS FROM (unnest(buckets), unnest(tries_max)) WITH ORDINALITY AS given (bucket, tries, place)
  JOIN sign_in_failures USING (bucket);
  UPDATE sign_in_failures SET failures = failures + 1
  WHERE bucket = ANY (buckets) AND NOT EXISTS (
    SELECT 1 FROM ROWS FROM (unnest(buckets), unnest(tries_max)) AS given (bucket, tries)
    JOIN sign_in_failures kept USING (bucket) WHERE kept.failures >= tries
  );
END
$$;

-- Expired rows are removed in small batches; each batch finds its rows without a scan.
CREATE INDEX sessions_by_last_seen ON sessions (last_seen_at);
CREATE INDEX sessions_by_creation ON sessions (created_at);
CREATE INDEX invitations_by_end ON invitations (expires_at);
