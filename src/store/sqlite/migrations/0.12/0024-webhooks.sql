-- Where events are sent. `account_id` is null for an endpoint of the operators, `events` for all of them. `waiting`
-- counts the messages that wait.
CREATE TABLE webhook_endpoints (
  id             TEXT PRIMARY KEY,
  account_id     INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
  url            TEXT NOT NULL,
  events         TEXT,
  created_at     TEXT NOT NULL,
  sealed         BLOB NOT NULL,
  old_sealed     BLOB,
  old_until      TEXT,
  off_at         TEXT,
  off_reason     TEXT,
  removed_at     TEXT,
  waiting        INTEGER NOT NULL DEFAULT 0,
  failing_since  INTEGER,
  tried_at       INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX webhook_endpoints_by_account ON webhook_endpoints (account_id);

-- Every batch of a feed asks for the first endpoint that is on.
CREATE INDEX webhook_endpoints_on ON webhook_endpoints (created_at) WHERE off_at IS NULL AND removed_at IS NULL;

-- An event is kept once for all endpoints that are told of it. An event with a text in `once` is not made again.
CREATE TABLE webhook_events (
  id        TEXT PRIMARY KEY,
  type      TEXT NOT NULL,
  at        TEXT NOT NULL,
  username  TEXT,
  data      TEXT NOT NULL,
  is_sealed INTEGER NOT NULL,
  once      TEXT
) STRICT;

CREATE UNIQUE INDEX webhook_events_once ON webhook_events (once) WHERE once IS NOT NULL;
CREATE INDEX webhook_events_by_age ON webhook_events (at);

-- A message of an event to an endpoint, with its last try. A message that is sent is leased: `next_at` is then the end
-- of the lease.
CREATE TABLE webhook_messages (
  id          TEXT PRIMARY KEY,
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  event_id    TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  state       TEXT NOT NULL,
  next_at     INTEGER NOT NULL,
  attempts    INTEGER NOT NULL DEFAULT 0,
  tried_at    INTEGER,
  status      INTEGER,
  problem     TEXT,
  answer      TEXT
) STRICT;

CREATE INDEX webhook_messages_due ON webhook_messages (endpoint_id, next_at) WHERE state = 'waiting';
CREATE INDEX webhook_messages_by_endpoint ON webhook_messages (endpoint_id, created_at, id);
CREATE INDEX webhook_messages_by_age ON webhook_messages (created_at);
