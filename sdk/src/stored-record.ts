/** The content of a product's store. It is untrusted: anyone with access to the store can edit it. */
import { findJson, isObject } from "./json.ts"
import { foldCode } from "./normalize.ts"
import type { StoredResponse } from "./verify-response.ts"

/** The stored state of one code on one site. Times are on the local clock unless stated otherwise. */
export type StoredRecord = Readonly<{
  /** In the form of `foldCode`. */
  code: string
  site: string
  /** The last response with status 200. Invalid responses other than `site_limit` delete it. */
  valid?: StoredResponse
  /** The last invalid response. Of consecutive `site_limit` responses the first, because the three days start with it. */
  invalid?: StoredResponse
  /** Error code of the last request; empty if it returned a verdict. */
  failure: string
  /** Server clock minus local clock. */
  offsetMs: number
  /** The latest known time on the server's clock. */
  latestMs: number
  nextAtMs: number
  /** Until then another process may be sending a request. */
  claimedUntilMs: number
  /** Requests since the last valid response. */
  attempts: number
  /** When an unsigned `invalid` arrived that must be repeated an hour later; 0 if none did. */
  unconfirmedAtMs: number
}>

export type StoredState = Readonly<{
  /** Newest first. */
  records: readonly StoredRecord[]
  /** Public keys that pinned keys endorsed, directly or through others. */
  endorsedKeys?: unknown
  /** Nonce of the pending offline activation. */
  nonce?: string
}>

/** Renamed sites and mistyped codes leave records behind. */
const recordsMax = 8

/** Ignores malformed fields. */
export function parseStoredState(text: string | null): StoredState {
  const json = findJson(text ?? "")
  const state = isObject(json) ? json : {}
  // Versions 0.12.3 and 0.13 stored one record with a nested earlier one.
  const records = Array.isArray(state.records) ? state.records : [state, state.earlier]
  return {
    records: records.filter(isObject).map(parseRecord).filter(hasCode).slice(0, recordsMax),
    endorsedKeys: state.endorsedKeys,
    ...(typeof state.nonce === "string" && { nonce: state.nonce }),
  }
}

function parseRecord(fields: Readonly<Record<string, unknown>>): StoredRecord {
  const { code, site, receipt, failure, offsetMs, latestMs, seenAtMs } = fields
  const { nextAtMs, claimedUntilMs, attempts, unconfirmedAtMs } = fields
  const old = isObject(receipt) ? receipt : {}
  const valid = parseResponse(fields.valid ?? { ...old, code, site })
  const invalid = parseResponse(fields.invalid)
  const offset = numberOrZero(offsetMs ?? old.clockOffsetMs)
  return {
    code: foldCode(stringOrEmpty(code)),
    site: stringOrEmpty(site),
    failure: stringOrEmpty(failure),
    offsetMs: offset,
    latestMs: numberOrZero(latestMs ?? numberOrZero(seenAtMs) + offset),
    nextAtMs: numberOrZero(nextAtMs),
    claimedUntilMs: numberOrZero(claimedUntilMs),
    attempts: numberOrZero(attempts),
    unconfirmedAtMs: numberOrZero(unconfirmedAtMs),
    ...(valid && { valid }),
    ...(invalid && { invalid }),
  }
}

function parseResponse(fields: unknown): StoredResponse | null {
  if (!isObject(fields) || typeof fields.status !== "number") return null
  const { status, key, receivedAtMs } = fields
  return {
    status,
    body: stringOrEmpty(fields.body),
    reason: stringOrEmpty(fields.reason),
    code: stringOrEmpty(fields.code),
    site: stringOrEmpty(fields.site),
    nonce: stringOrEmpty(fields.nonce),
    signatureInput: stringOrEmpty(fields.signatureInput),
    signature: stringOrEmpty(fields.signature),
    ...(typeof key === "string" && { key }),
    ...(typeof receivedAtMs === "number" && { receivedAtMs }),
  }
}

const stringOrEmpty = (value: unknown) => (typeof value === "string" ? value : "")
const numberOrZero = (value: unknown) => (Number.isFinite(value) ? Number(value) : 0)

const hasCode = ({ code }: StoredRecord) => code !== ""

/** Identifies a record. `sites` as in `VerificationOptions`. */
export type Identity = Readonly<{ code: string; sites: readonly [string, string] }>

const matches =
  ({ code, sites }: Identity) =>
  (record: StoredRecord) =>
    record.code === code && sites.includes(record.site)

export const emptyRecord = parseRecord({})

/** Prefers a valid record, because versions before 1.0 stored one for each spelling of a code. */
export function findRecord({ records }: StoredState, identity: Identity): StoredRecord {
  const matching = records.filter(matches(identity))
  const record = matching.find(({ valid }) => valid) ?? matching[0] ?? emptyRecord
  return { ...record, code: identity.code, site: identity.sites[0] }
}

export const withoutRecord = (stored: StoredState, identity: Identity): StoredState => ({
  ...stored,
  records: stored.records.filter((record) => !matches(identity)(record)),
})

/** Puts a record first. Records without a valid response are dropped before others. */
export function putRecord(
  stored: StoredState,
  identity: Identity,
  record: StoredRecord,
): StoredState {
  const { records } = withoutRecord(stored, identity)
  const others = [...records.filter(({ valid }) => valid), ...records.filter(({ valid }) => !valid)]
  return { ...stored, records: [record, ...others].slice(0, recordsMax) }
}
