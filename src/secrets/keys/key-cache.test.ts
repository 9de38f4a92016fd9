import { beforeEach, expect, test } from "bun:test"
import {
  type FoundKey,
  publicTestKey,
  publicTestSecret,
  type StoredKey,
} from "../../domain/keys/api-key.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { createKeyCache, type KeyCache } from "./key-cache.ts"

const key = (id: string, changes: Partial<FoundKey> = {}): FoundKey => ({
  id,
  accountId: 1,
  kind: "sk",
  itemIds: null,
  isSiteRequired: false,
  expiresAt: null,
  revokedAt: null,
  isAccountSuspended: false,
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

/** A store whose answer the test decides; `asked` lists the look-ups. */
let asked: string[]
let answer: (secret: string) => Promise<FoundKey | null>
let nowMs: number
let known: KeyCache
const find = (secret: string) => known.findCached(secret) ?? known.lookUp(secret)

beforeEach(() => {
  asked = []
  answer = async (secret) => (secret === "nobody" ? null : key(secret))
  nowMs = 0
  known = createKeyCache({
    keyCipher: { lookups: (secret) => [Buffer.from(secret)] },
    keys: {
      findByLookup(lookup) {
        const secret = Buffer.from(lookup).toString()
        asked.push(secret)
        return answer(secret)
      },
      revoke: async () => {},
      rotate: async () => true,
    },
    nowMs: () => nowMs,
  })
})

test("a key is looked up once a second, and meanwhile returned without a promise", async () => {
  expect(await find("one")).toEqual(key("one"))
  nowMs = 999
  expect(find("one")).toEqual(key("one"))
  expect(asked).toEqual(["one"])
  nowMs = 1_000
  answer = async () => revoked
  expect(await find("one")).toEqual(revoked)
})

test("the second begins when the store is asked, not when it answers", async () => {
  answer = async (secret) => {
    nowMs = 600
    return key(secret)
  }
  await find("one")
  nowMs = 1_000
  answer = async () => revoked
  expect(await find("one")).toEqual(revoked)
})

test("a key is not accepted for longer while the store cannot be read", async () => {
  await find("one")
  nowMs = 1_000
  const lost = new StoreUnavailable("lost")
  answer = () => Promise.reject(lost)
  await expect(find("one")).rejects.toBe(lost)
})

test.each(["revoke", "replace"] as const)(
  "a key is read again after %s, and no other",
  async (change) => {
    await find("one")
    await find("two")
    if (change === "revoke") await known.changes.revoke("one", "2026-06-15T12:00:00Z")
    else await known.changes.rotate("one", "2026-06-15T12:00:00Z", { ...stored, id: "new" })
    await find("one")
    await find("two")
    expect(asked).toEqual(["one", "two", "one"])
  },
)

test.each(["null", "undefined", "N/A", "0"])(
  "%p is not a key, even if the store has it",
  async (text) => {
    expect(await find(text)).toBeNull()
    expect(asked).toEqual([])
  },
)

test("no more than 200,000 keys are cached, and the older half makes room", async () => {
  const secrets = Array.from({ length: 200_001 }, (_, at) => `key ${at}`)
  for (const secret of secrets) await find(secret)
  asked = []
  for (const at of [200_000, 100_000, 99_999]) await find(`key ${at}`)
  expect(asked).toEqual(["key 99999"])
})

test("an unknown key is looked up every time", async () => {
  expect(await find("nobody")).toBeNull()
  expect(await find("nobody")).toBeNull()
  expect(asked).toEqual(["nobody", "nobody"])
})

test("a key whose checksum is wrong is unknown without a look-up", async () => {
  expect(await find(`pzr_sk_${"0".repeat(36)}`)).toBeNull()
  expect(asked).toEqual([])
})

test("the public test key is accepted without the store", async () => {
  expect(await find(publicTestSecret)).toEqual(publicTestKey)
  expect(asked).toEqual([])
})
