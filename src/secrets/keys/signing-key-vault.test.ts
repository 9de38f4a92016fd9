import { expect, test } from "bun:test"
import { SealBroken } from "../../domain/values/error.ts"
import { createEventVault, createSigningKeyVault } from "../vaults.ts"

const master = new Uint8Array(32).fill(7)
const vault = createSigningKeyVault(master)
const sealed = vault.seal("a private key", "kid-1")

test("a private key opens for the id it was sealed for", () => {
  expect(vault.unseal(sealed, "kid-1")).toBe("a private key")
  expect(Buffer.from(sealed).toString("latin1")).not.toContain("private")
})

test("it opens for no other id, under no other master key, and not as something else", () => {
  const other = createSigningKeyVault(new Uint8Array(32).fill(8))
  expect(() => vault.unseal(sealed, "kid-2")).toThrow(SealBroken)
  expect(() => other.unseal(sealed, "kid-1")).toThrow(SealBroken)
  expect(() => createEventVault(master).unseal(sealed, "kid-1")).toThrow(SealBroken)
})
