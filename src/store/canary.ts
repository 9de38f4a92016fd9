import { createHmac, timingSafeEqual } from "node:crypto"
import { type MasterKey, subKey } from "../platform/crypto/cipher.ts"

/** Stored to recognize the master key. It reveals nothing about the key. */
export function createCanary(master: MasterKey): string {
  return createHmac("sha256", subKey(master, "canary")).update("pazar").digest("base64")
}

export function isSameCanary(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
