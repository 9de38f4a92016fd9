import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { marketplace } from "../../tests/harness/feed/arbitraries.ts"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { listProblems } from "../../tests/harness/http/openapi-fetch.ts"
import { type Program, startProgram } from "../../tests/harness/program.ts"
import { account, item, type Line, purchase, videoMedia } from "../../tests/harness/records.ts"
import { exportFeed } from "./feed-operations.ts"

async function withProgram<T>(use: (program: Program) => Promise<T>): Promise<T> {
  const program = await startProgram()
  try {
    return await use(program)
  } finally {
    await program.close()
  }
}

const parseLines = (feed: string): Line[] =>
  feed
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))

describe("for any marketplace", () => {
  test("export, import into an empty database and export again produces identical bytes", async () => {
    await fc.assert(
      fc.asyncProperty(marketplace, async (lines) => {
        const first = await withProgram(async (program) => {
          expect(await program.load(lines)).toMatchObject({
            accepted: lines.length,
            rejectedLines: [],
          })
          return program.dump()
        })
        const second = await withProgram(async (program) => {
          expect(await program.load(first)).toMatchObject({
            accepted: lines.length,
            rejectedLines: [],
          })
          return program.dump()
        })
        expect(second).toBe(first)
        expect(parseLines(first)).toHaveLength(lines.length)
      }),
      { numRuns: propertyRuns(40) },
    )
  })

  test("the order of the import makes no difference", async () => {
    await fc.assert(
      fc.asyncProperty(marketplace, fc.infiniteStream(fc.nat()), async (lines, numbers) => {
        const shuffled = lines
          .map((line) => ({ line, at: numbers.next().value ?? 0 }))
          .sort((one, other) => order(one.line) - order(other.line) || one.at - other.at)
          .map(({ line }) => line)
        const [one, other] = await Promise.all(
          [lines, shuffled].map((feed) =>
            withProgram(async (program) => {
              await program.load(feed)
              return program.dump()
            }),
          ),
        )
        expect(other).toBe(one ?? "")
      }),
      { numRuns: 15 },
    )
  })
})

const order = ({ type }: Line) => ["account", "item", "purchase"].indexOf(String(type))

test("a record is exported whole, with defaults for missing fields", async () => {
  const lines = [
    account("elif"),
    item("elif", 10, { media: videoMedia, version: "2" }),
    item("elif", 11, { hidden: true }),
    purchase("code-1", 10, { supported_until: "2026-01-02T03:04:05+03:00", revoked: true }),
    purchase("code-2", 10),
  ]
  const exported = await withProgram(async (program) => {
    await program.load(lines)
    return parseLines(await program.dump())
  })
  expect(exported).toEqual([
    account("elif"),
    item("elif", 10, { media: videoMedia, version: "2.0.0", hidden: false }),
    item("elif", 11, { hidden: true }),
    purchase("code-1", 10, { supported_until: "2026-01-02T00:04:05Z", revoked: true }),
    purchase("code-2", 10, { revoked: false }),
  ])
  const { type: _, author: __, hidden: ___, ...fields } = exported[1] ?? {}
  expect(listProblems("Item", fields)).toEqual([])
})

test("accounts are sorted by name, items by id, purchases by code, case-insensitively", async () => {
  const codes = ["b", "B", "a", "C", "Ç", "ç", "1"]
  const lines = [
    ...["zoe", "Elif", "elif", "çağla", "😀", "\uff5e"].map((name) => account(name)),
    ...[100, 9, 2 ** 53 - 1].map((id) => item("elif", id)),
    ...codes.map((code) => purchase(code, 9)),
  ]
  const exported = await withProgram(async (program) => {
    await program.load(lines)
    return parseLines(await program.dump())
  })
  expect(
    exported.map(({ type, username, id, purchase_code }) =>
      type === "account" ? username : type === "item" ? id : purchase_code,
    ),
  ).toEqual([
    ...["Elif", "elif", "zoe", "çağla", "\uff5e", "😀"],
    ...[9, 100, 2 ** 53 - 1],
    ...["1", "a", "B", "b", "C", "Ç", "ç"],
  ])
})

test("an export contains no keys and no passwords", async () => {
  const exported = await withProgram(async (program) => {
    await program.load([account("elif", { api_key: "an old key" })])
    const { key } = await program.issue("elif")
    await program.app.store.passwords.put(key.accountId, "a hash")
    return program.dump()
  })
  expect(parseLines(exported)).toEqual([account("elif")])
})

test("more records than a page are exported once each, from one snapshot", async () => {
  const items = Array.from({ length: 2_500 }, (_, at) => item("elif", at + 1))
  await withProgram(async (program) => {
    await program.load([account("elif"), ...items])
    let text = ""
    const records = await exportFeed(program.app.store.feed, async (lines) => {
      text += lines
      // The export does not contain changes made while it runs.
      await program.load([{ type: "item", id: 2_500, deleted: true }, item("elif", 9_999)])
    })
    expect(records).toBe(2_501)
    expect(parseLines(text).map(({ id }) => id)).toEqual([undefined, ...items.map(({ id }) => id)])
  })
})
