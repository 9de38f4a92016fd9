import { expect, test } from "bun:test"
import { DecryptionFailed } from "../platform/error.ts"
import { createEndpointCipher } from "./webhook.ts"

test("a webhook secret decrypts only for its endpoint and with its master key", () => {
  const cipher = createEndpointCipher(new Uint8Array(32).fill(7))
  const other = createEndpointCipher(new Uint8Array(32).fill(8))
  const secret = cipher.createSecret()
  const encrypted = cipher.encrypt(secret, "ep_1")
  expect(cipher.decrypt(encrypted, "ep_1")).toBe(secret)
  expect(Buffer.from(encrypted).toString("latin1")).not.toContain(secret)
  expect(() => cipher.decrypt(encrypted, "ep_2")).toThrow(DecryptionFailed)
  expect(() => other.decrypt(encrypted, "ep_1")).toThrow(DecryptionFailed)
})
