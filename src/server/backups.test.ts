import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { accountRecord, put } from "../../tests/contracts/store-records.ts"
import { until } from "../../tests/contracts/until.ts"
import { temporaryFolder } from "../../tests/harness/program.ts"
import { createSqlite } from "../../tests/harness/stores/new-stores.ts"
import { failedBackupMark, findLastBackup, type Store } from "../domain/store.ts"
import { createLog } from "../log/log.ts"
import { inspectBackup } from "../store/open.ts"
import { openBackups } from "./backups.ts"

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

type Services = Parameters<typeof openBackups>[0]

function open(backUp?: NonNullable<Services["backUp"]>, stopMsMax?: number) {
  const log = createLog("info", (text) => {
    logged += text
  })
  const backups = openBackups({
    path: join(base, "pazar.db"),
    settings: { folder, everyMs: 6 * 3_600_000, keep: 2 },
    metadata: store.metadata,
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

test("a backup is made at once, has the store, and is noted with its size", async () => {
  await open().close()
  expect(listNames()).toEqual(["pazar-20260601T120000Z.db"])
  const file = join(folder, "pazar-20260601T120000Z.db")
  expect((await inspectBackup(file, async () => {})).counts.accounts).toBe(1)
  expect(await findLastBackup(store.metadata)).toEqual({
    at: "2026-06-01T12:34:56Z",
    bytes: statSync(file).size,
  })
})

test("each period has one, the newest are kept, and files of others stay", async () => {
  writeFileSync(join(folder, "mine.db"), "")
  const backups = open()
  for (const name of ["0601T120000Z", "0601T180000Z", "0602T000000Z", "0602T060000Z"]) {
    await until(() => listNames().includes(`pazar-2026${name}.db`) || undefined)
    // Twice in one period.
    pass()
    nowMs += 6 * 3_600_000
    pass()
  }
  await backups.close()
  expect(listNames()).toEqual(["mine.db", "pazar-20260602T060000Z.db", "pazar-20260602T120000Z.db"])
})

test("names of a clock that was ahead do not push out the backups of today", async () => {
  const ahead = ["pazar-20360101T000000Z.db", "pazar-20360101T060000Z.db"]
  for (const name of ahead) writeFileSync(join(folder, name), "")
  const backups = open()
  for (const name of ["0601T120000Z", "0601T180000Z", "0602T000000Z"]) {
    await until(() => logged.includes(`pazar-2026${name}.db`) || undefined)
    nowMs += 6 * 3_600_000
    pass()
  }
  await backups.close()
  expect(listNames()).toEqual(["pazar-20260602T000000Z.db", "pazar-20260602T060000Z.db", ...ahead])
})

test("old ones are removed also while the store takes no note of a new one", async () => {
  const old = ["pazar-20260101T000000Z.db", "pazar-20260102T000000Z.db"]
  for (const name of old) writeFileSync(join(folder, name), "")
  await store.close()
  await open().close()
  expect(listNames()).toEqual(["pazar-20260102T000000Z.db", "pazar-20260601T120000Z.db"])
})

test("one is noted, also if an old one cannot be removed", async () => {
  for (const name of ["pazar-20260101T000000Z.db", "pazar-20260102T000000Z.db"]) {
    mkdirSync(join(folder, name))
  }
  await open().close()
  expect(logged).toContain('"level":"error"')
  expect(await findLastBackup(store.metadata)).toMatchObject({ at: "2026-06-01T12:34:56Z" })
})

test("a failure at a moment that the clock was set back from delays nothing", async () => {
  let tries = 0
  const backups = open(async () => {
    tries += 1
    return { problem: "no such folder" }
  })
  await until(() => (logged.includes("no such folder") ? true : undefined))
  nowMs -= 365 * 86_400_000
  pass()
  await backups.close()
  expect(tries).toBe(2)
})

test("one that fails is told, leaves nothing, and is tried again after ten minutes", async () => {
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
  expect(await store.metadata.find(failedBackupMark)).toBe("database or disk is full")
  nowMs += 600_000
  await open().close()
  expect([listNames().length, await store.metadata.find(failedBackupMark)]).toEqual([1, null])
})

test("a server that stops gives a long backup up, and its copy goes", async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<{ problem: string }>()
  const backups = open((order) => {
    writeFileSync(order.unfinished, "half")
    writeFileSync(`${order.unfinished}-journal`, "")
    return ended
  }, 10)
  expect(listNames()).toEqual([
    expect.stringMatching(/^pazar-20260601T120000Z\.db\.unfinished-[0-9a-f]{12}$/),
    expect.stringMatching(/\.unfinished-[0-9a-f]{12}-journal$/),
  ])
  await backups.close()
  expect(listNames()).toEqual([])
  expect(logged.match(/"level":"\w+"/g)).toEqual(['"level":"info"'])
  end({ problem: "no such file" })
  await Bun.sleep(0)
  expect([logged.includes("no such file"), await store.metadata.find(failedBackupMark)]).toEqual([
    false,
    null,
  ])
  await open().close()
  expect(listNames()).toEqual(["pazar-20260601T120000Z.db"])
})

test("a server that stops waits for a short backup", async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<{ problem: string }>()
  const backups = open(() => ended, 60_000)
  const closed = backups.close()
  end({ problem: "database or disk is full" })
  await closed
  expect(logged).toContain("database or disk is full")
})
