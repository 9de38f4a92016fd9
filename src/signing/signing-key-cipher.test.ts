import { expect, test } from "bun:test"
import { DecryptionFailed } from "../platform/error.ts"
import { createEventCipher } from "../webhooks/webhook.ts"
import { createSigningKeyCipher } from "./signing-key.ts"

const master = new Uint8Array(32).fill(7)
const cipher = createSigningKeyCipher(master)
const encrypted = cipher.encrypt("a private key", "kid-1")

test("a private key decrypts for its id", () => {
  expect(cipher.decrypt(encrypted, "kid-1")).toBe("a private key")
  expect(Buffer.from(encrypted).toString("latin1")).not.toContain("private")
})

test("a private key does not decrypt for another id, master key or purpose", () => {
  const other = createSigningKeyCipher(new Uint8Array(32).fill(8))
  expect(() => cipher.decrypt(encrypted, "kid-2")).toThrow(DecryptionFailed)
  expect(() => other.decrypt(encrypted, "kid-1")).toThrow(DecryptionFailed)
  expect(() => createEventCipher(master).decrypt(encrypted, "kid-1")).toThrow(DecryptionFailed)
})
