/** A row that changed is never answered from the cache, whichever thread or process changed it. */
import { Database } from "bun:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  addUsage,
  itemRecord,
  purchaseRecord,
  put,
} from "../../../../tests/contracts/store-records.ts"
import { sqliteFile } from "../../../../tests/harness/stores/new-stores.ts"
import { createSqlitePaths } from "../../../../tests/harness/stores/sqlite-paths.ts"
import type { FeedRecord } from "../../../domain/feed/feed.ts"
import type { Store } from "../../../domain/store.ts"
import { createCacheCounts } from "../../../domain/usage/measures.ts"
import { createSharedState } from "../connection/shared-state.ts"
import { migrateSqlite } from "../migrate.ts"
import { openSqlite } from "../store.ts"
import { createRowCache } from "./row-cache.ts"

const freshPath = createSqlitePaths()

/** The cache checks once a millisecond for commits of other processes. */
async function beyondTheNextLook(): Promise<void> {
  const startMs = performance.now()
  while (performance.now() - startMs <= 2) await Bun.sleep(1)
}

let path: string
let ours: Store
let thread: Store
let command: Store
let ada: number
beforeEach(async () => {
  path = freshPath()
  await migrateSqlite(path, () => {})
  const shared = createSharedState()
  ours = await openSqlite({ path, shared }, "serve")
  thread = await openSqlite({ path, shared }, "serve")
  command = await openSqlite(sqliteFile(path), "command")
  await put(ours, accountRecord("ada"), itemRecord("ada", 7), purchaseRecord("abc", 7))
  ada = await accountId(ours, "ada")
})
afterEach(() => Promise.all([ours, thread, command].map((store) => store.close())))

/** The body of the account, whether item 7 is hidden, a purchase of it, and the version of the list. */
async function look() {
  const account = await ours.accounts.find(ada)
  const item = await ours.items.find(ada, 7)
  const [purchase] = await ours.purchases.listByCode(ada, "abc")
  const list = await ours.items.findList(ada)
  return {
    body: account?.body,
    isHidden: item?.isHidden,
    purchase: purchase?.body,
    version: list?.version,
  }
}

const changes: readonly FeedRecord[] = [
  accountRecord("ada", '{"changed":1}'),
  { type: "item", item: { id: 7, author: "ada", isHidden: true, body: '{"changed":7}' } },
]

async function expectNews(before: Awaited<ReturnType<typeof look>>): Promise<void> {
  const after = await look()
  expect(before.purchase).toBe('{"code":"abc","item":{"id":7}}')
  expect(after).toMatchObject({
    body: '{"changed":1}',
    isHidden: true,
    purchase: '{"code":"abc","item":{"changed":7}}',
  })
  expect(after.version).not.toBe(before.version)
}

describe("seen at once, in the very turn in which it was read before", () => {
  test("what this thread writes", async () => {
    const before = await look()
    await put(ours, ...changes)
    await expectNews(before)
  })

  test("what another thread writes", async () => {
    const before = await look()
    await put(thread, ...changes)
    await expectNews(before)
  })
})

test("seen a moment later: what another process writes", async () => {
  const before = await look()
  await put(command, ...changes)
  await beyondTheNextLook()
  await expectNews(before)
})

describe("a change of a cached table", () => {
  const columnsOf = (db: Database, table: string) =>
    db
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map(({ name }) => name)
  const countChanges = (db: Database) =>
    db.query<{ changes: number }, []>("SELECT changes FROM cached_rows").get()?.changes

  test.each(["accounts", "items"])("counts in each column of %s that is cached", (table) => {
    using db = new Database(path)
    const counted = columnsOf(db, table).filter((column) => {
      const before = countChanges(db)
      db.run(`UPDATE ${table} SET ${column} = ${column}`)
      return countChanges(db) !== before
    })
    const others = ["as_of", "feed_suspended", "site_limits"]
    expect(counted).toEqual(columnsOf(db, table).filter((column) => !others.includes(column)))
  })
})

test("an item that was read for its owner is nobody else's", async () => {
  await put(ours, accountRecord("bob"))
  const bob = await accountId(ours, "bob")
  expect(await ours.items.find(ada, 7)).toMatchObject({ id: 7 })
  expect(await ours.items.find(bob, 7)).toBe(null)
  expect(await ours.items.find(ada, 7)).toMatchObject({ id: 7 })
  expect(await ours.purchases.listByCode(bob, "abc")).toEqual([])
})

