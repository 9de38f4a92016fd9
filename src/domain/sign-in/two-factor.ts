/**
 * The second factor of an author or an operator: codes by time (TOTP, RFC 6238) from an app, and recovery
 * codes for a lost phone. Each code is accepted once.
 */
import { trimWhitespace } from "../values/text.ts"

/** As every app supports it: six digits, SHA-1, thirty seconds. */
export const totpDigits = 6
const totpStepSeconds = 30
/** The code before and the one after are accepted too: clocks differ, and typing takes time. */
export const totpStepsAround = 1

export const recoveryCodesCount = 10

export interface TwoFactorStore {
  /** The sealed secret; null for an owner without a second factor. */
  find(ownerId: number): Promise<Uint8Array | null>
  /**
   * Replaces secret and recovery codes and ends every session of the owner but `keptSessionId`, all or nothing.
   * Codes up to the time step `usedStep` are used up.
   */
  put(
    ownerId: number,
    keptSessionId: string,
    encrypted: Uint8Array,
    usedStep: number,
    recoveryDigests: readonly Uint8Array[],
  ): Promise<void>
  /** Removes secret and recovery codes. */
  remove(ownerId: number): Promise<void>
  /** Uses up the codes to this time step; false if they were used up before. Of two concurrent calls one is true. */
  useStep(ownerId: number, step: number): Promise<boolean>
  /** Uses the code up; false if it is unknown or used. Of two concurrent calls one is true. */
  useRecoveryCode(ownerId: number, digest: Uint8Array): Promise<boolean>
  countRecoveryCodes(ownerId: number): Promise<number>
}

/** Makes and checks codes; seals secrets under the master key, bound to their owner. */
export interface TwoFactorCipher {
  /** A new secret, in base32 as apps take it. */
  createSecret(): string
  /** Whether this is the code of the time step, compared in constant time. */
  isCodeAt(secret: string, step: number, code: string): boolean
  createRecoveryCodes(): readonly string[]
  /** The value a recovery code is found by; worthless without the master key. */
  recoveryDigest(code: string): Uint8Array
  encrypt(secret: string, ownerId: number): Uint8Array
  /** Throws SealBroken when it was sealed for another owner or under another master key. */
  decrypt(encrypted: Uint8Array, ownerId: number): string
}

export interface CodeThrottle {
  /** Calls `judge` if a try is left; false uses it up. Throws SignInRefused when none is left. */
  attempt(ownerId: number, judge: () => Promise<boolean>): Promise<boolean>
  /** Counts a try that limits nothing, so that it takes as long as a wrong code. */
  pretend(ownerId: number): Promise<void>
}

/** As `SecondFactorVault` makes them: 160 bits. */
export const isTotpSecret = (text: string) => /^[A-Z2-7]{32}$/.test(text)

export const stepOf = (now: Date) => Math.floor(now.getTime() / 1000 / totpStepSeconds)

/** The address that apps read from a QR code; phones open it as a link. */
export function totpUri(site: string, name: string, secret: string): string {
  const label = `${encodeURIComponent(site)}:${encodeURIComponent(name)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(site)}`
}

/** A code as typed or pasted: apps show it in two groups. Empty when there is none. */
export const normalizeCode = (typed: string) =>
  trimWhitespace(typed).replace(/[\s-]/g, "").toLowerCase()

export const isTotpForm = (code: string) => code.length === totpDigits && /^\d+$/.test(code)
