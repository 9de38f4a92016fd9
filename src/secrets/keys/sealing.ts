/** Sealing under a sub-key of the master key: AES-256-GCM, laid out as nonce, text and tag. */
import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto"
import { SealBroken } from "../../domain/values/error.ts"

export const nonceBytes = 12
const tagBytes = 16

/** Each purpose has its own key, so a text sealed for one purpose does not open for another. */
export const subKey = (master: Uint8Array, purpose: string) =>
  new Uint8Array(hkdfSync("sha256", master, new Uint8Array(0), `pazar ${purpose} v1`, 32))

/** The sealed text is bound to `owner`. A nonce must never be used for two texts under one key. */
export function seal(
  key: Uint8Array,
  nonce: Uint8Array,
  text: string,
  owner: readonly string[],
): Uint8Array {
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(binding(owner))
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
}

/** Throws SealBroken unless it was sealed under this key, for this owner, and is whole. */
export function unseal(key: Uint8Array, sealed: Uint8Array, owner: readonly string[]): string {
  if (sealed.length < nonceBytes + tagBytes) throw new SealBroken()
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes))
  decipher.setAAD(binding(owner)).setAuthTag(sealed.subarray(-tagBytes))
  const opened = decipher.update(sealed.subarray(nonceBytes, -tagBytes))
  try {
    return Buffer.concat([opened, decipher.final()]).toString("utf8")
  } catch (cause) {
    throw new SealBroken({ cause })
  }
}

const binding = (owner: readonly string[]) => Buffer.from(JSON.stringify(owner))
