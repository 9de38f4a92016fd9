import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  caller,
  openSmallStore,
  rejectionOf,
  type SmallStore,
} from "../../tests/harness/stores/small-store.ts"
import { accountRecord, put } from "../../tests/harness/stores/store-records.ts"
import type { Overlap } from "../access/rotation-overlap.ts"
import { authenticate } from "./authenticate-operations.ts"
import { importKey, revokeKey, rotateKey } from "./key-operations.ts"

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

  test("never outlives its own expiry", async () => {
    const old = await small.issue({ expiresAt: "2026-06-15T13:00:00Z" })
    await rotateKey(small.services, old.key, "7d")
    expect((await small.find(old.key.id)).expiresAt).toBe("2026-06-15T13:00:00Z")
  })

  test("ends with the overlap period, before its own expiry", async () => {
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

  test("of an imported key is a secret key", async () => {
    const { services } = small
    const key = importKey(services.keyCipher, services.now, "kept-key")
    await put(services, accountRecord("ada", undefined, null, key))
    const fresh = await rotateKey(services, await small.find(key.id), "1h")
    expect(fresh.secret).toMatch(/^pzr_sk_/)
    expect(fresh.key.kind).toBe("sk")
    expect([await outcome("kept-key"), await outcome(fresh.secret)]).toEqual(["works", "works"])
  })

  test("has the requested id", async () => {
    const old = await small.issue()
    const fresh = await rotateKey(small.services, old.key, "0", { id: "key_0123456789abcdef" })
    expect(fresh.key.id).toBe("key_0123456789abcdef")
  })

  test("is not created if its id exists, and the old one stays active", async () => {
    const old = await small.issue()
    await expect(rotateKey(small.services, old.key, "0", { id: old.key.id })).rejects.toThrow()
    expect(await outcome(old.secret)).toBe("works")
  })
})

test("a rotation records an event of the old key", async () => {
  const old = await small.issue()
  small.clock.forward(60)
  await rotateKey(small.services, old.key, "1d")
  expect((await small.events()).at(-1)).toEqual(
    small.keyEvent(old.key.id, "replaced", "2026-06-15T12:01:00Z"),
  )
})

describe("rejected, and nothing changes:", () => {
  async function rejectionOfRotation(keyId: string): Promise<string> {
    const before = [await small.services.keys.list(small.ada.id), await small.events()]
    const rejection = await rejectionOf(rotateKey(small.services, await small.find(keyId), "7d"))
    const after = [await small.services.keys.list(small.ada.id), await small.events()]
    expect(after).toEqual(before)
    return rejection
  }

  test("a revoked key", async () => {
    const { key } = await small.issue()
    await revokeKey(small.services, key)
    expect(await rejectionOfRotation(key.id)).toMatch(new RegExp(`^UserError: .*${key.id}`))
  })

  test("an expired key, from the second of its expiry", async () => {
    const { key } = await small.issue({ expiresAt: "2026-06-15T12:00:10Z" })
    small.clock.forward(10)
    expect(await rejectionOfRotation(key.id)).toMatch(new RegExp(`^UserError: .*${key.id}`))
  })

  test("a key after its overlap period", async () => {
    const { key } = await small.issue()
    await rotateKey(small.services, key, "1h")
    small.clock.forward(3_600)
    expect(await rejectionOfRotation(key.id)).toMatch(new RegExp(`^UserError: .*${key.id}`))
  })

  test("a key that was already rotated, in its overlap period", async () => {
    const { key } = await small.issue()
    const fresh = await rotateKey(small.services, key, "7d")
    expect(await rejectionOfRotation(key.id)).toMatch(new RegExp(`^UserError: .*${key.id}`))
    const next = await rotateKey(small.services, fresh.key, "7d")
    expect(next.key.expiresAt).toBeNull()
  })
})

test("an account with a hundred keys can rotate each of them once with an overlap period", async () => {
  let newest = (await Promise.all(Array.from({ length: 100 }, () => small.issue())))[0]?.key
  const rotate = async (overlap: Overlap) => {
    if (newest === undefined) throw new Error("there is no key")
    newest = (await rotateKey(small.services, newest, overlap)).key
  }
  for (let count = 0; count < 100; count += 1) await rotate("7d")
  expect(await rejectionOf(rotate("7d"))).toMatch(/^UserError: .*\bada\b/)
  expect(await rejectionOf(rotate("0"))).toBe("not rejected")
})
