import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { getPriority } from "node:os"
import { join } from "node:path"
import { commands } from "../../../src/cli/commands.ts"
import { account, item, type Line, purchase, toFeed } from "../../../src/store/contracts/records.ts"
import { until } from "../../../src/store/contracts/until.ts"
import {
  folderWithStore,
  killTree,
  type RunOptions,
  runPazar,
  spawnPazar,
} from "../../harness/command.ts"

let folder: string
beforeEach(async () => {
  folder = await folderWithStore()
})
afterEach(() => rmSync(folder, { recursive: true }))

const pazar = (args: readonly string[], options?: RunOptions) => runPazar(folder, args, options)
const give = (name: string, feed: string) => writeFileSync(join(folder, name), feed)
const read = (name: string) => readFileSync(join(folder, name), "utf8")
const codesOf = (feed: string) =>
  [...feed.matchAll(/"purchase_code":"([^"]+)"/g)].map(([, code]) => code)
const exportedCodes = async () => codesOf((await pazar(["export"])).stdout)

/** The summary on standard output, without its last member, which varies. */
function summaryOf(stdout: string) {
  const [line = "", ...rest] = stdout.split("\n")
  expect(rest).toEqual([""])
  const summary = JSON.parse(line)
  expect(Object.keys(summary)).toEqual([
    ...["accepted", "adjusted", "waiting", "rejected", "removed", "seconds"],
  ])
  expect(summary.removed).toBe(0)
  expect(summary.seconds).toBeWithin(0, 30)
  return { accepted: summary.accepted, rejected: summary.rejected }
}

async function importing(args: readonly string[], options?: RunOptions) {
  const { status, stdout, stderr } = await pazar(["import", ...args], options)
  return { status, ...summaryOf(stdout), stderr }
}

const good: readonly Line[] = [account("elif"), item("elif", 1), purchase("code-1", 1)]
const mixed: readonly Line[] = [
  ...good,
  purchase("code-2", 1, { price: "gratis", currency: "EURO" }),
  purchase("code-3", 1, { price: "free" }),
  purchase("code-4", 1),
]
const explanation =
  "line 4: purchase code-2: price: must be a number; currency: must be three letters\n" +
  "line 5: purchase code-3: price: must be a number\n"

describe("what is taken and what is refused", () => {
  test("a file of good lines: exit 0, the summary, nothing on standard error", async () => {
    give("feed.ndjson", toFeed(good))
    expect(await importing(["feed.ndjson"])).toEqual({
      status: 0,
      accepted: 3,
      rejected: 0,
      stderr: "",
    })
    expect(await exportedCodes()).toEqual(["code-1"])
  })

  test("the same from standard input", async () => {
    expect(await importing(["-"], { input: toFeed(good) })).toEqual({
      status: 0,
      accepted: 3,
      rejected: 0,
      stderr: "",
    })
    expect(await exportedCodes()).toEqual(["code-1"])
  })

  test("an empty standard input is an empty feed", async () => {
    expect(await importing(["-"])).toEqual({ status: 0, accepted: 0, rejected: 0, stderr: "" })
  })

  test("bad lines are explained by line, member and reason; the good ones are kept: exit 1", async () => {
    give("feed.ndjson", toFeed(mixed))
    expect(await importing(["feed.ndjson"])).toEqual({
      status: 1,
      accepted: 4,
      rejected: 2,
      stderr: explanation,
    })
    expect(await exportedCodes()).toEqual(["code-1", "code-4"])
  })

  test("records in another spelling are taken, counted and exported in the contract's", async () => {
    const messy = [
      account("elif", { balance: "120.50", api_key: "" }),
      item("elif", 1, { version: "v1.4", hidden: null }),
      purchase("code-1", 1, { price: "19.99", supported_until: "" }),
      purchase("code-2", 1, { price: "19.99", license_type: "" }),
      purchase("code-3", 77, { price: "19.99" }),
    ]
    const { status, stdout } = await pazar(["import", "-"], { input: toFeed(messy) })
    const { seconds: _, ...summary } = JSON.parse(stdout)
    expect([status, summary]).toEqual([
      1,
      { accepted: 3, adjusted: 4, waiting: 1, rejected: 1, removed: 0 },
    ])
    const { stdout: exported } = await pazar(["export"])
    const again = await pazar(["import", "-"], { input: exported })
    expect(JSON.parse(again.stdout)).toMatchObject({
      accepted: 3,
      adjusted: 0,
      waiting: 1,
      rejected: 0,
    })
    expect((await pazar(["export"])).stdout).toBe(exported)
    const strict = await pazar(["import", "-", "--strict"], { input: toFeed(messy) })
    expect(JSON.parse(strict.stdout)).toMatchObject({
      accepted: 0,
      adjusted: 0,
      waiting: 0,
      rejected: 1,
    })
  })

  test("--strict keeps nothing of a feed with a bad line", async () => {
    give("feed.ndjson", toFeed(mixed))
    expect(await importing(["feed.ndjson", "--strict"])).toEqual({
      status: 1,
      accepted: 0,
      rejected: 2,
      stderr: `${explanation}Nothing was kept: --strict takes all or none.\n`,
    })
    expect((await pazar(["export"])).stdout).toBe("")
  })

  test("--strict keeps all of a good feed", async () => {
    give("feed.ndjson", toFeed(good))
    expect(await importing(["feed.ndjson", "--strict"])).toEqual({
      status: 0,
      accepted: 3,
      rejected: 0,
      stderr: "",
    })
    expect(await exportedCodes()).toEqual(["code-1"])
  })

  test("--dry-run judges every line and keeps nothing", async () => {
    give("feed.ndjson", toFeed(mixed))
    expect(await importing(["--dry-run", "feed.ndjson"])).toEqual({
      status: 1,
      accepted: 4,
      rejected: 2,
      stderr: `${explanation}A dry run: nothing was kept.\n`,
    })
    expect((await pazar(["export"])).stdout).toBe("")
  })

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
      stderr: "line 4: record: is longer than 1048576 bytes\n",
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
        stderr: `pazar: --rejects must not be the feed itself\n${usage}`,
      })
      expect(read("feed.ndjson")).toBe(toFeed(mixed))
    },
  )
})

