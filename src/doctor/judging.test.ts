/** The limits at which a check becomes a warning or a problem. */
import { afterAll, describe, expect, test } from "bun:test"
import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../tests/harness/program.ts"
import { checkBackups } from "./check-backups.ts"
import { checkClock } from "./check-clock.ts"
import { judgeCodes } from "./check-codes.ts"
import { checkFileLimit, judgeDisk } from "./check-machine.ts"
import { checkSettings } from "./check-settings.ts"
import type { Finding } from "./finding.ts"

const levelsOf = (findings: readonly Finding[]) => findings.map(({ level }) => level)
const now = new Date("2026-06-01T12:00:00Z")

test("disk: room for a copy of the store, and for the log in any case", () => {
  const gigabyte = 1024 ** 3
  expect(judgeDisk(3 * gigabyte, 2 * gigabyte).level).toBe("ok")
  expect(judgeDisk(gigabyte, 2 * gigabyte).level).toBe("warning")
  expect(judgeDisk(gigabyte / 8, 0).level).toBe("problem")
})

test("file limit: a default shell has too few", () => {
  expect(levelsOf(checkFileLimit(65_536))).toEqual(["ok"])
  expect(levelsOf(checkFileLimit(1_024))).toEqual(["warning"])
  expect(checkFileLimit(null)).toEqual([])
})

describe("clock", () => {
  const check = async (newest: string | null, server: string | null) => {
    const [finding] = await checkClock(
      {
        findNewestTime: async () => newest,
        readClock: async () => (server === null ? null : new Date(server)),
      },
      now,
    )
    return finding?.level
  }
  test("is wrong if the store has an entry from the future", async () => {
    expect(await check("2026-06-01T12:00:59Z", null)).toBe("ok")
    expect(await check("2026-06-01T12:01:01Z", null)).toBe("problem")
    expect(await check(null, null)).toBe("ok")
  })
  test("is compared with that of the database server", async () => {
    expect(await check(null, "2026-06-01T12:00:04Z")).toBe("ok")
    expect(await check(null, "2026-06-01T11:59:54Z")).toBe("warning")
  })
})

describe("purchase codes", () => {
  const misses = { intervalMs: 10_000, burst: 60 }
  const randomDigits = (length: number) =>
    Array.from({ length: 500 }, () =>
      Array.from({ length }, () => Math.floor(Math.random() * 10)).join(""),
    )
  test.each([
    [8, "problem"],
    [14, "warning"],
    [20, "ok"],
  ] as const)("of %d digits: %s", (length, level) => {
    const { level: found, detail } = judgeCodes(randomDigits(length), 1_000, misses)
    expect([found, detail]).toEqual([
      level,
      expect.stringMatching(
        /^1,000 guesses a second would find one in (about|less than|more than) /,
      ),
    ])
  })
  test("are easier to guess where misses are not limited", () => {
    const { level, hint } = judgeCodes(randomDigits(14), 1_000, null)
    expect([level, hint]).toEqual(["problem", expect.stringContaining("PAZAR_RATE_LIMIT")])
  })
  test("are not shown", () => {
    const codes = randomDigits(8)
    const { detail } = judgeCodes(codes, 500, misses)
    expect(codes.filter((code) => detail.includes(code))).toEqual([])
  })
})

describe("settings", () => {
  const levels = (env: Readonly<Record<string, string>>) => levelsOf(checkSettings(env).findings)
  test("are fine as they come, and with https behind a known proxy", () => {
    expect(levels({})).toEqual(["ok"])
    const proxy = { PAZAR_TRUSTED_PROXIES: "192.0.2.10" }
    expect(levels({ PAZAR_PUBLIC_URL: "https://api.example.com", ...proxy })).toEqual(["ok"])
  })
  test("plain HTTP on a network, and a proxy that is not listed, are warnings", () => {
    expect(levels({ HOST: "0.0.0.0" })).toEqual(["warning"])
    expect(levels({ PAZAR_PUBLIC_URL: "http://api.example.com" })).toEqual(["warning"])
    expect(levels({ PAZAR_PUBLIC_URL: "https://api.example.com" })).toEqual(["warning"])
  })
  test("each one that cannot be used is a problem", () => {
    const { config, findings } = checkSettings({ PORT: "x", PAZAR_LOCALE: "fr" })
    expect([config, levelsOf(findings)]).toEqual([null, ["problem", "problem"]])
  })
})

describe("backups", () => {
  const folder = temporaryFolder()
  afterAll(() => rmSync(folder, { recursive: true }))
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  function write(name: string, hours: number, mode = 0o600): void {
    writeFileSync(join(folder, name), "a backup")
    chmodSync(join(folder, name), mode)
    utimesSync(join(folder, name), hoursAgo(hours), hoursAgo(hours))
  }
  const check = () => levelsOf(checkBackups(folder, now))

  test("none, a folder of them, and an unfinished one are no backup", () => {
    mkdirSync(join(folder, "older"))
    write("pazar.db.unfinished-0123456789ab", 1)
    expect(check()).toEqual(["problem"])
    expect(levelsOf(checkBackups(join(folder, "missing"), now))).toEqual(["problem"])
  })
  test("the newest counts", () => {
    write("a.db", 200)
    expect(check()).toEqual(["problem"])
    write("b.db", 27)
    expect(check()).toEqual(["warning"])
    write("c.db", 25)
    expect(check()).toEqual(["ok"])
  })
  test("others must not read them, and the master key must not lie beside them", () => {
    write("d.db", 200, 0o640)
    write("pazar.db.master-key", 1)
    expect(check()).toEqual(["ok", "warning", "warning"])
  })
  test("an empty file is none", () => {
    writeFileSync(join(folder, "e.db"), "", { mode: 0o600 })
    utimesSync(join(folder, "e.db"), now, now)
    expect(check().slice(0, 2)).toEqual(["ok", "problem"])
  })
})
