import { expect, test } from "bun:test"
import { SealBroken } from "../domain/values/error.ts"
import { createEndpointVault } from "./vaults.ts"

test("the secret of a webhook opens for its endpoint alone, and under no other master key", () => {
  const vault = createEndpointVault(new Uint8Array(32).fill(7))
  const other = createEndpointVault(new Uint8Array(32).fill(8))
  const secret = vault.createSecret()
  const sealed = vault.seal(secret, "ep_1")
  expect(vault.unseal(sealed, "ep_1")).toBe(secret)
  expect(Buffer.from(sealed).toString("latin1")).not.toContain(secret)
  expect(() => vault.unseal(sealed, "ep_2")).toThrow(SealBroken)
  expect(() => other.unseal(sealed, "ep_1")).toThrow(SealBroken)
})
