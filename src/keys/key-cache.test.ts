import { beforeEach, expect, test } from "bun:test"
import { type FoundKey, publicTestKey, publicTestSecret } from "../contract/operation.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { createKeyCache, type KeyCache } from "./authenticate-operations.ts"
import type { StoredKey } from "./key.ts"

const key = (id: string, changes: Partial<FoundKey> = {}): FoundKey => ({
  id,
  accountId: 1,
  kind: "sk",
  itemIds: null,
  isSiteRequired: false,
  scope: null,
  expiresAt: null,
  revokedAt: null,
  replacedAt: null,
  isLeaked: false,
  isSuspended: false,
  ...changes,
})
const revoked = key("one", { revokedAt: "2026-06-15T12:00:00Z" })

const stored: StoredKey = {
  ...key("one"),
  username: "ada",
  name: "",
  lookup: new Uint8Array(),
  encrypted: new Uint8Array(),
  createdAt: "2026-06-15T12:00:00Z",
  replacedAt: null,
  replacedBy: null,
}

let lookups: string[]
let findInStore: (secret: string) => Promise<FoundKey | null>
let nowMs: number
let cache: KeyCache
const find = (secret: string) => cache.findCached(secret) ?? cache.lookUp(secret)

beforeEach(() => {
  lookups = []
  findInStore = async (secret) => (secret === "nobody" ? null : key(secret))
  nowMs = 0
  cache = createKeyCache({
    keyCipher: { lookups: (secret: string) => [Buffer.from(secret)] },
    keys: {
      findByLookup(lookup) {
        const secret = Buffer.from(lookup).toString()
        lookups.push(secret)
        return findInStore(secret)
      },
      revoke: async () => {},
      rotate: async () => true,
    },
    nowMs: () => nowMs,
  })
})

test("a key is looked up once a second; a cached key is returned without a promise", async () => {
  expect(await find("one")).toEqual(key("one"))
  nowMs = 999
  expect(find("one")).toEqual(key("one"))
  expect(lookups).toEqual(["one"])
  nowMs = 1_000
  findInStore = async () => revoked
  expect(await find("one")).toEqual(revoked)
})

test("the second starts with the lookup, not with its result", async () => {
  findInStore = async (secret) => {
    nowMs = 600
    return key(secret)
  }
  await find("one")
  nowMs = 1_000
  findInStore = async () => revoked
  expect(await find("one")).toEqual(revoked)
})

test("a cached key expires even if the store is unavailable", async () => {
  await find("one")
  nowMs = 1_000
  const lost = new StoreUnavailable("lost")
  findInStore = () => Promise.reject(lost)
  await expect(find("one")).rejects.toBe(lost)
})

test.each(["revoke", "rotate"] as const)(
  "%s evicts the key from the cache, and no other key",
  async (change) => {
    await find("one")
    await find("two")
    if (change === "revoke") await cache.changes.revoke("one", "2026-06-15T12:00:00Z")
    else await cache.changes.rotate("one", "2026-06-15T12:00:00Z", { ...stored, id: "new" })
    await find("one")
    await find("two")
    expect(lookups).toEqual(["one", "two", "one"])
  },
)

test.each(["null", "undefined", "N/A", "0"])(
  "%p is not a key, even if the store has it",
  async (text) => {
    expect(await find(text)).toBeNull()
    expect(lookups).toEqual([])
  },
)

test("at most 200,000 keys are cached, and the older half is evicted", async () => {
  const secrets = Array.from({ length: 200_001 }, (_, at) => `key ${at}`)
  for (const secret of secrets) await find(secret)
  lookups = []
  for (const at of [200_000, 100_000, 99_999]) await find(`key ${at}`)
  expect(lookups).toEqual(["key 99999"])
})

test("a key that is re-encrypted after a read is found, whichever master key is the current one", async () => {
  let storedAs = "old one"
  const rotating = createKeyCache({
    keyCipher: {
      lookups: (secret) => [Buffer.from(`new ${secret}`), Buffer.from(`old ${secret}`)],
    },
    keys: {
      async findByLookup(...lookups) {
        const isFound = lookups.some((lookup) => Buffer.from(lookup).toString() === storedAs)
        storedAs = "new one"
        return isFound ? key("one") : null
      },
      revoke: async () => {},
      rotate: async () => true,
    },
    nowMs: () => 0,
  })
  expect(await rotating.lookUp("one")).toEqual(key("one"))
})

test("an unknown key is looked up every time", async () => {
  expect(await find("nobody")).toBeNull()
  expect(await find("nobody")).toBeNull()
  expect(lookups).toEqual(["nobody", "nobody"])
})

test("a key with a wrong checksum is unknown without a lookup", async () => {
  expect(await find(`pzr_sk_${"0".repeat(36)}`)).toBeNull()
  expect(lookups).toEqual([])
})

test("the public test key is accepted without the store", async () => {
  expect(await find(publicTestSecret)).toEqual(publicTestKey)
  expect(lookups).toEqual([])
})
