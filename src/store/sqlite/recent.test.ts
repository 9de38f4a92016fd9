/** What was read before is never answered again once it has changed, whoever changed it. */
import { Database } from "bun:sqlite"
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../tests/harness/program.ts"
import {
  accountId,
  accountRecord,
  itemRecord,
  keyRecord,
  purchaseRecord,
  put,
} from "../../../tests/harness/store-records.ts"
import type { FeedRecord } from "../../domain/feed.ts"
import type { Store } from "../../domain/store.ts"
import { createWriteCount } from "./database.ts"
import { migrateSqlite } from "./migrate.ts"
import { createRecent } from "./recent.ts"
import { openSqlite } from "./store.ts"

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true }))
let stores = 0

/** Commits of other processes are looked for once a millisecond. */
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
  path = join(folder, `${++stores}.db`)
  await migrateSqlite(path, () => {})
  const writes = createWriteCount()
  ours = await openSqlite(path, "serve", writes)
  thread = await openSqlite(path, "serve", writes)
  command = await openSqlite(path, "command")
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
    ...{ body: '{"changed":1}', isHidden: true },
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
  const session = { id: "one", accountId: ada, ...moments, network: "", device: "" }
  await store.sessions.insert(bucket, session, "$hash")
  await store.sessions.touch("one", at)
  await store.usage.add([], [])
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
    let isTold = false
    expect(ours.keyChanges.isCurrent()).toBe(true)
    ours.keyChanges.watch(() => {
      isTold = true
    })
    await writeBeside(writer())
    await beyondTheNextLook()
    expect([ours.keyChanges.isCurrent(), isTold]).toEqual([true, false])
  })
})

describe("a change that somebody makes by hand is seen", () => {
  const statements = [
    "UPDATE items SET hidden = 1",
    "UPDATE accounts SET body = '{}'",
    "UPDATE api_keys SET revoked_at = '2026-06-01T08:00:00Z'",
    "INSERT INTO items (id, account_id, hidden, body) SELECT 8, id, 0, '{}' FROM accounts",
    "INSERT INTO accounts (username, list_version, body) VALUES ('bob', '', '{}')",
    "INSERT INTO api_keys SELECT 'key_2', account_id, kind, name, item_ids, x'02', sealed, created_at, expires_at, revoked_at, replaced_at FROM api_keys",
    "DELETE FROM purchases; DELETE FROM items",
    "DELETE FROM purchases; DELETE FROM items; DELETE FROM accounts",
    "DELETE FROM api_keys",
  ]
  test.each(statements)("%s", async (statement) => {
    await ours.keys.insert(keyRecord("key_1", { accountId: ada }))
    expect(ours.keyChanges.isCurrent()).toBe(true)
    let isTold = false
    ours.keyChanges.watch(() => {
      isTold = true
    })
    const shell = new Database(path)
    shell.run("PRAGMA foreign_keys = ON")
    shell.run(statement)
    shell.close()
    await beyondTheNextLook()
    expect([ours.keyChanges.isCurrent(), isTold]).toEqual([true, true])
  })
})

test("no more is kept than there is room for", () => {
  const recent = createRecent<string>(() => 0)
  const megabyte = "x".repeat(1024 ** 2)
  for (let id = 1; id <= 4; id += 1) recent.keep(id, `row ${id}`, megabyte)
  expect([1, 2, 3, 4].map(recent.find)).toEqual(["row 1", "row 2", "row 3", undefined])
})

test("a text that takes two bytes a letter counts twice", () => {
  const recent = createRecent<string>(() => 0)
  const megabyte = "ş".repeat(1024 ** 2 / 2)
  for (let id = 1; id <= 4; id += 1) recent.keep(id, `row ${id}`, megabyte)
  expect([1, 2, 3, 4].map(recent.find)).toEqual(["row 1", "row 2", "row 3", undefined])
})

test("a change makes room", () => {
  let changes = 0
  const recent = createRecent<string>(() => changes)
  const [small, large] = ["x", "x".repeat(4 * 1024 ** 2 - 400)]
  recent.keep(1, "row 1", large)
  recent.keep(2, "row 2", small)
  expect([1, 2].map(recent.find)).toEqual(["row 1", undefined])
  changes += 1
  expect(recent.find(1)).toBe(undefined)
  recent.keep(2, "row 2", large)
  expect(recent.find(2)).toBe("row 2")
})
