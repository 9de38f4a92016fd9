import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import {
  mixedFeed,
  mixedFeedErrors,
  runImport,
  summaryOf,
  validFeed,
} from "../harness/feed/run-import.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import { type InProcessOptions, runInProcess } from "../harness/run-in-process.ts"
import { createStoreFolder, killTree, spawnPazar } from "../harness/run-pazar.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { until, workMsMax } from "../harness/until.ts"

let folder: string
beforeEach(async () => {
  folder = await createStoreFolder()
})
afterEach(() => rmSync(folder, { recursive: true }))

const pazar = (args: readonly string[], options?: InProcessOptions) =>
  runInProcess(folder, args, options)
async function importing(args: readonly string[], options?: InProcessOptions) {
  const { status, stdout, stderr } = await pazar(["import", ...args], options)
  return { status, ...summaryOf(stdout), stderr }
}
function give(feed: string): string {
  const path = join(folder, "feed.ndjson")
  writeFileSync(path, feed)
  return path
}

async function listCodes(): Promise<readonly string[]> {
  const rows = await queryStore<{ code: string }>({ folder }, "SELECT code FROM purchases")
  return rows.map(({ code }) => code).sort()
}

describe("accepted and rejected lines", () => {
  test("exit 0: a file of valid lines prints the summary, and nothing to standard error", async () => {
    give(toFeed(validFeed))
    expect(await runImport(folder, ["feed.ndjson"])).toEqual({
      status: 0,
      accepted: 3,
      rejected: 0,
      stderr: "",
    })
    expect(await listCodes()).toEqual(["code-1"])
  })

  test("exit 0: standard input gives the same result", async () => {
    expect(await runImport(folder, ["-"], { input: toFeed(validFeed) })).toEqual({
      status: 0,
      accepted: 3,
      rejected: 0,
      stderr: "",
    })
    expect(await listCodes()).toEqual(["code-1"])
  })

  test("exit 0: an empty standard input is an empty feed", async () => {
    const nothing = { status: 0, accepted: 0, rejected: 0, stderr: "" }
    expect(await runImport(folder, ["-"])).toEqual(nothing)
  })

  test("exit 1: invalid lines are reported by line, field and problem; valid ones are stored", async () => {
    give(toFeed(mixedFeed))
    expect(await runImport(folder, ["feed.ndjson"])).toEqual({
      status: 1,
      accepted: 4,
      rejected: 2,
      stderr: mixedFeedErrors,
    })
    expect(await listCodes()).toEqual(["code-1", "code-4"])
  })

  test("records in another notation are normalized, counted, and exported in the contract's notation", async () => {
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
      { accepted: 3, adjusted: 4, waiting: 1, rejected: 1, removed: 0, revoked: 0, restored: 0 },
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

  test("--strict stores nothing from a feed with an invalid line", async () => {
    expect(await importing([give(toFeed(mixedFeed)), "--strict"])).toEqual({
      status: 1,
      accepted: 0,
      rejected: 2,
      stderr: `${mixedFeedErrors}--strict: no changes were saved\n`,
    })
    expect((await pazar(["export"])).stdout).toBe("")
    const [run] = JSON.parse((await pazar(["imports", "--json"])).stdout)
    expect(run).toMatchObject({ line: mixedFeed.length, accepted: 0, rejected: 2 })
    expect((await pazar(["imports", String(run.id)])).stdout).toMatch(/^Lines +6$/m)
  })

  test("--strict stores all of a valid feed", async () => {
    expect(await importing([give(toFeed(validFeed)), "--strict"])).toEqual({
      status: 0,
      accepted: 3,
      rejected: 0,
      stderr: "",
    })
    expect(await listCodes()).toEqual(["code-1"])
  })

  test("--dry-run validates every line and stores nothing", async () => {
    expect(await importing(["--dry-run", give(toFeed(mixedFeed))])).toEqual({
      status: 1,
      accepted: 4,
      rejected: 2,
      stderr: `${mixedFeedErrors}dry run: no changes were saved\n`,
    })
    expect((await pazar(["export"])).stdout).toBe("")
  })
})

test("a line from a pipe is stored shortly after, although the pipe stays open", async () => {
  await importing([give(toFeed(validFeed))])
  const running = await spawnPazar(folder, ["import", "-"])
  try {
    running.child.stdin?.write(toFeed([purchase("trickled", 1)]))
    const codes = await until(async () => {
      const found = await listCodes()
      return found.includes("trickled") ? found : undefined
    }, workMsMax)
    expect(codes).toEqual(["code-1", "trickled"])
    running.child.stdin?.end(toFeed([purchase("last", 1)]))
    const { status, stdout } = await running.ended
    expect({ status, ...summaryOf(stdout) }).toEqual({ status: 0, accepted: 2, rejected: 0 })
  } finally {
    if (running.child.exitCode === null) await killTree(running)
  }
})

describe("an interrupted import", () => {
  const whenStored = () =>
    until(async () => ((await listCodes()).includes("code-1") ? true : undefined), workMsMax)

  test("is mentioned by the next import of the same file", async () => {
    const path = join(folder, "feed.ndjson")
    Bun.spawnSync(["mkfifo", path])
    const cut = await spawnPazar(folder, ["import", path])
    const pipe = await open(path, "w")
    await pipe.write(toFeed(validFeed))
    await whenStored()
    await killTree(cut)
    await pipe.close()
    rmSync(path)

    give(toFeed(mixedFeed))
    const dryRun = await importing(["--dry-run", path])
    expect(dryRun.stderr).toStartWith(
      `an earlier import of ${path} was interrupted after line 3; import it again to complete it\n`,
    )
    expect(await importing([path])).toEqual({
      status: 1,
      accepted: 4,
      rejected: 2,
      stderr: `an earlier import of ${path} was interrupted after line 3; this one completes it\n${mixedFeedErrors}`,
    })
    expect((await importing([path])).stderr).toBe(mixedFeedErrors)
  })

  test("is not mentioned for standard input, which may be another feed", async () => {
    const cut = await spawnPazar(folder, ["import", "-"])
    cut.child.stdin?.write(toFeed(validFeed))
    await whenStored()
    await killTree(cut)
    expect((await importing(["-"], { input: toFeed(validFeed) })).stderr).toBe("")
  })
})
