import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  caller,
  openSmallStore,
  rejectionOf,
  type SmallStore,
} from "../../../tests/harness/stores/small-store.ts"
import { authenticate } from "./authenticate.ts"
import { revokeKey } from "./change-key.ts"
import { importKey, type Overlap, rotateKey } from "./issue-key.ts"

let small: SmallStore
beforeEach(async () => {
  small = await openSmallStore()
})
afterEach(() => small.close())

const outcome = (secret: string) =>
  Promise.try(() => authenticate(small.services, secret, caller)).then(
    () => "works",
    (error) => error.reason,
  )

describe("the old key", () => {
  const overlaps: readonly (readonly [Overlap, number])[] = [
    ["0", 0],
    ["1h", 3_600],
    ["1d", 86_400],
    ["7d", 604_800],
  ]
  test.each(overlaps)(
    "works for an overlap of %s beside the new one, and no longer",
    async (overlap, seconds) => {
      const old = await small.issue()
      const fresh = await rotateKey(small.services, old.key, overlap)
      const both = async () => [await outcome(old.secret), await outcome(fresh.secret)]
      if (seconds > 0) {
        small.clock.forward(seconds - 1)
        expect(await both()).toEqual(["works", "works"])
        small.clock.forward(1)
      }
      expect(await both()).toEqual(["expired_key", "works"])
    },
  )

  test("never lives past its own expiry", async () => {
    const old = await small.issue({ expiresAt: "2026-06-15T13:00:00Z" })
    await rotateKey(small.services, old.key, "7d")
    expect((await small.find(old.key.id)).expiresAt).toBe("2026-06-15T13:00:00Z")
  })

  test("ends before its own expiry when the overlap does", async () => {
    const old = await small.issue({ expiresAt: "2026-06-17T12:00:00Z" })
    await rotateKey(small.services, old.key, "1d")
    expect((await small.find(old.key.id)).expiresAt).toBe("2026-06-16T12:00:00Z")
  })
})

describe("the new key", () => {
  test("has the old one's name, rights and expiry, and a secret of its own", async () => {
    const options = { kind: "vk", name: "Eklenti", itemIds: [1, 2] } as const
    const old = await small.issue({ ...options, expiresAt: "2026-07-01T00:00:00Z" })
    small.clock.forward(60)
    const fresh = await rotateKey(small.services, old.key, "1d")
    expect(fresh.key).toEqual({
      ...old.key,
      id: fresh.key.id,
      lookup: small.services.keyCipher.lookup(fresh.secret),
      encrypted: fresh.key.encrypted,
      createdAt: "2026-06-15T12:01:00Z",
    })
    expect([fresh.key.id, fresh.secret]).not.toEqual([old.key.id, old.secret])
    expect(await small.find(fresh.key.id)).toEqual(fresh.key)
  })

  test("can be shown after its account was renamed while it was made", async () => {
    const { services } = small
    const { key: old } = await small.issue()
    const { key, secret } = await rotateKey(services, { ...old, username: "earlier" }, "0")
    const stored = await small.find(key.id)
    expect(services.keyCipher.decrypt(stored.encrypted, stored)).toBe(secret)
  })

  test("of an imported key is a secret key", async () => {
    const { services, ada } = small
    const imported = importKey(services.keyCipher, services.now, "ada", "kept-key")
    const old = { ...imported, accountId: ada.id, replacedBy: null, isSiteRequired: false }
    await services.keys.insert(old)
    const fresh = await rotateKey(services, old, "1h")
    expect(fresh.secret).toMatch(/^pzr_sk_/)
    expect(fresh.key.kind).toBe("sk")
    expect([await outcome("kept-key"), await outcome(fresh.secret)]).toEqual(["works", "works"])
  })

  test("has the id it was given", async () => {
    const old = await small.issue()
    const fresh = await rotateKey(small.services, old.key, "0", { id: "key_0123456789abcdef" })
    expect(fresh.key.id).toBe("key_0123456789abcdef")
  })

  test("is not made when its id is taken, and the old one goes on", async () => {
    const old = await small.issue()
    await expect(rotateKey(small.services, old.key, "0", { id: old.key.id })).rejects.toThrow()
    expect(await outcome(old.secret)).toBe("works")
  })
})

test("replacing leaves its event on the old key", async () => {
  const old = await small.issue()
  small.clock.forward(60)
  await rotateKey(small.services, old.key, "1d")
  expect((await small.events()).at(-1)).toEqual(
    small.keyEvent(old.key.id, "replaced", "2026-06-15T12:01:00Z"),
  )
})

describe("refused, and nothing changes:", () => {
  async function refused(keyId: string): Promise<string> {
    const before = [await small.services.keys.list(small.ada.id), await small.events()]
    const refusal = await rejectionOf(rotateKey(small.services, await small.find(keyId), "7d"))
    const after = [await small.services.keys.list(small.ada.id), await small.events()]
    expect(after).toEqual(before)
    return refusal
  }

  test("a revoked key", async () => {
    const { key } = await small.issue()
    await revokeKey(small.services, key)
    expect(await refused(key.id)).toMatch(new RegExp(`^UserError: .*${key.id}`))
  })

  test("an expired key, from the very second on", async () => {
    const { key } = await small.issue({ expiresAt: "2026-06-15T12:00:10Z" })
    small.clock.forward(10)
    expect(await refused(key.id)).toMatch(new RegExp(`^UserError: .*${key.id}`))
  })

  test("a key whose overlap is over", async () => {
    const { key } = await small.issue()
    await rotateKey(small.services, key, "1h")
    small.clock.forward(3_600)
    expect(await refused(key.id)).toMatch(new RegExp(`^UserError: .*${key.id}`))
  })

  test("a key that is replaced already, while it lives on", async () => {
    const { key } = await small.issue()
    const fresh = await rotateKey(small.services, key, "7d")
    expect(await refused(key.id)).toMatch(new RegExp(`^UserError: .*${key.id}`))
    const next = await rotateKey(small.services, fresh.key, "7d")
    expect(next.key.expiresAt).toBeNull()
  })
})

test("an account with a hundred keys may replace them, with an overlap each of them once", async () => {
  let newest = (await Promise.all(Array.from({ length: 100 }, () => small.issue())))[0]?.key
  const rotate = async (overlap: Overlap) => {
    if (newest === undefined) throw new Error("there is no key")
    newest = (await rotateKey(small.services, newest, overlap)).key
  }
  for (let count = 0; count < 100; count += 1) await rotate("7d")
  expect(await rejectionOf(rotate("7d"))).toMatch(/^UserError: .*\bada\b/)
  expect(await rejectionOf(rotate("0"))).toBe("no refusal")
})
