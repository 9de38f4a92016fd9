/** A store that an earlier release wrote is brought to this version, and loses nothing. */
import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { basename, dirname } from "node:path"
import { accountRecord, addUsage, put } from "../../../tests/contracts/store-records.ts"
import { sqliteFile } from "../../../tests/harness/stores/new-stores.ts"
import { createSqlitePaths } from "../../../tests/harness/stores/sqlite-paths.ts"
import type { FoundItems } from "../../domain/catalogue/item-search.ts"
import { commandLine } from "../../domain/sign-in/audit-event.ts"
import type { Store } from "../../domain/store.ts"
import { MigrationNeeded, NotOurs, type OnMigration } from "../sql/migrate.ts"
import { versionsOf } from "./connection/connection.ts"
import { migrateSqlite } from "./migrate.ts"
import { migrations } from "./migrations/migrations.ts"
import initial from "./migrations/until-0.8/0001-initial.sql" with { type: "text" }
import { openSqlite } from "./store.ts"

const freshPath = createSqlitePaths()

const adaBody = '{"username":"ada","email":"Ada@Example.com","name":{"full_name":"Ada Yılmaz 🎈"}}'
const bobBody = '{"username":"bob","email":"bob@example.com"}'
const themeBody = '{"id":1,"name":"Koyu Tema","price":{"regular":19.99,"extended":199}}'
const soundBody = '{"id":2,"name":"Rain","price":{"regular":5,"extended":50}}'
/** All have one checksum, of which later releases make rowids. */
const alike = ["plumless", "buckeroo", "PLUMLESS"]
const lookup = new TextEncoder().encode("look-up")

/** Written with the first release's schema and plain SQL: none of today's code has touched it. */
function writeVersionOne(change = ""): string {
  const path = freshPath()
  const db = new Database(path, { create: true, strict: true })
  db.run("PRAGMA journal_mode = WAL")
  db.run(initial)
  const account = db.query("INSERT INTO accounts VALUES (?, ?, ?, ?)")
  account.run(1, "ada", "list-1", adaBody)
  account.run(2, "bob", "list-2", bobBody)
  const item = db.query("INSERT INTO items VALUES (?, ?, ?, ?)")
  item.run(1, 1, 0, themeBody)
  item.run(2, 1, 1, soundBody)
  const purchase = db.query("INSERT INTO purchases VALUES (?, ?, 1, ?, ?, ?)")
  purchase.run(1, "abc", 0, '{"item":', "}")
  for (const [at, code] of alike.entries())
    purchase.run(at + 2, code, at % 2, `{"n":${at},"item":`, "}")
  db.query(
    `INSERT INTO api_keys VALUES ('key_1', 1, 'vk', 'Anahtar', '[1]', ?, ?,
       '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z', NULL)`,
  ).run(lookup, new Uint8Array([1, 2, 3]))
  db.run("INSERT INTO marks VALUES ('canary', 'sings')")
  db.run("INSERT INTO imports VALUES (1, 'a file', 7, '2026-01-01T00:00:00Z', NULL)")
  if (change !== "") db.run(change)
  db.run("PRAGMA user_version = 1")
  db.close()
  return path
}

