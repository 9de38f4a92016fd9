import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../tests/harness/program.ts"
import { createSqlite } from "../../tests/harness/stores/create-stores.ts"
import { accountRecord, put } from "../../tests/harness/stores/store-records.ts"
import { until } from "../../tests/harness/until.ts"
import { emptyOutcome, type RunOutcome } from "../feed/import-run.ts"
import { createLog } from "../platform/log.ts"
import { inspectSqliteBackup } from "../store/backup.ts"
import { failedBackupMetadataKey, findLastBackup } from "../store/metadata.ts"
import type { Store } from "../store/store.ts"
import { openDailyBackups } from "./daily-backups.ts"

let base = ""
let folder = ""
let store: Store
let nowMs = 0
let logged = ""
let pass: () => void
beforeEach(async () => {
  base = temporaryFolder()
  folder = join(base, "backups")
  mkdirSync(folder)
  store = await createSqlite(join(base, "pazar.db"))
  await put(store, accountRecord("ada"))
  nowMs = Date.parse("2026-06-01T12:34:56Z")
  logged = ""
})
afterEach(async () => {
  await store.close()
  rmSync(base, { recursive: true })
})

type Services = Parameters<typeof openDailyBackups>[0]

function open(backUp?: NonNullable<Services["backUp"]>, stopMsMax?: number, database = "pazar.db") {
  const log = createLog("info", (text) => {
    logged += text
  })
  const backups = openDailyBackups({
    path: join(base, database),
    folder,
    metadata: store.metadata,
    accounts: store.accounts,
    feed: store.feed,
    now: () => new Date(nowMs),
    every(_, work) {
      pass = work
      return () => {}
    },
    log,
    ...(backUp && { backUp }),
    ...(stopMsMax !== undefined && { stopMsMax }),
  })
  return {
    async close() {
      await backups.close()
      log.close()
    },
  }
}
const listNames = () => readdirSync(folder).toSorted()

const dayMs = 86_400_000
const nameOf = (day: number) => `pazar-202606${String(day).padStart(2, "0")}T000000Z.db`

test("a backup is created immediately, contains the database, and is recorded with its size", async () => {
  await open().close()
  expect(listNames()).toEqual([nameOf(1)])
  const file = join(folder, nameOf(1))
  expect((await inspectSqliteBackup(file, async () => {})).counts.accounts).toBe(1)
  expect(await findLastBackup(store.metadata)).toEqual({
    at: "2026-06-01T12:34:56Z",
    bytes: statSync(file).size,
  })
})

const imported: RunOutcome = {
  ...emptyOutcome,
  counts: { ...emptyOutcome.counts, accepted: 1 },
}

test("a database that was empty is backed up again after its first import, once", async () => {
  await store.close()
  store = await createSqlite(join(base, "empty.db"))
  const backups = open(undefined, undefined, "empty.db")
  await until(() => logged.includes(nameOf(1)) || undefined)
  pass()
  const nothing = await store.feed.openBatches({ source: "nothing", via: "pull" })
  await nothing.finish(new Date(nowMs), {
    ...imported,
    counts: { ...imported.counts, accepted: 0 },
  })
  pass()
  const writer = await store.feed.openBatches({ source: "shop", via: "file" })
  await writer.put(new Date(nowMs), [accountRecord("ada")], 1)
  pass()
  await writer.finish(new Date(nowMs), imported)
  const importedAt = (await store.feed.findLastRun("shop"))?.finishedAt ?? ""
  for (const _ of [1, 2, 3]) pass()
  await backups.close()
  const after = `pazar-${importedAt.replaceAll(/[-:]/g, "")}.db`
  expect(listNames()).toEqual([nameOf(1), after])
  const { counts } = await inspectSqliteBackup(join(folder, after), async () => {})
  expect(counts.accounts).toBe(1)
  await open(undefined, undefined, "empty.db").close()
  expect(listNames()).toHaveLength(2)
})

test("one backup per day, the newest seven are kept; other files and backups dated in the future are not deleted", async () => {
  const ahead = ["pazar-20360101T000000Z.db", "pazar-20360101T060000Z.db"]
  for (const name of ["mine.db", ...ahead]) writeFileSync(join(folder, name), "")
  const backups = open()
  for (let day = 1; day <= 9; day += 1) {
    await until(() => logged.includes(nameOf(day)) || undefined)
    // Two servers back up on the same day.
    pass()
    nowMs += dayMs
    pass()
  }
  await backups.close()
  const newest = [4, 5, 6, 7, 8, 9, 10].map(nameOf)
  expect(listNames()).toEqual(["mine.db", ...newest, ...ahead])
})

/** Names of 0.12 contain the time of day. */
const old = [1, 2, 3, 4, 5, 6, 7].map((hour) => `pazar-20260101T0${hour}0000Z.db`)

test("old backups are deleted even if the new one cannot be recorded", async () => {
  for (const name of old) writeFileSync(join(folder, name), "")
  await store.close()
  await open().close()
  expect(listNames()).toEqual([...old.slice(1), nameOf(1)])
})

test("a backup is recorded even if an old one cannot be deleted", async () => {
  for (const name of old) mkdirSync(join(folder, name))
  await open().close()
  expect(logged).toContain('"level":"error"')
  expect(await findLastBackup(store.metadata)).toMatchObject({ at: "2026-06-01T12:34:56Z" })
})

test("a clock that is set back after a failure delays nothing", async () => {
  let tries = 0
  const backups = open(async () => {
    tries += 1
    return { problem: "no such folder" }
  })
  await until(() => (logged.includes("no such folder") ? true : undefined))
  nowMs -= 365 * dayMs
  pass()
  await backups.close()
  expect(tries).toBe(2)
})

test("a failure is logged, leaves no file, and is retried after ten minutes", async () => {
  let tries = 0
  const backups = open(async () => {
    tries += 1
    return { problem: "database or disk is full" }
  })
  for (let minutes = 0; minutes < 12; minutes += 1) {
    nowMs += 60_000
    pass()
  }
  await backups.close()
  expect([tries, listNames(), await findLastBackup(store.metadata)]).toEqual([2, [], null])
  expect(logged).toContain("database or disk is full")
  expect(await store.metadata.find(failedBackupMetadataKey)).toBe("database or disk is full")
  nowMs += 600_000
  await open().close()
  expect([listNames().length, await store.metadata.find(failedBackupMetadataKey)]).toEqual([
    1,
    null,
  ])
})

test("a stopping server cancels a long backup and deletes its file", async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<{ problem: string }>()
  const backups = open((order) => {
    writeFileSync(order.unfinished, "half")
    writeFileSync(`${order.unfinished}-journal`, "")
    return ended
  }, 10)
  expect(listNames()).toEqual([
    expect.stringMatching(/^pazar-20260601T000000Z\.db\.unfinished-[0-9a-f]{12}$/),
    expect.stringMatching(/\.unfinished-[0-9a-f]{12}-journal$/),
  ])
  await backups.close()
  expect(listNames()).toEqual([])
  expect(logged.match(/"level":"\w+"/g)).toEqual(['"level":"info"'])
  end({ problem: "no such file" })
  await Bun.sleep(0)
  expect([
    logged.includes("no such file"),
    await store.metadata.find(failedBackupMetadataKey),
  ]).toEqual([false, null])
  await open().close()
  expect(listNames()).toEqual([nameOf(1)])
})

test("a stopping server waits for a short backup", async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<{ problem: string }>()
  const backups = open(() => ended, 60_000)
  const closed = backups.close()
  end({ problem: "database or disk is full" })
  await closed
  expect(logged).toContain("database or disk is full")
})
