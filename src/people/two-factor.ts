/** Each code, TOTP (RFC 6238) or recovery, is accepted once. */

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import {
  createCipher,
  createTokenCipher,
  keysOf,
  type MasterKey,
  type MasterKeys,
} from "../platform/crypto/cipher.ts"
import { trimWhitespace } from "../platform/text.ts"
import type { Timestamp } from "../platform/time.ts"

/** Every app supports six digits, SHA-1 and thirty seconds. */
const totpDigits = 6
const totpStepSeconds = 30
/** The code before is accepted too, because typing takes time. */
export const totpStepsBefore = 1
export const recoveryCodesCount = 10

export interface TwoFactorStore {
  find(personId: number): Promise<Uint8Array | null>
  /** In one transaction; ends the person's other sessions. Codes up to the time step `usedStep` are used up. */
  put(
    personId: number,
    keptSessionId: string,
    factor: Readonly<{
      encrypted: Uint8Array
      usedStep: number
      recoveryDigests: readonly Uint8Array[]
    }>,
  ): Promise<void>
  remove(personId: number): Promise<void>
  /** Uses up the codes to this time step. Returns false if they were used. One of two concurrent calls returns true. */
  useStep(personId: number, step: number): Promise<boolean>
  /** Uses up the code. Returns false if it is unknown or used. One of two concurrent calls returns true. */
  useRecoveryCode(personId: number, digest: Uint8Array): Promise<boolean>
  countRecoveryCodes(personId: number): Promise<number>
}

/** What a browser keeps from the password to the code. */
type PendingSignIn = Readonly<{
  personId: number
  /** A change of the password ends the sign-in. */
  passwordDigest: string
  expiresAt: Timestamp
}>

export const pendingSignInSeconds = 5 * 60

/** Tokens are encrypted and bound to the browser that typed the password. */
export const createPendingSignIns = (master: MasterKey | MasterKeys) =>
  createTokenCipher<PendingSignIn, string>(master, "pending sign-in", (browser) => [browser])

/** 160 bits, as `createSecret` returns them. */
export const isTotpSecret = (text: string) => /^[A-Z2-7]{32}$/.test(text)
export const countTotpSteps = (now: Date) => Math.floor(now.getTime() / 1000 / totpStepSeconds)

/** The URI in the QR code; phones open it as a link. */
export function totpUri(site: string, name: string, secret: string): string {
  const label = `${encodeURIComponent(site)}:${encodeURIComponent(name)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(site)}`
}

/** Apps show a code in two groups. */
export const normalizeCode = (typed: string) =>
  trimWhitespace(typed).replace(/[\s-]/g, "").toLowerCase()

export const isTotpForm = (code: string) => code.length === totpDigits && /^\d+$/.test(code)

/** `required` if operators need two-factor authentication. */
export const twoFactorMetadataKey = "operators' second factor"

/** The length that RFC 4226 recommends. */
const secretBytes = 20
/** 80 bits, in 16 characters. */
const recoveryBytes = 10

const alphabet = "abcdefghijklmnopqrstuvwxyz234567"

export function createTwoFactorCipher(master: MasterKey | MasterKeys) {
  const { recoveryKey } = keysOf(master)
  return {
    /** In base32, as apps accept it. */
    createSecret: () => encodeBase32(randomBytes(secretBytes)).toUpperCase(),
    /** Compares in constant time. */
    isCodeAt(secret: string, step: number, code: string): boolean {
      const [actual, expected] = [Buffer.from(code), Buffer.from(totpAt(secret, step))]
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
    createRecoveryCodes: (): readonly string[] =>
      Array.from({ length: recoveryCodesCount }, () =>
        encodeBase32(randomBytes(recoveryBytes)).replace(/(.{4})(?=.)/g, "$1-"),
      ),
    /** The look-up value of a recovery code. Useless without the master key. */
    recoveryDigest: (code: string): Uint8Array =>
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
