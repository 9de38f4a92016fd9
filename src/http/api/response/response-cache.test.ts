import { describe, expect, test } from "bun:test"
import { createResponseCache, entryBytesMax } from "./response-cache.ts"

const blob = (length: number) => new Blob([new Uint8Array(length)])

/** A cache, and the tags that were loaded. */
function open(make: (tag: string) => Promise<Blob | null>) {
  const made: string[] = []
  const cache = createResponseCache()
  const find = (tag: string) =>
    cache.get(tag, () => {
      made.push(tag)
      return make(tag)
    })
  return { find, made }
}

test("the first reader makes it, and then it is at hand: the same blob for all, which the runtime does not copy", async () => {
  const { find, made } = open(async () => blob(3))
  const first = await find("a")
  expect(first?.size).toBe(3)
  expect(find("a")).toBe(first)
  expect(made).toEqual(["a"])
})

test("readers that come meanwhile wait for the first", async () => {
  const { promise, resolve } = Promise.withResolvers<Blob>()
  const { find, made } = open(() => promise)
  const readers = [1, 2, 3].map(() => find("a"))
  resolve(blob(1))
  const [first, ...others] = await Promise.all(readers)
  expect(first).toBeInstanceOf(Blob)
  for (const other of others) expect(other).toBe(first ?? null)
  expect(made).toEqual(["a"])
})

test("where the first fails, the others go on alone, and the next reader tries again", async () => {
  const fault = new Error("the disk is on fire")
  const { promise, reject } = Promise.withResolvers<Blob>()
  const { find, made } = open(() => promise)
  const [first, other] = [find("a"), find("a")]
  reject(fault)
  expect(await other).toBeNull()
  await expect(Promise.resolve(first)).rejects.toBe(fault)
  expect(made).toEqual(["a"])
  await expect(Promise.resolve(find("a"))).rejects.toBe(fault)
  expect(made).toEqual(["a", "a"])
})

test("four are made at a time: the readers of a fifth wait for their turn", async () => {
  const { promise, resolve } = Promise.withResolvers<Blob>()
  const { find, made } = open(() => promise)
  const readers = ["a", "b", "c", "d", "e", "e"].map(find)
  expect(made).toEqual(["a", "b", "c", "d"])
  resolve(blob(1))
  for (const found of await Promise.all(readers)) expect(found).toBeInstanceOf(Blob)
  expect(made).toEqual(["a", "b", "c", "d", "e"])
})

describe("is neither kept nor made again:", () => {
  test.each([
    ["what changed while it was made", async () => null],
    ["what is too long", async () => blob(entryBytesMax + 1)],
  ])("%s", async (_, make) => {
    const { find, made } = open(make)
    for (let round = 0; round < 3; round++) expect(await find("a")).toBeNull()
    expect(made).toEqual(["a"])
  })
})

test("it holds so much, and what was not asked for the longest goes first", async () => {
  const { find } = open(async () => blob(entryBytesMax))
  for (const tag of ["a", "b", "c", "d", "a", "e", "e", "f", "f"]) await find(tag)
  expect(["d", "a", "e", "f"].map(find).every((found) => found instanceof Blob)).toBe(true)
  expect(find("b")).toBeInstanceOf(Promise)
})

test("of more than it holds, asked for in turn, it goes on to hold the same", async () => {
  const { find, made } = open(async () => blob(entryBytesMax))
  for (let round = 0; round < 3; round++) {
    for (const tag of ["a", "b", "c", "d", "e", "f"]) await find(tag)
  }
  expect(made).toEqual(["a", "b", "c", "d", "e", "f", "e", "f", "e", "f"])
})
