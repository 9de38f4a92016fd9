/** Time-based codes (RFC 6238 with HMAC-SHA-1, as authenticator apps expect), recovery codes, encrypted secrets. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import {
  createCipher,
  keysOf,
  type MasterKey,
  type MasterKeys,
} from "../platform/crypto/ciphers.ts"
import {
  normalizeCode,
  recoveryCodesCount,
  type TwoFactorCipher,
  totpDigits,
} from "./two-factor.ts"

/** The length that RFC 4226 recommends. */
const secretBytes = 20
/** 80 bits, in 16 characters. */
const recoveryBytes = 10

const alphabet = "abcdefghijklmnopqrstuvwxyz234567"

export function createTwoFactorCipher(master: MasterKey | MasterKeys): TwoFactorCipher {
  const { recoveryKey } = keysOf(master)
  return {
    createSecret: () => encodeBase32(randomBytes(secretBytes)).toUpperCase(),
    isCodeAt(secret, step, code) {
      const [actual, expected] = [Buffer.from(code), Buffer.from(totpAt(secret, step))]
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
    createRecoveryCodes: () =>
      Array.from({ length: recoveryCodesCount }, () =>
        encodeBase32(randomBytes(recoveryBytes)).replace(/(.{4})(?=.)/g, "$1-"),
      ),
    recoveryDigest: (code) =>
      createHmac("sha256", recoveryKey).update(normalizeCode(code)).digest(),
    ...createCipher<number>(master, "second factor", (personId) => [String(personId)]),
  }
}

export const totpAt = (secret: string, step: number) => hotp(decodeBase32(secret), step)

/** RFC 4226, section 5.3: the last four bits of the digest are the offset of the 31 bits to use. */
export function hotp(secret: Uint8Array, counter: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const digest = createHmac("sha1", secret).update(message).digest()
  const truncated = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fff_ffff
  return String(truncated % 10 ** totpDigits).padStart(totpDigits, "0")
}

/** RFC 4648 without padding: both lengths in use are multiples of five bytes. */
function encodeBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join("")
}

function decodeBase32(text: string): Uint8Array {
  const bits = [...text.toLowerCase()]
    .map((character) => alphabet.indexOf(character).toString(2).padStart(5, "0"))
    .join("")
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => Number.parseInt(eight, 2))
}
