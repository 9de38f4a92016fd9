import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { endpointRecord } from "../../tests/harness/endpoint-records.ts"
import { temporaryFolder } from "../../tests/harness/program.ts"
import { createSqlite } from "../../tests/harness/stores/create-stores.ts"
import { accountRecord, itemRecord, put } from "../../tests/harness/stores/store-records.ts"
import { formatTimestamp } from "../platform/time.ts"
import { backUpSqlite } from "../store/backup.ts"
import type { RowCounts } from "../store/checks.ts"
import { initializeMasterKey, type MasterKeySettings } from "../store/master-key.ts"
import { movedMetadataKey } from "../store/metadata.ts"
import { checkBackups, checkLastBackup } from "./check-backups.ts"
import { checkDiskSpace, checkFileLimit, checkSettings } from "./check-machine.ts"
import { checkClock, checkMailServer, checkWebhooks } from "./check-store.ts"
import type { Finding } from "./finding.ts"

const levelsOf = (findings: readonly Finding[]) => findings.map(({ level }) => level)
const now = new Date("2026-06-01T12:00:00Z")

test("disk: space for a copy of the database, and always for the write-ahead log", () => {
  const gigabyte = 1000 ** 3
  // The same unit as in the console.
  expect(checkDiskSpace(3 * gigabyte, 2 * gigabyte).detail).toMatch(/3,000 MB .*2,000 MB/)
  expect(checkDiskSpace(3 * gigabyte, 2 * gigabyte).level).toBe("ok")
  expect(checkDiskSpace(gigabyte, 2 * gigabyte).level).toBe("warning")
  expect(checkDiskSpace(gigabyte / 8, 0).level).toBe("problem")
})

test("webhooks: lists those that Pazar disabled, not those that their owners disabled", async () => {
  const at = "2026-06-01T08:00:00Z"
  const listed = (...endpoints: readonly ReturnType<typeof endpointRecord>[]) =>
    checkWebhooks({
      listAll: async () => endpoints.map((endpoint) => ({ ...endpoint, username: "ada" })),
    })
  expect(await listed()).toEqual([])
  const byOwner = endpointRecord("ep_a", { disabled: { at, reason: "owner" } })
  expect(levelsOf(await listed(byOwner, endpointRecord("ep_b")))).toEqual(["ok"])
  const respondedGone = endpointRecord("ep_c", { disabled: { at, reason: "gone" } })
  const [finding, ...others] = await listed(byOwner, respondedGone)
  expect(others).toEqual([])
  const failing = endpointRecord("ep_d", { failingSince: at })
  expect(await listed(failing, byOwner)).toMatchObject([
    { level: "warning", about: { kind: "webhook", id: "ep_d" } },
  ])
  expect(levelsOf(await listed({ ...failing, accountId: 1 }))).toEqual(["ok"])
  const detail = expect.stringMatching(/shop\.example\.com\/hook .*ada .*410/)
  const about = { kind: "webhook", id: "ep_c" }
  expect(finding).toMatchObject({ level: "warning", check: "webhooks", detail, about })
})

test("file limit: the default of a shell is too low", () => {
  expect(levelsOf(checkFileLimit(65_536))).toEqual(["ok"])
  expect(levelsOf(checkFileLimit(1_024))).toEqual(["warning"])
  expect(checkFileLimit(null)).toEqual([])
})

describe("clock", () => {
  const check = async (newest: string | null, server: string | null) => {
    const [finding] = await checkClock(
      {
        findNewestTimestamp: async () => newest,
        readClock: async () => (server === null ? null : new Date(server)),
      },
      now,
    )
    return finding?.level
  }
  test("is wrong if the database has a timestamp in the future", async () => {
    expect(await check("2026-06-01T12:00:59Z", null)).toBe("ok")
    expect(await check("2026-06-01T12:01:01Z", null)).toBe("problem")
    expect(await check(null, null)).toBe("ok")
  })
  test("is compared with the clock of the database server", async () => {
    expect(await check(null, "2026-06-01T12:00:04Z")).toBe("ok")
    expect(await check(null, "2026-06-01T11:59:54Z")).toBe("warning")
  })
})