const usage = `Usage: pazar import ${commands.find(({ name }) => name === "import")?.usage}\n`

describe("what cannot run: exit 2, before the store is opened", () => {
  test.each([
    [["nowhere.ndjson"], "pazar: there is no file nowhere.ndjson\n"],
    [["a-folder"], "pazar: a-folder is a folder, not a feed\n"],
    [[], `pazar: Missing FILE|-.\n${usage}`],
    [["one", "two"], `pazar: Unexpected argument "two".\n${usage}`],
  ])("import %j", async (args, stderr) => {
    rmSync(join(folder, "data"), { recursive: true, force: true })
    mkdirSync(join(folder, "a-folder"))
    expect(await pazar(["import", ...args])).toEqual({ status: 2, stdout: "", stderr })
  })

  test("an unknown option is named, with the usage", async () => {
    const { status, stdout, stderr } = await pazar(["import", "feed.ndjson", "--frobnicate"])
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
    expect(stderr).toContain("--frobnicate")
    expect(stderr).toEndWith(usage)
  })
})

test("a line that came through a pipe is kept after a moment, though the pipe stays open", async () => {
  give("feed.ndjson", toFeed(good))
  await importing(["feed.ndjson"])
  const running = await spawnPazar(folder, ["import", "-"])
  try {
    running.child.stdin?.write(toFeed([purchase("trickled", 1)]))
    const codes = await until(async () => {
      const found = await exportedCodes()
      return found.includes("trickled") ? found : undefined
    })
    expect(codes).toEqual(["code-1", "trickled"])
    running.child.stdin?.end(toFeed([purchase("last", 1)]))
    const { status, stdout } = await running.ended
    expect({ status, ...summaryOf(stdout) }).toEqual({ status: 0, accepted: 2, rejected: 0 })
  } finally {
    if (running.child.exitCode === null) await killTree(running)
  }
})

test("runs at a low priority", async () => {
  const running = await spawnPazar(folder, ["import", "-"])
  try {
    await until(() => (getPriority(running.child.pid) === 10 ? true : undefined))
  } finally {
    await killTree(running)
  }
})

describe("an import that was cut short", () => {
  const whenKept = () =>
    until(async () => ((await exportedCodes()).includes("code-1") ? true : undefined))

  test("is mentioned by the next one of the same file", async () => {
    const path = join(folder, "feed.ndjson")
    Bun.spawnSync(["mkfifo", path])
    const cut = await spawnPazar(folder, ["import", path])
    const pipe = await open(path, "w")
    await pipe.write(toFeed(good))
    await whenKept()
    await killTree(cut)
    await pipe.close()
    rmSync(path)

    give("feed.ndjson", toFeed(mixed))
    expect(await importing(["feed.ndjson"])).toEqual({
      status: 1,
      accepted: 4,
      rejected: 2,
      stderr: `An earlier import of ${path} stopped after line 3; this one completes it.\n${explanation}`,
    })
    expect((await importing(["feed.ndjson"])).stderr).toBe(explanation)
  })

  test("is not mentioned on standard input, which may be another feed", async () => {
    const cut = await spawnPazar(folder, ["import", "-"])
    cut.child.stdin?.write(toFeed(good))
    await whenKept()
    await killTree(cut)
    expect((await importing(["-"], { input: toFeed(good) })).stderr).toBe("")
  })
})
