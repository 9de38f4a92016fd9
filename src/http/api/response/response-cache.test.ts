import { describe, expect, test } from "bun:test"
import { createResponseCache, entryBytesMax } from "./response-cache.ts"

const blob = (length: number) => new Blob([new Uint8Array(length)])

function open(load: (tag: string) => Promise<Blob | null>) {
  const loaded: string[] = []
  const cache = createResponseCache()
  const find = (tag: string) =>
    cache.get(tag, () => {
      loaded.push(tag)
      return load(tag)
    })
  return { find, loaded }
}

test("the first reader loads the body; later readers get the same blob", async () => {
  const { find, loaded } = open(async () => blob(3))
  const first = await find("a")
  expect(first?.size).toBe(3)
  expect(find("a")).toBe(first)
  expect(loaded).toEqual(["a"])
})

test("concurrent readers wait for the first", async () => {
  const { promise, resolve } = Promise.withResolvers<Blob>()
  const { find, loaded } = open(() => promise)
  const readers = [1, 2, 3].map(() => find("a"))
  resolve(blob(1))
  const [first, ...others] = await Promise.all(readers)
  expect(first).toBeInstanceOf(Blob)
  for (const other of others) expect(other).toBe(first ?? null)
  expect(loaded).toEqual(["a"])
})

test("if the first load fails, concurrent readers get null, and the next reader loads again", async () => {
  const fault = new Error("the disk is on fire")
  const { promise, reject } = Promise.withResolvers<Blob>()
  const { find, loaded } = open(() => promise)
  const [first, other] = [find("a"), find("a")]
  reject(fault)
  expect(await other).toBeNull()
  await expect(Promise.resolve(first)).rejects.toBe(fault)
  expect(loaded).toEqual(["a"])
  await expect(Promise.resolve(find("a"))).rejects.toBe(fault)
  expect(loaded).toEqual(["a", "a"])
})

test("four bodies are loaded concurrently; the readers of a fifth wait", async () => {
  const { promise, resolve } = Promise.withResolvers<Blob>()
  const { find, loaded } = open(() => promise)
  const readers = ["a", "b", "c", "d", "e", "e"].map(find)
  expect(loaded).toEqual(["a", "b", "c", "d"])
  resolve(blob(1))
  for (const found of await Promise.all(readers)) expect(found).toBeInstanceOf(Blob)
  expect(loaded).toEqual(["a", "b", "c", "d", "e"])
})

describe("is neither stored nor loaded again:", () => {
  test.each([
    ["a body that changed while it was loaded", async () => null],
    ["a body that is too long", async () => blob(entryBytesMax + 1)],
  ])("%s", async (_, load) => {
    const { find, loaded } = open(load)
    for (let round = 0; round < 3; round++) expect(await find("a")).toBeNull()
    expect(loaded).toEqual(["a"])
  })
})

test("when full, it evicts the least recently used entry", async () => {
  const { find } = open(async () => blob(entryBytesMax))
  for (const tag of ["a", "b", "c", "d", "a", "e", "e", "f", "f"]) await find(tag)
  expect(["d", "a", "e", "f"].map(find).every((found) => found instanceof Blob)).toBe(true)
  expect(find("b")).toBeInstanceOf(Promise)
})

test("a rotation of more bodies than fit does not evict the stored ones", async () => {
  const { find, loaded } = open(async () => blob(entryBytesMax))
  for (let round = 0; round < 3; round++) {
    for (const tag of ["a", "b", "c", "d", "e", "f"]) await find(tag)
  }
  expect(loaded).toEqual(["a", "b", "c", "d", "e", "f", "e", "f", "e", "f"])
})
