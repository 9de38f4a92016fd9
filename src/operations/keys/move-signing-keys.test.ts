import { expect, test } from "bun:test"
import { refusalOf } from "../../../tests/harness/stores/small-store.ts"
import type { SigningKeyStore } from "../../domain/keys/signing-key.ts"
import { createSigningKeyVault } from "../../secrets/vaults.ts"
import { exportSigningKeys, importSigningKeys } from "./signing-keys.ts"

const signingKeyVault = createSigningKeyVault(new Uint8Array(32).fill(7))
const signingKeys: SigningKeyStore = {
  list: async () => [],
  replaceAll: async () => {
    throw new Error("replaced")
  },
}
const services = { signingKeys, signingKeyVault }
const refusal = /^RefusedError: .*`pazar migrate`/

test("a store without keys exports none", async () => {
  expect(await refusalOf(exportSigningKeys(services))).toMatch(refusal)
})

test("an empty list, as 0.5.0 exported it, does not replace the keys of a store", async () => {
  const sealed = signingKeyVault.seal("[]", "all signing keys")
  const exported = Buffer.from(sealed).toString("base64")
  expect(await refusalOf(importSigningKeys(services, exported))).toMatch(refusal)
})
