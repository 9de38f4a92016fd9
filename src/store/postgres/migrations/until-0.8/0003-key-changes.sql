-- Which keys changed, for the nodes that remember them. A node asks for what its last snapshot did
-- not show: nothing is missed, whatever order transactions commit in, and no writer waits for another.

CREATE TABLE key_changes (
  xid    xid8 NOT NULL DEFAULT pg_current_xact_id(),
  key_id text NOT NULL,
  at     timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX key_changes_by_xid ON key_changes (xid);
CREATE INDEX key_changes_by_at ON key_changes (at);

-- A trigger, so that no way of changing a key can forget it: not the feed, not an operator's own SQL.
-- A node that was away for longer than is kept here forgets all it remembers.
CREATE FUNCTION note_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_changes (key_id) VALUES (OLD.id);
  DELETE FROM key_changes WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM key_changes WHERE at < now() - interval '1 hour' LIMIT 100 FOR UPDATE SKIP LOCKED
  ));
  RETURN NULL;
END
$$;

CREATE TRIGGER key_changed AFTER UPDATE OR DELETE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION note_key_change();
