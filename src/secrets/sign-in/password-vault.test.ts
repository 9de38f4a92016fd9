import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { SealBroken } from "../../domain/values/error.ts"
import { createKeyVault, createPasswordVault } from "../vaults.ts"

const master = new Uint8Array(32).fill(7)
const vault = createPasswordVault(master)
const hash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"
const sealedByThisRelease =
  "4a12a66522cf6e23fab76d8a90a9a652483a53fe91674cc216b333a97ae96f7bc51595e4560654090b6fff3c3dd20f04c93f39c43888e8434a3a5b07180bdf3b2b6236da670305df"
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

describe("a sealed password", () => {
  test("opens for its own account, in every process with this master key", () => {
    expect(createPasswordVault(master).unseal(vault.seal(hash, "elif"), "elif")).toBe(hash)
  })

  test("is the same in every release: yesterday's export must still open", () => {
    expect(vault.unseal(Buffer.from(sealedByThisRelease, "hex"), "elif")).toBe(hash)
    expect(hex(vault.seal(hash, "elif"))).toBe(sealedByThisRelease)
  })

  test("shows neither the hash nor a part of it", () => {
    expect(Buffer.from(vault.seal(hash, "elif")).toString("latin1")).not.toMatch(/argon2|salt/)
  })

  test("does not open for another account, under another master key, or as a key", () => {
    const sealed = vault.seal(hash, "elif")
    const other = createPasswordVault(new Uint8Array(32).fill(8))
    const identity = { id: "key_1", username: "elif", kind: "sk" } as const
    expect(() => vault.unseal(sealed, "ada")).toThrow(SealBroken)
    expect(() => other.unseal(sealed, "elif")).toThrow(SealBroken)
    expect(() => createKeyVault(master).unseal(sealed, identity)).toThrow(SealBroken)
  })

  test("does not open when it is damaged, short or empty", () => {
    const sealed = vault.seal(hash, "elif")
    const damaged = Uint8Array.from(sealed, (byte, at) => (at === 20 ? byte ^ 1 : byte))
    for (const bad of [damaged, sealed.subarray(1), sealed.subarray(0, 20), new Uint8Array(0)]) {
      expect(() => vault.unseal(bad, "elif")).toThrow(SealBroken)
    }
  })

  test("never shares its nonce with another one", () => {
    const distinct = fc.uniqueArray(fc.tuple(fc.string(), fc.string()), {
      selector: (pair) => JSON.stringify(pair),
    })
    fc.assert(
      fc.property(distinct, (pairs) => {
        const nonces = pairs.map(([name, text]) => hex(vault.seal(text, name).subarray(0, 12)))
        expect(new Set(nonces).size).toBe(pairs.length)
      }),
    )
  })
})
