-- Failed sign-ins, so that every node and restart sees one count.
CREATE TABLE sign_in_failures (
  bucket     bytea PRIMARY KEY,
  failures   integer NOT NULL,
  ends_at_ms bigint NOT NULL
);

CREATE INDEX sign_in_failures_by_end ON sign_in_failures (ends_at_ms);

-- Counts one try in every bucket, or in none if one of them is full. One statement, so that nobody
-- waits for a round trip of ours; the first INSERT locks the rows, in the order they are given.
CREATE FUNCTION take_sign_in_try(
  buckets bytea[], tries_max integer[], now_ms bigint, new_end_ms bigint
) RETURNS TABLE (place bigint, is_full boolean, ends_at_ms bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO sign_in_failures AS kept
  SELECT bucket, 0, new_end_ms FROM unnest(buckets) WITH ORDINALITY AS given (bucket, place)
  ORDER BY place
  ON CONFLICT (bucket) DO UPDATE SET
    failures = CASE WHEN kept.ends_at_ms <= now_ms THEN 0 ELSE kept.failures END,
    ends_at_ms = CASE WHEN kept.ends_at_ms <= now_ms THEN new_end_ms ELSE kept.ends_at_ms END;
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