async function withStore<T>(path: string, use: (store: Store) => Promise<T>): Promise<T> {
  await migrateSqlite(path, () => {})
  const store = await openSqlite(sqliteFile(path), "command")
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

function inspect<T>(path: string, look: (db: Database) => T): T {
  const db = new Database(path)
  try {
    return look(db)
  } finally {
    db.close()
  }
}

const versionOf = (db: Database) => versionsOf(db).version
const newest = migrations.at(-1)?.version ?? 0
const tables = ["accounts", "items", "purchases", "api_keys", "marks", "imports"]
const rowsOf = (db: Database) =>
  tables.map((table) => db.query(`SELECT * FROM ${table} ORDER BY 1`).values())

const theme = { id: 1, accountId: 1, isHidden: false, body: themeBody }
const sound = { id: 2, accountId: 1, isHidden: true, body: soundBody }
const idsOf = ({ items }: FoundItems) => items.map(({ id }) => id)

describe("a store of schema version 1", () => {
  test("is not opened, and stays as it is", async () => {
    const path = writeVersionOne()
    await expect(openSqlite(sqliteFile(path), "command")).rejects.toThrow(MigrationNeeded)
    expect(inspect(path, versionOf)).toBe(1)
  })

  test("is brought to today's version by a migration, once", async () => {
    const path = writeVersionOne()
    const copy = `${path}.before-${newest}`
    const tell = (...words: Parameters<OnMigration>) => told.push(words)
    const told: unknown[] = []
    expect(await migrateSqlite(path, tell)).toEqual({ from: 1, to: newest, copy })
    expect(await migrateSqlite(path, tell)).toEqual({ from: newest, to: newest, copy: null })
    expect(inspect(path, versionOf)).toBe(newest)
    expect(told).toEqual([[1, newest, "others must stop"]])
  })

  test("is first copied beside itself, for its owner's eyes, and no copy is written over", async () => {
    const path = writeVersionOne("DELETE FROM imports")
    const copy = `${path}.before-${newest}`
    const firstRows = inspect(path, rowsOf)
    await migrateSqlite(path, () => {})
    expect(inspect(copy, rowsOf)).toEqual(firstRows)
    expect(inspect(copy, versionOf)).toBe(1)
    expect(statSync(copy).mode & 0o777).toBe(0o600)

    rmSync(path)
    inspect(copy, (db) => db.query("VACUUM INTO ?").run(path))
    expect((await migrateSqlite(path, () => {})).copy).toBe(`${copy}-2`)
    expect(inspect(copy, rowsOf)).toEqual(firstRows)
    const beside = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))
    expect(beside.filter((name) => name.includes("unfinished"))).toEqual([])
  })

  test("never gives the id of a deleted account to another one", async () => {
    await withStore(writeVersionOne(), async (store) => {
      await put(store, accountRecord("cem"))
      const cem = await store.accounts.findByUsername("cem")
      await put(store, { type: "deleted account", username: "cem" }, accountRecord("dora"))
      const dora = await store.accounts.findByUsername("dora")
      expect([cem?.id, dora?.id]).toEqual([3, 4])
    })
  })

  test("keeps its data", async () => {
    const kept = await withStore(writeVersionOne(), async (store) => ({
      accounts: await store.accounts.list("", 10),
      items: [await store.items.find(1, 1), await store.items.find(1, 2)],
      listVersion: (await store.items.findList(1))?.version,
      purchases: await store.purchases.listByCode(1, "ABC"),
      key: await store.keys.findByLookup(lookup),
      keyName: (await store.keys.find("key_1"))?.name,
      canary: await store.metadata.find("canary"),
      run: await store.feed.findLastRun("a file"),
    }))
    expect(kept).toEqual({
      accounts: [
        { id: 1, username: "ada", body: adaBody, isSuspended: false },
        { id: 2, username: "bob", body: bobBody, isSuspended: false },
      ],
      items: [theme, sound],
      listVersion: "list-1",
      purchases: [
        {
          code: "abc",
          accountId: 1,
          itemId: 1,
          isRevoked: false,
          body: `{"item":${themeBody}}`,
          buyer: null,
          siteLimits: null,
          site: null,
          siteLastDay: null,
        },
      ],
      key: {
        id: "key_1",
        accountId: 1,
        kind: "vk",
        itemIds: [1],
        expiresAt: "2027-01-01T00:00:00Z",
        revokedAt: null,
        isAccountSuspended: false,
      },
      keyName: "Anahtar",
      canary: "sings",
      run: {
        id: 1,
        source: "a file",
        via: "file",
        line: 7,
        startedAt: "2026-01-01T00:00:00Z",
        finishedAt: null,
        outcome: null,
        problem: null,
      },
    })
  })

  test("keeps codes with one checksum apart", async () => {
    const found = await withStore(writeVersionOne(), async ({ purchases }) => [
      ...(await purchases.listByCode(1, "plumless")),
      ...(await purchases.listByCode(1, "buckeroo")),
    ])
    const text = (n: number) => `{"n":${n},"item":${themeBody}}`
    expect(found.map(({ code, isRevoked, body }) => [code, isRevoked, body])).toEqual([
      ["plumless", false, text(0)],
      ["PLUMLESS", false, text(2)],
      ["buckeroo", true, text(1)],
    ])
  })

  test("has its items searched by name and sorted by price, its accounts found by e-mail", async () => {
    const found = await withStore(writeVersionOne(), async ({ accounts, itemSearch }) => ({
      byName: idsOf(
        await itemSearch.search(1, { text: "tema", sort: "newest", offset: 0, rowsMax: 10 }),
      ),
      byPrice: idsOf(
        await itemSearch.search(1, { text: "", sort: "price", offset: 0, rowsMax: 10 }),
      ),
      byEmail: await accounts.listByEmail("ada@example.COM", 2),
    }))
    expect(found).toEqual({
      byName: [theme.id],
      byPrice: [sound.id, theme.id],
      byEmail: [{ id: 1, username: "ada", body: adaBody, isSuspended: false }],
    })
  })

  test("can be signed in to and counted in, like a new one", async () => {
    const at = "2026-06-15T12:00:00Z"
    const seen = await withStore(writeVersionOne(), async (store) => {
      await store.passwords.put(1, "$hash")
      const calls = { keyId: "key_1", operation: "read_item", outcome: "ok", calls: 3 } as const
      await addUsage(
        store,
        [{ ...calls, hour: at }],
        [{ keyId: "key_1", network: "192.0.2.0/24", lastUsedAt: at }],
      )
      return {
        hash: await store.passwords.find(1),
        lastUsedAt: (await store.usage.listByKeys(["key_1"], at)).map(
          ({ lastUsedAt }) => lastUsedAt,
        ),
      }
    })
    expect(seen).toEqual({ hash: "$hash", lastUsedAt: [at] })
  })
})

