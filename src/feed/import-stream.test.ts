import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { type Loaded, type Program, startProgram } from "../../tests/harness/program.ts"
import { account, item, purchase, toFeed } from "../../tests/harness/records.ts"
import { until } from "../../tests/harness/until.ts"
import { type FeedImport, importFeed } from "./feed-operations.ts"
import { asOfWrite, lineBytesMax } from "./parse-line.ts"

let program: Program
beforeEach(async () => {
  program = await startProgram()
})
afterEach(() => program.close())

const elif = account("elif")
const theme = item("elif", 1)
const sale = purchase("code-1", 1)

const refund = { type: "purchase", purchase_code: "code-9", patch: true, revoked: true }

test("rejected lines are reported in order, however bytes and batches are split", async () => {
  const feed = `${toFeed([elif])}{"type":\n\n${toFeed([refund, theme])}null`
  const long = `{"long":"${"x".repeat(2 * lineBytesMax)}"}`
  const bytes = new TextEncoder().encode(`${feed}\n${long}\n${toFeed([sale])}[]`)
  const whole = await program.load(bytes, "dry run")
  expect([whole.accepted, whole.rejectedLines.map(({ line }) => line)]).toEqual([
    3,
    [2, 4, 6, 7, 9],
  ])
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 400_000 }),
      fc.integer({ min: 1, max: 7 }),
      async (chunkBytes, batchRecords) => {
        // Chunks are short only before the long line, to keep the test fast.
        const sizes = (at: number) => (at < 2_000 ? chunkBytes % 500 : Math.max(chunkBytes, 50_000))
        const loaded = await importChunks(chunksOf(bytes, sizes), "dry run", batchRecords)
        expect(loaded).toEqual(whole)
      },
    ),
    { numRuns: propertyRuns(30) },
  )
})

describe("an interrupted feed", () => {
  async function* breakingOff(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(toFeed([elif, theme, item("elif", 2)]))
    throw new Error("the line went dead")
  }

  test("saves whole batches and is recorded as unfinished", async () => {
    await expect(importChunks(breakingOff(), "batches", 2)).rejects.toThrow("the line went dead")
    expect(await storedIdentities()).toEqual(["elif", 1])
    expect(await program.app.store.feed.findLastRun("chunks")).toMatchObject({
      line: 2,
      finishedAt: null,
    })
  })

  test("saves nothing if it was strict", async () => {
    const strict = importFeed({
      ...optionsFor(breakingOff(), "strict", 2),
      readBytes: breakingOff,
    })
    await expect(strict).rejects.toThrow("the line went dead")
    expect(await program.dump()).toBe("")
    expect(await program.load([elif])).toMatchObject({ accepted: 1, rejected: 0 })
  })
})

test("a record from a slow pipe is saved while the pipe stays open", async () => {
  const pipe = Promise.withResolvers<void>()
  async function* trickle(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(toFeed([elif]))
    await pipe.promise
  }
  const importing = importChunks(trickle(), "batches", 1_000)
  await until(async () => ((await program.dump()) === "" ? undefined : true))
  expect(await storedIdentities()).toEqual(["elif"])
  pipe.resolve()
  expect(await importing).toEqual({ accepted: 1, rejected: 0, rejectedLines: [], rejectedText: "" })
})

test.each([
  ["a batch that is full", 1],
  ["one that is not", 1_000],
])("a failure is reported immediately, even if the pipe is idle: %s", async (_, batchRecords) => {
  async function* silent(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("not JSON\n")
    await new Promise(() => {})
  }
  const failing = importFeed({
    ...optionsFor(silent(), "batches", batchRecords),
    onRejected() {
      throw new Error("the disk is full")
    },
  })
  await expect(failing).rejects.toThrow("the disk is full")
})

async function storedIdentities(): Promise<unknown[]> {
  const lines = (await program.dump()).split("\n").slice(0, -1)
  return lines.map((line) => JSON.parse(line)).map(({ username, id }) => username ?? id)
}

async function* chunksOf(
  bytes: Uint8Array,
  sizeAt: (at: number) => number,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const size = Math.max(1, sizeAt(at))
    yield bytes.subarray(at, at + size)
    at += size
  }
}

function optionsFor(
  bytes: AsyncIterable<Uint8Array>,
  mode: FeedImport["mode"],
  batchRecords: number,
): FeedImport {
  return {
    feed: program.app.store.feed,
    prepareKey: program.app.prepareKey,
    source: "chunks",
    via: "file" as const,
    readBytes: () => bytes,
    mode,
    chooseAsOf: asOfWrite,
    fullSync: null,
    batchRecords,
    now: () => new Date(),
    onRejected: () => {},
    onDefaulted: () => {},
    onProgress: () => {},
  }
}

async function importChunks(...options: Parameters<typeof optionsFor>): Promise<Loaded> {
  const rejectedLines: Loaded["rejectedLines"][number][] = []
  let rejectedText = ""
  const { counts } = await importFeed({
    ...optionsFor(...options),
    onRejected({ line, problems: [{ field, code }] }, bytes) {
      rejectedLines.push({ line, field, code })
      rejectedText += `${new TextDecoder().decode(bytes ?? undefined)}\n`
    },
  })
  const { accepted, rejected } = counts
  return { accepted, rejected, rejectedLines, rejectedText }
}
