import { randomBytes } from "node:crypto"

export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** 248 = 4 × 62: larger bytes would favor some characters and are skipped. */
export function encodeBase62(bytes: Uint8Array): string {
  let encoded = ""
  for (const byte of bytes) if (byte < 248) encoded += base62[byte % 62]
  return encoded
}

export function randomBase62(length: number): string {
  let text = ""
  while (text.length < length) text += encodeBase62(randomBytes(2 * length))
  return text.slice(0, length)
}
