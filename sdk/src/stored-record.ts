/** What the store of a product holds. All of it is untrusted: anybody who can edit the store can write what they like. */
import { findJson, isObject } from "./json.ts"
import { foldCode } from "./normalize.ts"
import type { StoredResponse } from "./verify-response.ts"

/** One code on one site. Times are on the local clock unless named otherwise. */
export type StoredRecord = Readonly<{
  /** Folded. */
  code: string
  site: string
  /** The last 200. A refusal other than `site_limit` removes it. */
  good?: StoredResponse
  /** The refusal that followed; of several with `site_limit`, the first. */
  bad?: StoredResponse
  /** The error code of the last request, if its response had no verdict. */
  failure: string
  /** The server's clock minus the local one. */
  offsetMs: number
  /** The latest time seen, on the server's clock. */
  latestMs: number
  nextAtMs: number
  /** Another process waits for a response until then. */
  claimedUntilMs: number
  /** Requests since the last valid response. */
  attempts: number
  /** When an unsigned refusal arrived that must be repeated before it counts; 0 if none did. */
  refusedAtMs: number
}>

export type StoredState = Readonly<{
  /** The latest first. */
  records: readonly StoredRecord[]
  /** The keys that were followed from pinned ones. */
  endorsedKeys?: unknown
  /** Of the offline activation that is under way. */
  nonce?: string
}>

/** Sites that change their name and typing errors leave records behind. */
const recordsMax = 8

/** Anything that cannot be read counts as absent. */
export function parseStoredState(text: string | null): StoredState {
  const json = findJson(text ?? "")
  const given = isObject(json) ? json : {}
  // Versions 0.12.3 and 0.13 stored one record, and another one within it.
  const records = Array.isArray(given.records) ? given.records : [given, given.earlier]
  return {
    records: records.filter(isObject).map(parseRecord).filter(isNamed).slice(0, recordsMax),
    endorsedKeys: given.endorsedKeys,
    ...(typeof given.nonce === "string" && { nonce: given.nonce }),
  }
}

function parseRecord(given: Readonly<Record<string, unknown>>): StoredRecord {
  const { code, site, receipt, failure, offsetMs, latestMs, seenAtMs } = given
  const { nextAtMs, claimedUntilMs, attempts, refusedAtMs } = given
  const old = isObject(receipt) ? receipt : {}
  const good = parseResponse(given.good ?? { ...old, code, site })
  const bad = parseResponse(given.bad)
  const offset = numberOf(offsetMs ?? old.clockOffsetMs)
  return {
    code: foldCode(textOf(code)),
    site: textOf(site),
    failure: textOf(failure),
    offsetMs: offset,
    latestMs: numberOf(latestMs ?? numberOf(seenAtMs) + offset),
    nextAtMs: numberOf(nextAtMs),
    claimedUntilMs: numberOf(claimedUntilMs),
    attempts: numberOf(attempts),
    refusedAtMs: numberOf(refusedAtMs),
    ...(good && { good }),
    ...(bad && { bad }),
  }
}

/** Its signature is verified before anything in it is used. */
function parseResponse(given: unknown): StoredResponse | null {
  if (!isObject(given) || typeof given.status !== "number") return null
  const { status, key, receivedAtMs } = given
  return {
    status,
    body: textOf(given.body),
    reason: textOf(given.reason),
    code: textOf(given.code),
    site: textOf(given.site),
    nonce: textOf(given.nonce),
    signatureInput: textOf(given.signatureInput),
    signature: textOf(given.signature),
    ...(typeof key === "string" && { key }),
    ...(typeof receivedAtMs === "number" && { receivedAtMs }),
  }
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "")
const numberOf = (value: unknown) => (Number.isFinite(value) ? Number(value) : 0)

const isNamed = ({ code }: StoredRecord) => code !== ""

/** What a record is about. `sites` as in `Terms`. */
export type Identity = Readonly<{ code: string; sites: readonly [string, string] }>

const isOf =
  ({ code, sites }: Identity) =>
  (record: StoredRecord) =>
    record.code === code && sites.includes(record.site)

export const emptyRecord = parseRecord({})

/** Versions before 1.0 had a record for each spelling of a code. */
export function findRecord({ records }: StoredState, identity: Identity): StoredRecord {
  const found = records.filter(isOf(identity))
  const record = found.find(({ good }) => good) ?? found[0] ?? emptyRecord
  return { ...record, code: identity.code, site: identity.sites[0] }
}

export const withoutRecord = (stored: StoredState, identity: Identity): StoredState => ({
  ...stored,
  records: stored.records.filter((record) => !isOf(identity)(record)),
})

/** Puts a record first. Records that were never valid are dropped before others. */
export function putRecord(
  stored: StoredState,
  identity: Identity,
  record: StoredRecord,
): StoredState {
  const { records } = withoutRecord(stored, identity)
  const kept = [...records.filter(({ good }) => good), ...records.filter(({ good }) => !good)]
  return { ...stored, records: [record, ...kept].slice(0, recordsMax) }
}
