/** `pazar import` where the store does not matter: what it says, and to whom. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { getPriority } from "node:os"
import { join } from "node:path"
import { commands } from "../../../src/cli/commands.ts"
import { purchase, toFeed } from "../../contracts/records.ts"
import { until } from "../../contracts/until.ts"
import {
  folderWithStore,
  killTree,
  type RunOptions,
  runPazar,
  spawnPazar,
} from "../../harness/command.ts"
import { good, mixed, runImport } from "../../harness/feed/import-command.ts"
import { runInProcess } from "../../harness/run-in-process.ts"

let folder: string
beforeEach(async () => {
  folder = await folderWithStore()
})
afterEach(() => rmSync(folder, { recursive: true }))

const pazar = (args: readonly string[]) => runPazar(folder, args)
const importing = (args: readonly string[], options?: RunOptions) =>
  runImport(folder, args, options)
const give = (name: string, feed: string) => writeFileSync(join(folder, name), feed)
const read = (name: string) => readFileSync(join(folder, name), "utf8")
const codesOf = (feed: string) =>
  [...feed.matchAll(/"purchase_code":"([^"]+)"/g)].map(([, code]) => code)
const exportedCodes = async () => codesOf((await pazar(["export"])).stdout)

test("every explanation reaches a reader that is slow to start", async () => {
  const strange = Array.from({ length: 60 }, (_, at) => [`${at} ${"x".repeat(99)}`, 1])
  const line = { type: "purchase", ...Object.fromEntries(strange) }
  give("feed.ndjson", toFeed(Array.from({ length: 20 }, () => line)))
  const { child, stderr, ended } = await spawnPazar(folder, ["import", "feed.ndjson"])
  child.stderr?.pause()
  await Bun.sleep(700)
  child.stderr?.resume()
  expect((await ended).status).toBe(1)
  // More than a pipe holds.
  expect(stderr().length).toBeGreaterThan(100_000)
  expect(stderr().split("\n").length - 1).toBe(20)
})

describe("--rejects", () => {
  test("holds the refused lines, which complete the import once they are fixed", async () => {
    give("feed.ndjson", toFeed(mixed))
    expect((await importing(["feed.ndjson", "--rejects", "bad.ndjson"])).status).toBe(1)
    expect(read("bad.ndjson")).toBe(toFeed(mixed.slice(3, 5)))

    const fixed = read("bad.ndjson")
      .replace('"gratis"', "0")
      .replace("EURO", "EUR")
      .replace('"free"', "0")
    give("fixed.ndjson", fixed)
    expect(await importing(["fixed.ndjson"])).toEqual({
      status: 0,
      accepted: 2,
      rejected: 0,
      stderr: "",
    })
    expect(await exportedCodes()).toEqual(["code-1", "code-2", "code-3", "code-4"])
  })

  test("is empty when nothing was refused", async () => {
    await importing(["-", "--rejects", "bad.ndjson"], { input: toFeed(good) })
    expect(read("bad.ndjson")).toBe("")
  })

  test("holds the whole of a line too long to be a record", async () => {
    const long = `{"type":"account","username":"${"x".repeat(3 * 1024 ** 2)}"}\n`
    const input = toFeed(good) + long + toFeed([purchase("code-2", 1)])
    expect(await importing(["-", "--rejects", "bad.ndjson"], { input })).toEqual({
      status: 1,
      accepted: 4,
      rejected: 1,
      stderr: expect.stringMatching(/^.*\b4: .*\b1048576\b.*\n$/),
    })
    expect(read("bad.ndjson") === long).toBe(true)
  })

  test.each(["feed.ndjson", "./feed.ndjson", "alias.ndjson"])(
    "is never the feed itself: %s",
    async (rejects) => {
      give("feed.ndjson", toFeed(mixed))
      symlinkSync("feed.ndjson", join(folder, "alias.ndjson"))
      const outcome = await pazar(["import", "feed.ndjson", "--rejects", rejects])
      expect(outcome).toEqual({
        status: 2,
        stdout: "",
        stderr: expect.stringMatching(new RegExp(`^pazar: .*--rejects.*\n.*${usage}`)),
      })
      expect(read("feed.ndjson")).toBe(toFeed(mixed))
    },
  )
})

const command = commands.find(({ name }) => name === "import")
const usage = RegExp.escape(`pazar import ${command?.usage}\n`)

describe("what cannot run: exit 2, before the store is opened", () => {
  test.each([
    [["/nowhere.ndjson"], "/nowhere\\.ndjson.*\n"],
    [["/"], "/ .*\n"],
    [[], `FILE\\|-.*\n.*${usage}`],
    [["one", "two"], `"two".*\n.*${usage}`],
  ])("import %j", async (args, named) => {
    rmSync(join(folder, "data"), { recursive: true, force: true })
    const outcome = await runInProcess(folder, ["import", ...args])
    const stderr = expect.stringMatching(new RegExp(`^pazar: .*${named}$`))
    expect(outcome).toEqual({ status: 2, stdout: "", stderr })
  })

  test("an unknown option is named, with the usage", async () => {
    const args = ["import", "feed.ndjson", "--frobnicate"]
    const { status, stdout, stderr } = await runInProcess(folder, args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
    expect(stderr).toMatch(new RegExp(`^pazar: .*--frobnicate.*\n.*${usage}$`))
  })
})

test("runs at a low priority", async () => {
  const running = await spawnPazar(folder, ["import", "-"])
  try {
    await until(() => (getPriority(running.child.pid) === 10 ? true : undefined))
  } finally {
    await killTree(running)
  }
})
