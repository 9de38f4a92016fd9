-- Where events are sent. `account_id` is null for an endpoint of the operators, `events` for all of them. `waiting`
-- counts the messages that wait.
CREATE TABLE webhook_endpoints (
  id             text COLLATE "C" PRIMARY KEY,
  account_id     integer REFERENCES accounts (id) ON DELETE CASCADE,
  url            text COLLATE "C" NOT NULL,
  events         text COLLATE "C",
  created_at     text COLLATE "C" NOT NULL,
  sealed         bytea NOT NULL,
  old_sealed     bytea,
  old_until      text COLLATE "C",
  off_at         text COLLATE "C",
  off_reason     text COLLATE "C",
  removed_at     text COLLATE "C",
  waiting        integer NOT NULL DEFAULT 0,
  failing_since  bigint,
  tried_at       bigint NOT NULL DEFAULT 0
);

CREATE INDEX webhook_endpoints_by_account ON webhook_endpoints (account_id);

-- Every batch of a feed asks for the first endpoint that is on.
CREATE INDEX webhook_endpoints_on ON webhook_endpoints (created_at) WHERE off_at IS NULL AND removed_at IS NULL;

-- An event is kept once for all endpoints that are told of it. An event with a text in `once` is not made again.
CREATE TABLE webhook_events (
  id        text COLLATE "C" PRIMARY KEY,
  type      text COLLATE "C" NOT NULL,
  at        text COLLATE "C" NOT NULL,
  username  text COLLATE "C",
  data      text COLLATE "C" NOT NULL,
  is_sealed boolean NOT NULL,
  once      text COLLATE "C"
);

CREATE UNIQUE INDEX webhook_events_once ON webhook_events (once) WHERE once IS NOT NULL;
CREATE INDEX webhook_events_by_age ON webhook_events (at);

-- A message of an event to an endpoint, with its last try. A message that is sent is leased: `next_at` is then the end
-- of the lease.
CREATE TABLE webhook_messages (
  id          text COLLATE "C" PRIMARY KEY,
  endpoint_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  event_id    text COLLATE "C" NOT NULL,
  created_at  text COLLATE "C" NOT NULL,
  state       text COLLATE "C" NOT NULL,
  next_at     bigint NOT NULL,
  attempts    integer NOT NULL DEFAULT 0,
  tried_at    bigint,
  status      integer,
  problem     text COLLATE "C",
  answer      text COLLATE "C"
);

CREATE INDEX webhook_messages_due ON webhook_messages (endpoint_id, next_at) WHERE state = 'waiting';
CREATE INDEX webhook_messages_by_endpoint ON webhook_messages (endpoint_id, created_at, id);
CREATE INDEX webhook_messages_by_age ON webhook_messages (created_at);
