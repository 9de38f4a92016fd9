/** Each code, TOTP (RFC 6238) or recovery, is accepted once. */
import { trimWhitespace } from "../platform/text.ts"
import type { Timestamp } from "../platform/time.ts"

/** Every app supports six digits, SHA-1 and thirty seconds. */
export const totpDigits = 6
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
    encrypted: Uint8Array,
    usedStep: number,
    recoveryDigests: readonly Uint8Array[],
  ): Promise<void>
  remove(personId: number): Promise<void>
  /** Uses up the codes to this time step. Returns false if they were used. One of two concurrent calls returns true. */
  useStep(personId: number, step: number): Promise<boolean>
  /** Uses up the code. Returns false if it is unknown or used. One of two concurrent calls returns true. */
  useRecoveryCode(personId: number, digest: Uint8Array): Promise<boolean>
  countRecoveryCodes(personId: number): Promise<number>
}

export interface TwoFactorCipher {
  /** In base32, as apps accept it. */
  createSecret(): string
  /** Compares in constant time. */
  isCodeAt(secret: string, step: number, code: string): boolean
  createRecoveryCodes(): readonly string[]
  /** The look-up value of a recovery code. Useless without the master key. */
  recoveryDigest(code: string): Uint8Array
  encrypt(secret: string, personId: number): Uint8Array
  /** Throws DecryptionFailed. */
  decrypt(encrypted: Uint8Array, personId: number): string
}

export interface CodeThrottle {
  /** Calls `check` if an attempt is left; false uses it up. Throws SignInRejected if none is left. */
  attempt(personId: number, check: () => Promise<boolean>): Promise<boolean>
}

/** What a browser keeps from the password to the code. */
export type PendingSignIn = Readonly<{
  personId: number
  /** A change of the password ends the sign-in. */
  passwordDigest: string
  expiresAt: Timestamp
}>

/** Tokens are encrypted and bound to the browser. */
export interface PendingSignIns {
  createToken(pending: PendingSignIn, browser: string): string
  /** Returns null for an invalid token, and for that of another browser. The caller checks the rest. */
  parseToken(token: string, browser: string): PendingSignIn | null
}

export const pendingSignInSeconds = 5 * 60

/** 160 bits, as `createSecret` returns them. */
export const isTotpSecret = (text: string) => /^[A-Z2-7]{32}$/.test(text)
export const stepOf = (now: Date) => Math.floor(now.getTime() / 1000 / totpStepSeconds)

/** The URI in the QR code; phones open it as a link. */
export function totpUri(site: string, name: string, secret: string): string {
  const label = `${encodeURIComponent(site)}:${encodeURIComponent(name)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(site)}`
}

/** Apps show a code in two groups. */
export const normalizeCode = (typed: string) =>
  trimWhitespace(typed).replace(/[\s-]/g, "").toLowerCase()

export const isTotpForm = (code: string) => code.length === totpDigits && /^\d+$/.test(code)
