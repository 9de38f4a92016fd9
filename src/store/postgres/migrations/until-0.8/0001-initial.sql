-- Rows hold the contract's JSON text beside the columns they are found by, as in the SQLite schema.
-- The "C" collation compares bytes and folds ASCII letters only, which is the contract's rule.

CREATE TABLE marks (
  name  text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE accounts (
  id           integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username     text COLLATE "C" NOT NULL UNIQUE CHECK (username <> ''),
  list_version text NOT NULL,
  body         text NOT NULL
);

CREATE TABLE items (
  id         bigint PRIMARY KEY CHECK (id > 0),
  account_id integer NOT NULL REFERENCES accounts (id),
  hidden     boolean NOT NULL,
  body       text NOT NULL
);

CREATE INDEX items_by_account ON items (account_id, hidden, id);

CREATE TABLE purchases (
  code        text COLLATE "C" NOT NULL CHECK (code <> ''),
  item_id     bigint NOT NULL REFERENCES items (id),
  revoked     boolean NOT NULL,
  before_item text NOT NULL,
  after_item  text NOT NULL
);

CREATE UNIQUE INDEX purchases_by_code ON purchases (lower(code), code);
CREATE INDEX purchases_by_item ON purchases (item_id);

CREATE TABLE api_keys (
  id         text PRIMARY KEY,
  account_id integer NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind       text NOT NULL CHECK (kind IN ('sk', 'vk', 'tk', 'imported')),
  name       text NOT NULL,
  -- A JSON list of ids; null means all. Not a table: an item that goes must not widen the choice.
  item_ids   text,
  lookup     bytea NOT NULL UNIQUE,
  sealed     bytea NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  expires_at text COLLATE "C",
  revoked_at text COLLATE "C",
  serial     bigint GENERATED ALWAYS AS IDENTITY
);

CREATE INDEX api_keys_by_account ON api_keys (account_id);

CREATE TABLE imports (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source      text NOT NULL,
  line        bigint NOT NULL,
  started_at  text NOT NULL,
  finished_at text
);

CREATE INDEX imports_by_source ON imports (source, id);

-- A batch of the feed in one round trip: takes the records in order and answers each with null or
-- why it was refused. Migration 8 removes it.
CREATE FUNCTION put_feed(records jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  entry   jsonb;
  fate    jsonb;
  fates   jsonb[] := '{}';
  changed integer[] := '{}';
  owner   integer;
  holder  integer;
  kept    record;
BEGIN
  FOR entry IN SELECT value FROM jsonb_array_elements(records) LOOP
    fate := 'null';
    CASE entry ->> 'type'
    WHEN 'account' THEN
      SELECT id, body INTO kept FROM accounts WHERE username = entry ->> 'username';
      holder := NULL;
      IF entry -> 'key' <> 'null' THEN
        SELECT account_id INTO holder FROM api_keys
        WHERE lookup = decode(entry #>> '{key,lookup}', 'hex');
      END IF;
      IF holder IS NOT NULL AND holder IS DISTINCT FROM kept.id THEN
        fate := '{"member": "api_key", "reason": "belongs to another account"}';
      ELSE
        owner := kept.id;
        IF owner IS NULL THEN
          INSERT INTO accounts (username, list_version, body)
          VALUES (entry ->> 'username', gen_random_uuid(), entry ->> 'body') RETURNING id INTO owner;
        ELSIF kept.body <> entry ->> 'body' THEN
          UPDATE accounts SET body = entry ->> 'body' WHERE id = owner;
        END IF;
        IF entry -> 'key' <> 'null' AND holder IS NULL THEN
          INSERT INTO api_keys (id, account_id, kind, name, lookup, sealed, created_at)
          VALUES (entry #>> '{key,id}', owner, entry #>> '{key,kind}', entry #>> '{key,name}',
            decode(entry #>> '{key,lookup}', 'hex'), decode(entry #>> '{key,sealed}', 'hex'),
            entry #>> '{key,createdAt}');
        END IF;
      END IF;
    WHEN 'item' THEN
      SELECT id INTO owner FROM accounts WHERE username = entry ->> 'author';
      SELECT account_id, hidden, body INTO kept FROM items WHERE id = (entry ->> 'id')::bigint;
      IF owner IS NULL THEN
        fate := jsonb_build_object('member', 'author',
          'reason', 'there is no account ' || (entry ->> 'author'));
      ELSIF kept.account_id IS DISTINCT FROM owner AND kept.account_id IS NOT NULL THEN
        fate := jsonb_build_object('member', 'author',
          'reason', 'item ' || (entry ->> 'id') || ' belongs to another author');
      ELSIF kept.account_id IS NULL THEN
        INSERT INTO items (id, account_id, hidden, body)
        VALUES ((entry ->> 'id')::bigint, owner, (entry ->> 'isHidden')::boolean, entry ->> 'body');
        changed := changed || owner;
      ELSIF kept.body <> entry ->> 'body' OR kept.hidden <> (entry ->> 'isHidden')::boolean THEN
        UPDATE items SET hidden = (entry ->> 'isHidden')::boolean, body = entry ->> 'body'
        WHERE id = (entry ->> 'id')::bigint;
        changed := changed || owner;
      END IF;
    WHEN 'purchase' THEN
      INSERT INTO purchases (code, item_id, revoked, before_item, after_item)
      SELECT entry ->> 'code', id, (entry ->> 'isRevoked')::boolean,
        entry ->> 'beforeItem', entry ->> 'afterItem'
      FROM items WHERE id = (entry ->> 'itemId')::bigint
      ON CONFLICT DO NOTHING;
      IF NOT FOUND THEN
        SELECT item_id, revoked, before_item, after_item INTO kept FROM purchases
        WHERE lower(code) = lower((entry ->> 'code') COLLATE "C") AND code = entry ->> 'code';
        IF NOT FOUND THEN
          fate := jsonb_build_object('member', 'item_id',
            'reason', 'there is no item ' || (entry ->> 'itemId'));
        ELSIF kept.item_id <> (entry ->> 'itemId')::bigint THEN
          fate := jsonb_build_object('member', 'item_id',
            'reason', 'this code was sold for item ' || kept.item_id);
        ELSIF kept.revoked <> (entry ->> 'isRevoked')::boolean
          OR kept.before_item <> entry ->> 'beforeItem' OR kept.after_item <> entry ->> 'afterItem' THEN
          UPDATE purchases SET revoked = (entry ->> 'isRevoked')::boolean,
            before_item = entry ->> 'beforeItem', after_item = entry ->> 'afterItem'
          WHERE lower(code) = lower((entry ->> 'code') COLLATE "C") AND code = entry ->> 'code';
        END IF;
      END IF;
    WHEN 'deleted account' THEN
      SELECT id INTO owner FROM accounts WHERE username = entry ->> 'username';
      IF EXISTS (SELECT 1 FROM items WHERE account_id = owner) THEN
        fate := '{"member": "username", "reason": "still has items"}';
      ELSE
        DELETE FROM accounts WHERE id = owner;
      END IF;
    WHEN 'deleted item' THEN
      IF EXISTS (SELECT 1 FROM purchases WHERE item_id = (entry ->> 'id')::bigint) THEN
        fate := jsonb_build_object('member', 'id',
          'reason', 'item ' || (entry ->> 'id') || ' still has purchases');
      ELSE
        DELETE FROM items WHERE id = (entry ->> 'id')::bigint RETURNING account_id INTO owner;
        IF FOUND THEN changed := changed || owner; END IF;
      END IF;
    WHEN 'deleted purchase' THEN
      DELETE FROM purchases
      WHERE lower(code) = lower((entry ->> 'code') COLLATE "C") AND code = entry ->> 'code';
    END CASE;
    fates := fates || fate;
  END LOOP;
  UPDATE accounts SET list_version = gen_random_uuid() WHERE id = ANY (changed);
  RETURN to_jsonb(fates);
END
$$;
