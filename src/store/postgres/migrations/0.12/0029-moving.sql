-- The rows that changed while the store is moved: a table, and the key of the row as a JSON list of texts. Triggers
-- that a move makes and removes write it; their arguments are the columns of the key.
CREATE TABLE move_changes (
  source text NOT NULL,
  key    text NOT NULL
);

CREATE FUNCTION note_move_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO move_changes (source, key)
  SELECT DISTINCT TG_TABLE_NAME, (
    SELECT json_agg(changed.cells ->> named.name ORDER BY named.place)::text
    FROM unnest(TG_ARGV) WITH ORDINALITY AS named (name, place)
  )
  FROM (VALUES (to_jsonb(OLD)), (to_jsonb(NEW))) AS changed (cells)
  WHERE changed.cells IS NOT NULL;
  RETURN NULL;
END
$$;

-- The canaries of the master keys that a server has read.
ALTER TABLE nodes ADD COLUMN master_keys text;