test("the same row is not read twice while nothing changes", async () => {
  expect(await ours.items.find(ada, 7)).toBe(await ours.items.find(ada, 7))
})

/** Writes that happen all the time, and change no row that is cached. */
async function writeBeside(store: Store): Promise<void> {
  const bucket = new TextEncoder().encode("a network")
  const taken = await store.signInFailures.take([{ bucket, triesMax: 9, endsAtMs: 600 }], 0)
  if (taken.isTaken) await store.signInFailures.giveBack(taken.windows)
  await store.signInFailures.forget(600, 100)
  await store.passwords.put(ada, "$hash")
  const at = "2026-06-01T08:00:00Z"
  const moments = { createdAt: at, lastSeenAt: at, confirmedAt: at }
  const session = { id: "one", ownerId: ada, ...moments, network: "", device: "" }
  await store.sessions.insert(bucket, session, "$hash")
  await store.sessions.touch("one", at)
  await addUsage(store, [], [])
  await put(store, purchaseRecord("another", 7))
}

describe("a row stays cached", () => {
  const writers = [
    ["this thread", () => ours],
    ["another thread", () => thread],
    ["another process", () => command],
  ] as const
  test.each(writers)("while sign-ins, sessions and sales are written by %s", async (_, writer) => {
    await writeBeside(writer())
    await beyondTheNextLook()
    const before = await ours.items.find(ada, 7)
    await writeBeside(writer())
    await beyondTheNextLook()
    expect(await ours.items.find(ada, 7)).toBe(before)
  })
})

describe("a change that somebody makes by hand is seen", () => {
  const statements = [
    "UPDATE items SET hidden = 1",
    "UPDATE accounts SET body = '{}'",
    "INSERT INTO items (id, account_id, hidden, body) SELECT 8, id, 0, '{}' FROM accounts",
    "INSERT INTO accounts (username, list_version, body) VALUES ('bob', '', '{}')",
    "DELETE FROM purchases; DELETE FROM items",
    "DELETE FROM purchases; DELETE FROM items; DELETE FROM accounts",
  ]
  test.each(statements)("%s", async (statement) => {
    const before = await ours.items.find(ada, 7)
    expect(await ours.items.find(ada, 7)).toBe(before)
    const shell = new Database(path)
    shell.run("PRAGMA foreign_keys = ON")
    shell.run(statement)
    shell.close()
    await beyondTheNextLook()
    expect(await ours.items.find(ada, 7)).not.toBe(before)
  })
})

describe("a cache", () => {
  /** A cache of texts of the given length, and the ids that were loaded, in order. */
  function openCache(length: (id: number) => number, letter = "x", changeCount = () => 0) {
    const cache = createRowCache<string>(changeCount, createCacheCounts(), (row) => row)
    const loaded: number[] = []
    const get = (id: number) => {
      if (cache.find(id) !== null) return
      loaded.push(id)
      cache.put(id, letter.repeat(length(id)))
    }
    return { get, loaded }
  }
  const ids = [1, 2, 3, 4]

  test.each([
    ["of one byte a letter", 1024 ** 2, "x"],
    ["of two bytes a letter", 1024 ** 2 / 2, "ş"],
  ])("holds as many texts %s as there is room for", (_, letters, letter) => {
    const { get, loaded } = openCache(() => letters, letter)
    for (const id of ids) get(id)
    for (const id of ids) get(id)
    expect(loaded).toEqual([1, 2, 3, 4, 4])
  })

  test("is empty after a change", () => {
    let changes = 0
    const large = 4 * 1024 ** 2 - 400
    const { get, loaded } = openCache(
      (id) => (id === 1 ? large : 1),
      "x",
      () => changes,
    )
    for (const id of [1, 2, 1, 2]) get(id)
    expect(loaded).toEqual([1, 2, 2])
    changes += 1
    for (const id of [2, 2, 1]) get(id)
    expect(loaded).toEqual([1, 2, 2, 2, 1])
  })

  test("has no row that was not put", () => {
    const counts = createCacheCounts()
    const cache = createRowCache<string>(
      () => 0,
      counts,
      (row) => row,
    )
    expect(cache.find(1)).toBeNull()
    cache.put(1, "row")
    expect([cache.find(1), cache.find(2)]).toEqual(["row", null])
    expect(counts).toEqual({ hits: 1, misses: 2 })
  })
})
