import { describe, expect, test } from "bun:test"
import { DomainError } from "../../domain/error.ts"
import { createResponseCache, entryBytesMax } from "./response-cache.ts"

const bytes = (length: number) => new Uint8Array(length)
const settle = () => Bun.sleep(0)

/** A cache, and how often each tag was loaded. */
function open(make: (tag: string) => Promise<Uint8Array<ArrayBuffer> | null>) {
  const made: string[] = []
  const faults: unknown[] = []
  const cache = createResponseCache((fault) => faults.push(fault))
  const find = (tag: string) =>
    cache.get(tag, () => {
      made.push(tag)
      return make(tag)
    })
  return { find, made, faults }
}

test("what is missed twice is made once and then at hand", async () => {
  const { find, made } = open(async () => bytes(3))
  expect(find("a")).toBeNull()
  expect(made).toEqual([])
  expect(find("a")).toBeNull()
  await settle()
  expect(await find("a")?.bytes()).toEqual(bytes(3))
  expect(made).toEqual(["a"])
})

test("all readers get the same blob, which the runtime does not copy", async () => {
  const { find } = open(async () => bytes(3))
  for (let round = 0; round < 2; round++) find("a")
  await settle()
  expect(find("a")).toBeInstanceOf(Blob)
  expect(find("a")).toBe(find("a"))
})

test("one thing is made at a time: a rush of misses costs no more than one", async () => {
  const { promise, resolve } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
  const { find, made } = open(() => promise)
  for (let round = 0; round < 5; round++) for (const tag of ["a", "b", "c"]) find(tag)
  expect(made).toEqual(["a"])
  resolve(bytes(1))
  await settle()
  expect(await find("a")?.bytes()).toEqual(bytes(1))
})

describe("is not kept:", () => {
  test.each([
    ["what changed while it was made", async () => null],
    ["what is too long", async () => bytes(entryBytesMax + 1)],
  ])("%s, nor made again", async (_, make) => {
    const { find, made } = open(make)
    for (let round = 0; round < 6; round++) {
      expect(find("a")).toBeNull()
      await settle()
    }
    expect(made).toEqual(["a"])
  })

  test("what does not exist, which is no fault and is not tried again", async () => {
    const { find, made, faults } = open(() => Promise.reject(new DomainError("no_items")))
    for (let round = 0; round < 6; round++) {
      expect(find("a")).toBeNull()
      await settle()
    }
    expect([made, faults]).toEqual([["a"], []])
  })

  test("what could not be made, which is told", async () => {
    const fault = new Error("the disk is on fire")
    const { find, faults } = open(() => Promise.reject(fault))
    for (let round = 0; round < 2; round++) find("a")
    await settle()
    expect(find("a")).toBeNull()
    expect(faults).toEqual([fault])
  })
})

test("it holds so much, and the oldest goes first", async () => {
  const { find } = open(async () => bytes(entryBytesMax))
  for (let index = 0; index < 6; index++) {
    find(`${index}`)
    find(`${index}`)
    await settle()
  }
  const kept = Array.from({ length: 6 }, (_, index) => find(`${index}`) !== null)
  expect(kept).toEqual([false, false, true, true, true, true])
})
