/** Passkeys (WebAuthn). The authenticator verifies the person, so one replaces password and code. */
import type { Timestamp } from "../platform/time.ts"

/** `id` is in base64url, `publicKey` in SPKI, `algorithm` a number of COSE. */
export type Credential = Readonly<{
  id: string
  publicKey: Uint8Array
  algorithm: number
  /** Of signatures; 0 if the authenticator does not count. */
  counter: number
}>

export type Passkey = Credential &
  Readonly<{
    personId: number
    name: string
    createdAt: Timestamp
    lastUsedAt: Timestamp | null
  }>

export const passkeysMax = 20

/** By preference. */
export const passkeyAlgorithms = { edDsa: -8, es256: -7, rs256: -257 } as const

export interface PasskeyStore {
  find(id: string): Promise<Passkey | null>
  /** Oldest first. */
  list(personId: number): Promise<readonly Passkey[]>
  /**
   * Returns false and inserts nothing if the id exists, the person has `passkeysMax`, or was deleted. Concurrent calls
   * may insert a few more.
   */
  insert(passkey: Passkey): Promise<boolean>
  /**
   * Returns false and changes nothing if the passkey was removed, or if the counter did not grow, unless both are 0: a
   * copy of the authenticator may exist.
   */
  use(id: string, counter: number, at: Timestamp): Promise<boolean>
  /** Never removes one of another person. Returns how many were removed. */
  remove(personId: number, id: string | "all"): Promise<number>
}

/** Fields of a form, named as in WebAuthn, in base64url. `formToken` is that of the page with the challenge. */
type Sent<Field extends string> = Readonly<Record<Field | "clientDataJSON" | "formToken", string>>

export type Registration = Sent<"attestationObject">
export type Assertion = Sent<"id" | "authenticatorData" | "signature" | "userHandle">

export interface PasskeyVerifier {
  /** For the page with this form token, for ten minutes. The browser signs it. */
  createChallenge(formToken: string): string
  /** Null for a response that is invalid in any way, here and below. Attestation is not verified. */
  readRegistration(registration: Registration): Credential | null
  /** The caller checks that the challenge was not used before, and the counter. */
  verifyAssertion(
    passkey: Passkey,
    assertion: Assertion,
  ): Readonly<{ challenge: string; counter: number }> | null
}

/** What the browser returns with a signature: whose passkey it is. */
export const userHandleOf = (personId: number) => String(personId)