describe("settings", () => {
  const levels = (env: Readonly<Record<string, string>>) => levelsOf(checkSettings(env).findings)
  test("are valid by default, and with https behind a trusted proxy", () => {
    expect(levels({})).toEqual(["ok"])
    const proxy = { PAZAR_TRUSTED_PROXIES: "192.0.2.10" }
    expect(levels({ PAZAR_PUBLIC_URL: "https://api.example.com", ...proxy })).toEqual(["ok"])
  })
  test("plain HTTP and an untrusted proxy are warnings", () => {
    expect(levels({ HOST: "0.0.0.0" })).toEqual(["warning"])
    expect(levels({ PAZAR_PUBLIC_URL: "http://api.example.com" })).toEqual(["warning"])
    expect(levels({ PAZAR_PUBLIC_URL: "https://api.example.com" })).toEqual(["warning"])
  })
  test("each invalid one is a problem", () => {
    const { config, findings } = checkSettings({ PORT: "x", PAZAR_LOCALE: "fr" })
    expect([config, levelsOf(findings)]).toEqual([null, ["problem", "problem"]])
  })
})

describe("backups", () => {
  const folder = temporaryFolder()
  const storePath = join(folder, "store.db")
  const backups = join(folder, "backups")
  const key = new Uint8Array(32)
  const own = {
    path: storePath,
    counts: null,
    masterKeys: { masterKey: { from: "environment", key }, previousMasterKey: null } as const,
  }
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  beforeAll(async () => {
    const store = await createSqlite(storePath)
    await put(store, accountRecord("ada"), itemRecord("ada", 1))
    await initializeMasterKey(store.metadata, own.masterKeys)
    await store.close()
    mkdirSync(backups)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function age(name: string, hours: number, mode = 0o600): void {
    chmodSync(join(backups, name), mode)
    utimesSync(join(backups, name), hoursAgo(hours), hoursAgo(hours))
  }
  async function backUp(name: string, hours: number, mode?: number): Promise<void> {
    const options = { mayOverwrite: true, onStage: async () => {} }
    await backUpSqlite(storePath, join(backups, name), options)
    age(name, hours, mode)
  }
  function write(name: string, content: string | Uint8Array, hours: number): void {
    writeFileSync(join(backups, name), content)
    age(name, hours)
  }
  const check = async (counts: RowCounts | null = null) =>
    levelsOf(await checkBackups(backups, now, { ...own, counts }))

  test("an empty folder, a subfolder, an unfinished file and a log are not backups", async () => {
    mkdirSync(join(backups, "older"))
    write("pazar.db.unfinished-0123456789ab", "a backup", 1)
    write("rsync.log", "sent 1,204 bytes\n", 1)
    expect(await check()).toEqual(["problem"])
    expect(levelsOf(await checkBackups(join(folder, "missing"), now, own))).toEqual(["problem"])
    // The database itself is not a backup, even in the same folder.
    expect(levelsOf(await checkBackups(folder, now, own))).toEqual(["problem"])
  })

  test("the newest is opened and leaves no other files", async () => {
    await backUp("a.db", 200)
    expect(await check()).toEqual(["problem", "ok"])
    await backUp("b.db", 27)
    expect(await check()).toEqual(["warning", "ok"])
    await backUp("c.db", 25)
    const before = readdirSync(backups)
    const [, opened] = await checkBackups(backups, now, own)
    expect(opened?.detail).toMatch(/ \d+, 1 .*\b1 .*\b0 /)
    copyFileSync(storePath, join(backups, "copied"))
    age("copied", 24)
    expect(await check()).toEqual(["ok", "ok"])
    expect(readdirSync(backups).toSorted()).toEqual([...before, "copied"].toSorted())
  })

  test("the newest may be 26 hours old", () => {
    const levelAt = (ageHours: number) =>
      checkLastBackup(formatTimestamp(hoursAgo(ageHours)), null, now).level
    expect([levelAt(26), levelAt(27), levelAt(169)]).toEqual(["ok", "warning", "problem"])
  })

  test("one with another master key, or of a moved database, cannot be restored", async () => {
    const file = join(backups, "copied")
    await backUp("copied", 24)
    const checkWith = async (masterKeys: MasterKeySettings | null) => {
      const [, opened] = await checkBackups(backups, now, { ...own, masterKeys })
      return [opened?.level, opened?.detail]
    }
    const other = { from: "environment", key: new Uint8Array(32).fill(1) } as const
    expect(await checkWith({ masterKey: other, previousMasterKey: null })).toEqual([
      "problem",
      expect.stringContaining("master key"),
    ])
    const rotated = { masterKey: other, previousMasterKey: own.masterKeys.masterKey }
    expect((await checkWith(rotated))[0]).toBe("ok")
    expect((await checkWith(null))[0]).toBe("ok")
    const copy = new Database(file)
    const moved = JSON.stringify({ place: "the database shop", at: "2026-05-31T12:00:00Z" })
    copy.run("INSERT INTO metadata VALUES (?, ?)", [movedMetadataKey, moved])
    copy.close()
    age("copied", 24)
    expect(await checkWith(own.masterKeys)).toEqual([
      "problem",
      expect.stringMatching(/copied .*the database shop .*2026-05-31T12:00:00Z/),
    ])
    await backUp("copied", 24)
  })

  test("one with far fewer rows than the database is a problem", async () => {
    const counts = { accounts: 1, items: 1, purchases: 0, keys: 0 }
    expect(await check({ ...counts, items: 2 })).toEqual(["ok", "ok"])
    expect(await check({ ...counts, purchases: 1 })).toEqual(["ok", "problem"])
  })

  test("warnings: other users can read them, or a master key is in the same folder", async () => {
    await backUp("d.db", 200, 0o640)
    write("pazar.db.master-key", "a key", 1)
    expect(await check()).toEqual(["ok", "ok", "warning", "warning"])
    rmSync(join(backups, "d.db"))
    rmSync(join(backups, "pazar.db.master-key"))
    for (const name of ["master-key.replaced-20260131T120000Z", "pazar.db.master-key.old"]) {
      write(name, "a key", 1)
      expect(await check()).toEqual(["ok", "ok", "warning"])
      rmSync(join(backups, name))
    }
  })

  test.each<[name: string, content: () => Uint8Array | string]>([
    ["empty.db", () => ""],
    ["random.db", () => randomBytes(8_192)],
    ["cut-off.db", () => readFileSync(join(backups, "c.db")).subarray(0, 20_000)],
  ])("%s cannot be restored", async (name, content) => {
    write(name, content(), 0)
    expect(await check()).toEqual(["ok", "problem"])
    rmSync(join(backups, name))
  })

  test("a database of another program, and one of a newer version, cannot be restored", async () => {
    const path = join(backups, "other.db")
    const other = new Database(path)
    other.run("CREATE TABLE notes (text)")
    other.close()
    age("other.db", 0)
    expect(await check()).toEqual(["ok", "problem"])
    await backUp("other.db", 0)
    const newer = new Database(path)
    newer.run("PRAGMA user_version = 999")
    newer.close()
    age("other.db", 0)
    expect(await check()).toEqual(["ok", "problem"])
    rmSync(path)
  })

  test("a warning says that a PostgreSQL dump or a compressed file was not opened", async () => {
    write("pazar.dump", "PGDMP\u0001", 0)
    expect(await check()).toEqual(["ok", "warning"])
    write("pazar.db.gz", "packed", 0)
    expect(await check()).toEqual(["ok", "warning"])
  })
})

test("a mail server that accepts the connection and then stays silent is a problem", async () => {
  let asked = false
  const silent = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) => void socket.write("220 mail.example.com\r\n"),
      data() {
        asked = true
      },
    },
  })
  const server = {
    host: "127.0.0.1",
    tls: "none",
    credentials: null,
    from: "a@example.com",
  } as const
  const mailServer = { ...server, port: silent.port }
  const findings = await checkMailServer({ mailServer, siteName: "Shop" }, 100)
  silent.stop(true)
  expect([asked, findings.map(({ level }) => level)]).toEqual([true, ["problem"]])
})
