import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { getPriority } from "node:os"
import { join } from "node:path"
import { mixedFeed, runImport } from "../harness/feed/run-import.ts"
import { toFeed } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import {
  createStoreFolder,
  killTree,
  type RunOptions,
  runPazar,
  spawnPazar,
} from "../harness/run-pazar.ts"
import { until, workMsMax } from "../harness/until.ts"

let folder: string
beforeEach(async () => {
  folder = await createStoreFolder()
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

test("every problem is printed for a reader that is slow to start", async () => {
  const strange = Array.from({ length: 60 }, (_, at) => [`${at} ${"x".repeat(99)}`, 1])
  const line = { type: "purchase", ...Object.fromEntries(strange) }
  give("feed.ndjson", toFeed(Array.from({ length: 20 }, () => line)))
  const { child, stderr, ended } = await spawnPazar(folder, ["import", "feed.ndjson"])
  child.stderr?.pause()
  await Bun.sleep(700)
  child.stderr?.resume()
  expect((await ended).status).toBe(1)
  expect(stderr().length).toBeGreaterThan(100_000)
  expect(stderr().split("\n").length - 1).toBe(20)
})

test.each([[], ["--strict"], ["--dry-run"]])(
  "exit 1: a reader that closes the pipe, as head does, changes nothing else (%s)",
  async (...options) => {
    give("feed.ndjson", toFeed(mixedFeed))
    const expected = await pazar(["import", "feed.ndjson", ...options])
    const runs = async () => JSON.parse((await pazar(["imports", "--json"])).stdout)
    const [before] = await runs()
    const { child, ended } = await spawnPazar(folder, ["import", "feed.ndjson", ...options])
    child.stdout?.destroy()
    expect(await ended).toEqual({ ...expected, status: 1, stdout: "" })
    const [after] = await runs()
    expect(after?.problem).toBe(before?.problem)
  },
)

describe("--report", () => {
  test("contains the rejected lines, which complete the import after they are corrected", async () => {
    give("feed.ndjson", toFeed(mixedFeed))
    expect((await importing(["feed.ndjson", "--report", "bad.ndjson"])).status).toBe(1)
    const bad = read("bad.ndjson").trimEnd().split("\n")
    const lines = bad.map((line) => `${JSON.parse(line).record}\n`).join("")
    expect(lines).toBe(toFeed(mixedFeed.slice(3, 5)))
    give(
      "fixed.ndjson",
      lines.replace('"gratis"', "0").replace("EURO", "EUR").replace('"free"', "0"),
    )
    expect(await importing(["fixed.ndjson"])).toEqual({
      status: 0,
      accepted: 2,
      rejected: 0,
      stderr: "",
    })
    expect(await exportedCodes()).toEqual(["code-1", "code-2", "code-3", "code-4"])
  })

  test("cannot be the feed itself", async () => {
    give("feed.ndjson", toFeed(mixedFeed))
    symlinkSync("feed.ndjson", join(folder, "alias.ndjson"))
    const outcome = await pazar(["import", "feed.ndjson", "--report", "alias.ndjson"])
    expect(outcome).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(new RegExp(`^pazar: .*--report.*${remedy}`)),
    })
    expect(read("feed.ndjson")).toBe(toFeed(mixedFeed))
  })
})

const remedy = "; run pazar help import\n"

describe("exit 2: an import that cannot run is rejected before the database is opened", () => {
  test.each([
    [["/nowhere.ndjson"], "/nowhere\\.ndjson.*\n"],
    [["/"], "/ .*\n"],
    [[], `FILE\\|-${remedy}`],
    [["one", "two"], `"two"${remedy}`],
  ])("import %j", async (args, named) => {
    rmSync(join(folder, "data"), { recursive: true, force: true })
    const outcome = await runInProcess(folder, ["import", ...args])
    const stderr = expect.stringMatching(new RegExp(`^pazar: .*${named}$`))
    expect(outcome).toEqual({ status: 2, stdout: "", stderr })
  })
})

test("runs at a low priority", async () => {
  const running = await spawnPazar(folder, ["import", "-"])
  try {
    await until(() => (getPriority(running.child.pid) === 10 ? true : undefined), workMsMax)
  } finally {
    await killTree(running)
  }
})