test("items that an earlier release wrote are sorted by the day they were published", async () => {
  const path = writeVersionOne(
    `UPDATE items SET body = json_set(body, '$.published_at',
       CASE id WHEN 1 THEN '2026-02-01T00:00:00Z' ELSE '2026-01-01T00:00:00Z' END)`,
  )
  const query = { text: "", sort: "newest", offset: 0, rowsMax: 10 } as const
  const found = await withStore(path, ({ itemSearch }) => itemSearch.search(1, query))
  expect(idsOf(found)).toEqual([1, 2])
})

test("events of keys go on in the audit, with who did it", async () => {
  const path = writeVersionOne()
  inspect(path, (db) => {
    for (const { version, sql, prepare } of migrations.slice(1)) {
      if (version > 14) break
      prepare?.(db)
      db.run(sql)
    }
    const event = db.query("INSERT INTO key_events VALUES (?, 1, 'key_1', 'Shop', ?, ?, ?)")
    event.run(3, "created", "2026-01-01T00:00:00Z", "operator")
    event.run(7, "revealed", "2026-01-02T00:00:00Z", "192.0.2.0/24")
    db.run("PRAGMA user_version = 14")
  })
  const events = await withStore(path, async ({ audit }) => {
    await audit.insert({ ...revoked, actor: commandLine })
    return audit.list({ accountId: 1, kind: "key" }, null, 10)
  })
  const account = { id: 1, username: "ada" }
  const subject = {
    kind: "key",
    account,
    subjectId: "key_1",
    subjectName: "Shop",
    count: 1,
  } as const
  const ada = { kind: "author", name: "ada", network: "192.0.2.0/24" } as const
  expect(events).toEqual([
    { ...revoked, id: 8, actor: commandLine },
    { ...subject, id: 7, at: "2026-01-02T00:00:00Z", action: "revealed", actor: ada },
    { ...subject, id: 3, at: "2026-01-01T00:00:00Z", action: "created", actor: commandLine },
  ])
})

