/** The outcomes of a question about a purchase code, and the records that keep them. */
import type { Purchase, Reason } from "./wire.ts"

/** The API's reasons that are no answer about a code. */
export type Failure = Exclude<Reason, "ok" | "unknown_code" | "revoked_code" | "site_limit">

/** Why there is no answer: nothing arrived, or something that is not Pazar's. */
export type TransportFailure =
  /** No connection, or it broke. */
  | "unreachable"
  /** No whole answer within `timeoutMs`, or the call's signal was aborted. */
  | "timeout"
  /** Not an answer of Pazar: a login page, a redirect, some other JSON, too many bytes. */
  | "not_json"

/** Why an answer does not count although it arrived. Only with pinned keys. */
export type SignatureFailure =
  /** It has no signature, or this runtime has no Ed25519 to check one. */
  | "unsigned"
  /** No pinned key leads to the key that signed it. */
  | "unknown_signer"
  /** The signature is not one of this answer to this question. */
  | "forged"
  /** It is the answer to an earlier question. */
  | "replayed"

/** The code is good. */
export type Valid = Readonly<{
  state: "valid"
  purchase: Purchase
  /** `server`: asked now. `cache`: asked within `ttlMs`. `receipt`: a kept answer, without the server. */
  source: "server" | "cache" | "receipt"
  /** The signed answer; only with pinned keys. */
  receipt?: Receipt
  /** For the operator, when asking for help. */
  requestId?: string
}>

/** The code is not good: the only state that may lock a buyer out. */
export type Invalid = Readonly<{
  state: "invalid"
  /** `site_limit`: good, but used on as many sites as allowed. `other_item`: bought, but none of `items`. */
  reason: "unknown_code" | "revoked_code" | "site_limit" | "other_item"
  requestId?: string
}>

/** There is no answer about the code: not a "no". */
export type Unknown = Readonly<{
  state: "unknown"
  /** `receipt_expired`: no answer about the code for longer than the receipt holds. */
  reason: Failure | TransportFailure | SignatureFailure | "receipt_expired"
  /** Asking earlier is pointless. */
  retryAfterMs: number
  /** The error behind it, if there was one. */
  cause?: unknown
  requestId?: string
}>

/** One of three states; `state` tells which. */
export type Outcome = Valid | Invalid | Unknown

/** The end of `release`. `absent`: not a valid code, or not in use on this site. */
export type Release = Readonly<{ state: "released" | "absent"; requestId?: string }> | Unknown

/** The outcome of a receipt that was pasted. */
export type Imported = Outcome &
  Readonly<{
    /** The code that it is for: keep it for `check`. Empty if the line is no receipt. */
    code: string
  }>

/** A signed answer that can be checked without the server. Plain JSON; keep it as it is. */
export type Receipt = Readonly<{
  status: number
  /** The exact text, because the signature covers it. */
  body: string
  reason: string
  nonce: string
  /** The key that asked, if it is a validation key. No other key is written anywhere. */
  key?: string
  /** The site that was asked for, if one was. */
  site?: string
  /** The header `Signature-Input`. */
  signatureInput: string
  /** The header `Signature`. */
  signature: string
  /** The server's clock minus the local one when the answer came. */
  clockOffsetMs: number
  /** Keys that are not pinned but endorsed, if one of them signed it. */
  endorsedKeys?: readonly EndorsedKey[]
}>

/** A public key with signatures of its predecessors over its name. */
export type EndorsedKey = Readonly<{
  /** The 32 bytes, base64url. */
  x: string
  /** `by`: the thumbprint of the key that signed. `sig`: base64url. */
  endorsed: readonly Readonly<{ by: string; sig: string }>[]
}>

/** A record and no list, so that a missing reason does not compile. */
const failures = {
  missing_key: true,
  unknown_key: true,
  revoked_key: true,
  expired_key: true,
  key_not_allowed: true,
  account_suspended: true,
  missing_parameter: true,
  invalid_parameter: true,
  no_items: true,
  unknown_item: true,
  method_not_allowed: true,
  unknown_path: true,
  too_large: true,
  rate_limited: true,
  unavailable: true,
} satisfies Readonly<Record<Failure, true>>

export const isFailure = (reason: unknown): reason is Failure =>
  typeof reason === "string" && Object.hasOwn(failures, reason)

/** Whether another address may know more: nothing came, the server is busy, or it cannot be believed. */
export const isWorthAskingElsewhere = (reason: Unknown["reason"]) =>
  !isFailure(reason) || reason === "rate_limited" || reason === "unavailable"

const otherReasons: readonly unknown[] = [
  "unreachable",
  "timeout",
  "not_json",
  "unsigned",
  "unknown_signer",
  "forged",
  "replayed",
] satisfies readonly Unknown["reason"][]

export const isUnknownReason = (reason: unknown): reason is Unknown["reason"] =>
  isFailure(reason) || otherReasons.includes(reason)

const refusals: readonly unknown[] = [
  "unknown_code",
  "revoked_code",
  "site_limit",
  "other_item",
] satisfies readonly Invalid["reason"][]

export const isRefusal = (reason: unknown): reason is Invalid["reason"] => refusals.includes(reason)

/** Keeps one text for `check` between calls: a file, an option, a row, a key of KV. */
export interface Store {
  /** Null if there is none yet. */
  get(): Promise<string | null>
  set(text: string): Promise<void>
}
