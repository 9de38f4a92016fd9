import { beforeEach, describe, expect, test } from "bun:test"
import {
  type ChangedKeys,
  type FoundKey,
  publicTestKey,
  publicTestSecret,
} from "../../domain/keys/api-key.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { createKnownKeys, type KnownKeys } from "./known-keys.ts"

const key = (id: string, changes: Partial<FoundKey> = {}): FoundKey => ({
  id,
  accountId: 1,
  kind: "sk",
  itemIds: null,
  expiresAt: null,
  revokedAt: null,
  isAccountSuspended: false,
  ...changes,
})
const revoked = key("one", { revokedAt: "2026-06-15T12:00:00Z" })
const lost = new StoreUnavailable("lost")

/** A store of two keys whose verdict the test decides; `asked` counts the look-ups. */
let asked: string[]
let answer: (secret: string) => Promise<FoundKey | null>
let copy: () => Promise<FoundKey | null>
let isCurrent: boolean
let isStoreLost: boolean
let tell: (changed: ChangedKeys) => void
let known: KnownKeys
const find = (secret: string) => known.findCached(secret) ?? known.lookUp(secret)

beforeEach(() => {
  asked = []
  answer = async (secret) => (secret === "nobody" ? null : key(secret))
  copy = () => Promise.reject(lost)
  isCurrent = true
  isStoreLost = false
  known = createKnownKeys({
    vault: { lookups: (secret) => [Buffer.from(secret)] },
    refreshMasterKeys: async () => {},
    keys: {
      findByLookup(lookup) {
        const secret = Buffer.from(lookup).toString()
        asked.push(secret)
        return answer(secret)
      },
    },
    keyChanges: {
      watch: (onChange) => {
        tell = onChange
      },
      catchUp: () => isCurrent,
      isStoreLost: () => isStoreLost,
      findCopy: () => copy(),
    },
  })
})

describe("while the store tells of every change", () => {
  test("a key is looked up once, then answered at once", async () => {
    expect(await find("one")).toEqual(key("one"))
    expect(find("one")).toEqual(key("one"))
    expect(asked).toEqual(["one"])
  })

  test.each(["null", "undefined", "N/A", "0"])(
    "%p is no key, also where the store has it",
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

  test("a key that nobody has is asked for every time", async () => {
    expect(await find("nobody")).toBeNull()
    expect(await find("nobody")).toBeNull()
    expect(asked).toEqual(["nobody", "nobody"])
  })

  test("a key whose checksum is wrong is nobody's, unasked", async () => {
    expect(await find(`pzr_sk_${"0".repeat(36)}`)).toBeNull()
    expect(asked).toEqual([])
  })

  test("a key that changed is asked for again, and no other", async () => {
    await find("one")
    await find("two")
    tell(["one"])
    await find("one")
    await find("two")
    expect(asked).toEqual(["one", "two", "one"])
    tell("all")
    await find("two")
    expect(asked).toEqual(["one", "two", "one", "two"])
  })

  test("a key of the older half that changed is asked for again", async () => {
    const secrets = Array.from({ length: 100_001 }, (_, at) => `key ${at}`)
    for (const secret of secrets) await find(secret)
    tell(["key 0", "key 100000"])
    asked = []
    for (const at of [0, 1, 100_000]) await find(`key ${at}`)
    expect(asked).toEqual(["key 0", "key 100000"])
  })

  test("what was under way when a change was told is not remembered", async () => {
    const { promise, resolve } = Promise.withResolvers<FoundKey>()
    answer = () => promise
    const finding = find("one")
    tell(["one"])
    resolve(key("one"))
    await finding
    answer = async () => revoked
    expect(await find("one")).toEqual(revoked)
  })
})

describe("while it does not", () => {
  beforeEach(async () => {
    await find("one")
    isCurrent = false
  })

  test("every key is asked for", async () => {
    answer = async () => revoked
    expect(await find("one")).toEqual(revoked)
  })

  test("and it cannot be asked: a known key is what a copy says it is", async () => {
    answer = () => Promise.reject(lost)
    copy = async () => revoked
    expect(await find("one")).toEqual(revoked)
    copy = async () => key("one")
    expect(await find("one")).toEqual(key("one"))
  })

  test("and is known to be lost: it is not asked at all", async () => {
    isStoreLost = true
    copy = async () => key("one")
    expect(await find("one")).toEqual(key("one"))
    expect(asked).toEqual(["one"])
  })

  test("a copy that lacks a known key is behind: no answer", async () => {
    answer = () => Promise.reject(lost)
    copy = async () => null
    await expect(find("one")).rejects.toThrow(StoreUnavailable)
  })

  test("a key that was not known is not taken from a copy", async () => {
    answer = () => Promise.reject(lost)
    copy = async () => key("two")
    await expect(find("two")).rejects.toBe(lost)
  })

  test("a bug is not taken for trouble", async () => {
    const bug = new TypeError("undefined is not a function")
    answer = () => Promise.reject(bug)
    copy = async () => key("one")
    await expect(find("one")).rejects.toBe(bug)
  })
})

test("a known key that was revoked stays so, whatever a copy says", async () => {
  answer = async () => revoked
  await find("one")
  isCurrent = false
  isStoreLost = true
  copy = async () => key("one")
  expect(await find("one")).toEqual(revoked)
})

test("the public test key is accepted without the store, in every state of it", () => {
  expect(find(publicTestSecret)).toEqual(publicTestKey)
  tell("all")
  isCurrent = false
  isStoreLost = true
  expect(find(publicTestSecret)).toEqual(publicTestKey)
  expect(asked).toEqual([])
})
