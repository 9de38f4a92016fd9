import { expect, test } from "bun:test"
import type { TravellingKey } from "../../domain/feed/feed.ts"
import { SealBroken } from "../../domain/values/error.ts"
import { createKeyVault, createTravelVault } from "../vaults.ts"

const master = new Uint8Array(32).fill(7)
const vault = createTravelVault(master)
const key: TravellingKey = {
  id: "key_0123456789abcdef",
  username: "elif",
  kind: "vk",
  itemIds: [1, 2],
  createdAt: "2026-01-01T00:00:00Z",
  expiresAt: "2027-01-01T00:00:00Z",
  revokedAt: null,
  replacedAt: null,
}

test("the same key gives the same bytes, another key others", () => {
  const sealed = vault.sealKey("a secret", key)
  expect(createTravelVault(master).sealKey("a secret", key)).toEqual(sealed)
  const nonce = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 12)).toString("hex")
  const others = [
    vault.sealKey("a secreT", key),
    vault.sealKey("a secret", { ...key, itemIds: null }),
    vault.sealKey("a secret", { ...key, expiresAt: null }),
  ]
  expect(new Set([sealed, ...others].map(nonce)).size).toBe(4)
})

test("it opens for exactly this key and master key, and never as the copy at rest", () => {
  const sealed = vault.sealKey("a secret", key)
  expect(vault.unsealKey(sealed, key)).toBe("a secret")
  const other = createTravelVault(new Uint8Array(32).fill(8))
  expect(() => other.unsealKey(sealed, key)).toThrow(SealBroken)
  expect(() => vault.unsealKey(sealed, { ...key, itemIds: [1] })).toThrow(SealBroken)
  expect(() => createKeyVault(master).unseal(sealed, key)).toThrow(SealBroken)
})

test("the seal of a feed depends on every byte, their order and the master key", () => {
  const render = (travel: typeof vault, ...parts: string[]) => {
    const seal = travel.createFeedSeal()
    for (const part of parts) seal.add(Buffer.from(part))
    return seal.render()
  }
  expect(render(vault, "ab", "c")).toBe(render(vault, "a", "bc"))
  expect(render(vault, "acb")).not.toBe(render(vault, "abc"))
  expect(render(createTravelVault(new Uint8Array(32)), "abc")).not.toBe(render(vault, "abc"))
})
