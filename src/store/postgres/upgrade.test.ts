/** A database that an earlier release wrote is brought to this version, and loses nothing. */
import { beforeAll, expect, test } from "bun:test"
import {
  askPostgres,
  type PostgresServer,
  sharePostgres,
} from "../../../tests/harness/stores/postgres.ts"
import { commandLine } from "../../domain/sign-in/audit-event.ts"
import { MigrationNeeded, type OnMigration } from "../sql/migrate.ts"
import { migratePostgres } from "./migrate.ts"
import { migrations } from "./migrations/migrations.ts"
import initial from "./migrations/until-0.8/0001-initial.sql" with { type: "text" }
import { openPostgres } from "./store.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await sharePostgres()
})

/** With the first release's schema and plain SQL: none of today's code has touched it. */
const versionOne = `
  CREATE TABLE schema_version (version integer NOT NULL);
  INSERT INTO schema_version VALUES (1);
  INSERT INTO accounts (username, list_version, body) VALUES ('ada', 'list-1', '{"username":"ada"}');
  INSERT INTO items (id, account_id, hidden, body)
    SELECT 7, id, false, '{"id":7,"name":"Koyu Tema","price":{"regular":5,"extended":50}}' FROM accounts;
  INSERT INTO items (id, account_id, hidden, body)
    SELECT 8, id, true, '{"id":8,"published_at":"2020-01-01T00:00:00Z"}' FROM accounts;
  UPDATE items SET body = replace(body, '"id":7', '"id":7,"published_at":"2026-01-01T00:00:00Z"') WHERE id = 7;
  INSERT INTO purchases VALUES ('Abc', 7, false, '{"item":', '}'), ('aBC', 7, true, '{"item":', '}');`

test("events of keys go on in the audit, with who did it", async () => {
  const url = await server.createDatabase()
  await askPostgres(url, initial)
  await askPostgres(url, versionOne)
  for (const { version, sql } of migrations) {
    if (version > 1 && version <= 17) await askPostgres(url, sql)
  }
  await askPostgres(
    url,
    `UPDATE schema_version SET version = 17;
     INSERT INTO key_events (account_id, key_id, key_name, action, at, source)
     SELECT id, 'key_1', 'Shop', 'created', '2026-01-01T00:00:00Z', 'operator' FROM accounts;
     INSERT INTO key_events (account_id, key_id, key_name, action, at, source)
     SELECT id, 'key_1', 'Shop', 'revealed', '2026-01-02T00:00:00Z', '192.0.2.0/24' FROM accounts`,
  )
  await migratePostgres(url, () => {})
  const store = await openPostgres({ url, replicaUrls: [], connectionsMax: 4 }, "command")
  const [old, older] = await store.audit.list({ accountId: null, kind: "key" }, null, 10)
  expect([older?.actor, old?.actor]).toEqual([
    commandLine,
    { kind: "author", name: "ada", network: "192.0.2.0/24" },
  ])
  expect([older?.action, old?.action]).toEqual(["created", "revealed"])
  const actor = commandLine
  if (old !== undefined) await store.audit.insert({ ...old, actor, account: null })
  expect((await store.audit.list({ accountId: null, kind: null }, null, 10)).length).toBe(3)
  await store.close()
})

test("a suspension and a refund that the audit has of an operator stay one's word", async () => {
  const url = await server.createDatabase()
  await askPostgres(url, initial)
  await askPostgres(url, versionOne)
  const own = migrations.findIndex(({ sql }) => sql.includes("feed_suspended"))
  const before = migrations.slice(0, own)
  for (const { version, sql } of before) if (version > 1) await askPostgres(url, sql)
  await askPostgres(
    url,
    `UPDATE schema_version SET version = ${before.at(-1)?.version};
     INSERT INTO accounts (username, list_version, body) VALUES ('bob', 'l', '{}'), ('cem', 'l', '{}');
     UPDATE accounts SET suspended = true;
     UPDATE purchases SET revoked = true;
     INSERT INTO audit_events (at, actor_kind, actor_name, network, kind, action, account_id, subject_id, subject_name)
     SELECT '2026-01-01T00:00:00Z', 'command', '', '', 'account', action, id, username, ''
     FROM accounts JOIN (VALUES (1, 'ada', 'resumed'), (2, 'ada', 'suspended'), (3, 'bob', 'suspended'),
       (4, 'bob', 'resumed')) AS events (at, username, action) USING (username) ORDER BY at;
     INSERT INTO audit_events (at, actor_kind, actor_name, network, kind, action, subject_id, subject_name)
     VALUES ('2026-01-01T00:00:00Z', 'operator', 'x', '', 'purchase', 'refunded', 'Abc', '')`,
  )
  await migratePostgres(url, () => {})
  const store = await openPostgres({ url, replicaUrls: [], connectionsMax: 4 }, "command")
  const words: unknown[] = []
  for (const { id, username } of await store.accounts.list("", 3)) {
    words.push([username, await store.operatorReads.findSuspension(id)])
  }
  expect(words).toEqual([
    ["ada", { isByFeed: false, isByOperator: true }],
    ["bob", { isByFeed: true, isByOperator: false }],
    ["cem", { isByFeed: true, isByOperator: false }],
  ])
  const sold = await store.operatorReads.listPurchases("abc")
  expect(sold.map((each) => [each.code, each.isRevoked, each.isRevokedByOperator]).sort()).toEqual([
    ["Abc", true, true],
    ["aBC", true, false],
  ])
  await store.close()
})

test("version 1 is brought to today's with all it holds, and whoever waits is told", async () => {
  const url = await server.createDatabase()
  await askPostgres(url, initial)
  await askPostgres(url, versionOne)
  const told: unknown[] = []
  const tell = (...words: Parameters<OnMigration>) => told.push(words)
  const address = { url, replicaUrls: [], connectionsMax: 4 }
  await expect(openPostgres(address, "command")).rejects.toThrow(MigrationNeeded)
  const newest = migrations.at(-1)?.version ?? 0
  expect(await migratePostgres(url, tell)).toEqual({ from: 1, to: newest, copy: null })
  const store = await openPostgres(address, "command")
  const [ada] = await store.accounts.list("", 10)
  const found = await store.purchases.listByCode(ada?.id ?? 0, "ABC")
  const newestFirst = { text: "", sort: "newest", offset: 0, rowsMax: 10 } as const
  const { items } = await store.itemSearch.search(ada?.id ?? 0, newestFirst)
  const itemBody =
    '{"id":7,"published_at":"2026-01-01T00:00:00Z","name":"Koyu Tema","price":{"regular":5,"extended":50}}'
  expect({
    told,
    username: ada?.username,
    item: (await store.items.find(ada?.id ?? 0, 7))?.body,
    newest: items.map(({ id }) => id),
    sold: found.map(({ code, isRevoked, body }) => [code, isRevoked, body]).sort(),
  }).toEqual({
    told: [[1, newest, "others must stop"]],
    username: "ada",
    item: itemBody,
    newest: [7, 8],
    sold: [
      ["Abc", false, `{"item":${itemBody}}`],
      ["aBC", true, `{"item":${itemBody}}`],
    ],
  })
  await store.close()
  expect(await migratePostgres(url, tell)).toEqual({ from: newest, to: newest, copy: null })
  expect(told.length).toBe(1)
})
