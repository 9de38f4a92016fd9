/** The text that `check` keeps in the store of a product, and whose turn it is to change it. */
import { findJson, isObject } from "./json.ts"
import {
  type Invalid,
  isRefusal,
  isUnknownReason,
  type Receipt,
  type Store,
  type Unknown,
} from "./outcome.ts"

/** The stored text. All of it is untrusted: the user of a product can write whatever they like. */
export type Stored = Readonly<{
  code: string
  site: string | null
  /** When this was written, on the local clock. */
  seenAtMs: number
  /** When the kept answer came. */
  answeredAtMs: number
  /** No question before this moment. */
  nextAskAtMs: number
  /** When an unsigned "no" came that waits for a second one; 0 if none did. */
  refusedAtMs: number
  /** Why the last question was not answered; null while it is being asked. */
  failure: Unknown["reason"] | null
  /** With pinned keys: the last "yes". */
  receipt?: Receipt
  /** Without pinned keys: the body of the last "yes". */
  body?: string
  /** The last "no". */
  refusal?: Invalid["reason"]
  /** Whether it was signed: with pinned keys no other counts. */
  isSigned?: boolean
  /** Every key that was followed. The keys that endorsed them may have left the key set, so they outlive a receipt. */
  endorsedKeys?: unknown
  /** Of the activation by hand that is under way. */
  nonce?: string | undefined
  /** The record of another code with a "yes": kept until this code has one, so that a typing error loses nothing. */
  earlier?: Readonly<Record<string, unknown>> | undefined
}>

/** Calls for the same store take turns: the second finds the answer of the first. */
export type TakeTurn = <Result>(
  store: Store,
  call: (hasWaited: boolean) => Promise<Result>,
) => Promise<Result>

export function createTurns(): TakeTurn {
  const turns = new WeakMap<Store, Promise<unknown>>()
  return (store, call) => {
    // In JavaScript it may be missing: then every call asks.
    if (!isObject(store)) return call(false)
    const before = turns.get(store)
    const turn = (before ?? Promise.resolve()).then(() => call(before !== undefined))
    const end = turn
      .catch(() => {})
      .then(() => {
        if (turns.get(store) === end) turns.delete(store)
      })
    turns.set(store, end)
    return turn
  }
}

/** A store that fails is like an empty one: no buyer is locked out because a disk is full. */
export async function readText(store: Store): Promise<string> {
  try {
    return (await store.get()) ?? ""
  } catch {
    return ""
  }
}

export async function writeText(store: Store, stored: Stored): Promise<void> {
  try {
    await store.set(JSON.stringify(stored))
  } catch {
    // The next call asks the server again.
  }
}

/** Empty if the text is of another kind. */
export function findObject(text: string): Readonly<Record<string, unknown>> {
  const given = findJson(text)
  return isObject(given) ? given : {}
}

export const nonceOf = ({ nonce }: ReturnType<typeof findObject>) =>
  typeof nonce === "string" ? nonce : undefined

/** The record of this code and site. Anything that cannot be read counts as absent. */
export function readStored(text: string, code: string, site: string | null): Stored {
  const given = findObject(text)
  const records = [given, given.earlier].filter(isObject)
  const isOurs = (record: (typeof records)[number]) =>
    record.code === code && (record.site ?? null) === site
  const stored = records.find(isOurs) ?? {}
  const other = records.find((record) => !isOurs(record) && (record.receipt ?? record.body))
  const { seenAtMs, answeredAtMs, nextAskAtMs, refusedAtMs } = stored
  const { failure, receipt, body, refusal } = stored
  return {
    code,
    site,
    seenAtMs: momentOf(seenAtMs),
    answeredAtMs: momentOf(answeredAtMs),
    nextAskAtMs: momentOf(nextAskAtMs),
    refusedAtMs: momentOf(refusedAtMs),
    failure: isUnknownReason(failure) ? failure : null,
    // Its signature is verified before anything in it is used.
    ...(isObject(receipt) && { receipt: receipt as Receipt }),
    ...(typeof body === "string" && { body }),
    ...(isRefusal(refusal) && { refusal, isSigned: stored.isSigned === true }),
    endorsedKeys:
      given.endorsedKeys ?? records.map(keysOfReceipt).find((keys) => keys !== undefined),
    nonce: nonceOf(given),
    ...(other && { earlier: { ...other, ...notOfOne } }),
  }
}

/** Versions before 0.12.3 kept them with a receipt alone. */
const keysOfReceipt = ({ receipt }: Readonly<Record<string, unknown>>) =>
  isObject(receipt) ? receipt.endorsedKeys : undefined

/** The members that are not about one code. */
const notOfOne = { earlier: undefined, nonce: undefined, endorsedKeys: undefined }

const momentOf = (value: unknown) => (Number.isFinite(value) ? Number(value) : 0)