const revoked = {
  at: "2026-01-03T00:00:00Z",
  kind: "key",
  action: "revoked",
  account: { id: 1, username: "ada" },
  subjectId: "key_1",
  subjectName: "Shop",
  count: 1,
} as const

test("a suspension and a refund that the audit has of an operator stay one's word", async () => {
  const path = writeVersionOne()
  inspect(path, (db) => {
    const own = migrations.findIndex(({ sql }) => sql.includes("feed_suspended"))
    const before = migrations.slice(0, own)
    for (const { version, sql, prepare } of before) {
      if (version === 1) continue
      prepare?.(db)
      db.run(sql)
    }
    db.run("UPDATE accounts SET suspended = 1")
    db.run("UPDATE purchases SET revoked = 1")
    const event = db.query(
      `INSERT INTO audit_events (at, actor_kind, actor_name, network, kind, action, account_id, subject_id, subject_name)
       VALUES ('2026-01-01T00:00:00Z', 'operator', 'x', '', ?, ?, ?, ?, '')`,
    )
    event.run("account", "resumed", 1, "ada")
    event.run("account", "suspended", 1, "ada")
    event.run("account", "suspended", 2, "bob")
    event.run("account", "resumed", 2, "bob")
    event.run("purchase", "refunded", 1, "plumless")
    db.run(`PRAGMA user_version = ${before.at(-1)?.version}`)
  })
  await withStore(path, async ({ operatorReads }) => {
    expect(await operatorReads.findSuspension(1)).toEqual({ isByFeed: false, isByOperator: true })
    expect(await operatorReads.findSuspension(2)).toEqual({ isByFeed: true, isByOperator: false })
    const sold = await operatorReads.listPurchases("plumless")
    expect(sold.map((each) => [each.code, each.isRevoked, each.isRevokedByOperator])).toEqual([
      ["plumless", true, true],
      ["PLUMLESS", true, false],
    ])
  })
})

test("a database of another program is left alone", async () => {
  const path = freshPath()
  const db = new Database(path, { create: true })
  db.run("CREATE TABLE recipes (name TEXT)")
  db.close()
  const before = readFileSync(path)
  await expect(openSqlite(sqliteFile(path), "command")).rejects.toThrow(MigrationNeeded)
  await expect(migrateSqlite(path, () => {})).rejects.toThrow(NotOurs)
  expect(readFileSync(path).equals(before)).toBe(true)
})

describe("a migration that fails half-way", () => {
  /** Blocks the last table that the second version creates. */
  const obstacle = "CREATE TABLE key_sightings (in_the_way TEXT)"
  const shapeOf = (db: Database) => ({
    version: versionOf(db),
    schema: db.query("SELECT type, name, sql FROM sqlite_schema ORDER BY name").values(),
    items: db.query("SELECT * FROM items ORDER BY id").values(),
  })

  test("leaves version 1 exactly as it was", async () => {
    const path = writeVersionOne(obstacle)
    const before = inspect(path, shapeOf)
    expect(before.version).toBe(1)
    await expect(migrateSqlite(path, () => {})).rejects.toThrow("key_sightings")
    expect(inspect(path, shapeOf)).toEqual(before)
  })

  test("is made up for once the obstacle is gone", async () => {
    const path = writeVersionOne(obstacle)
    await expect(migrateSqlite(path, () => {})).rejects.toThrow("key_sightings")
    inspect(path, (db) => db.run("DROP TABLE key_sightings"))
    const query = { text: "rain", sort: "newest", offset: 0, rowsMax: 10 } as const
    const found = await withStore(path, ({ itemSearch }) => itemSearch.search(1, query))
    expect(idsOf(found)).toEqual([sound.id])
  })
})
