/** Keys as the pages show them. */
import {
  isLive,
  type KeyDates,
  type KeyState,
  type KeyVault,
  maskSecret,
  type StoredKey,
  stateOf,
} from "../../domain/keys/api-key.ts"
import type { Store } from "../../domain/store.ts"
import { isShipped, type KeyUsage } from "../../domain/usage/usage.ts"
import { SealBroken } from "../../domain/values/error.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { findOwnKey } from "../../operations/keys/find-key.ts"

type KeyReading = Readonly<{ store: Store; vault: KeyVault; now: () => Date }>

/** `usage` is null for a key that was never used. */
export type KeyFacts = Readonly<{ key: StoredKey; state: KeyState; usage: KeyUsage | null }>

/** The account's keys, newest first, those that work apart from those that have ended. */
export async function listKeys(
  { store, now }: KeyReading,
  accountId: number,
): Promise<Readonly<{ live: readonly KeyDates[]; ended: readonly KeyDates[] }>> {
  const at = formatTimestamp(now())
  const keys = (await store.keys.listDates(accountId)).toReversed()
  const keysWhere = (isWanted: boolean) =>
    keys.filter((key) => isLive(stateOf(key, at)) === isWanted)
  return { live: keysWhere(true), ended: keysWhere(false) }
}

/** These keys in this order, each with how it is used. */
export async function listKeyFacts(
  { store, now }: KeyReading,
  wanted: readonly KeyDates[],
): Promise<readonly KeyFacts[]> {
  const at = formatTimestamp(now())
  const ids = wanted.map(({ id }) => id)
  const [keys, usage] = await Promise.all([
    store.keys.listByIds(ids),
    store.usage.listByKeys(ids, at),
  ])
  const keyOf = new Map(keys.map((key) => [key.id, key]))
  const usageOf = new Map(usage.map((each) => [each.keyId, each]))
  return ids.flatMap((id) => {
    const key = keyOf.get(id)
    if (key === undefined) return []
    return [{ key, state: stateOf(key, at), usage: usageOf.get(id) ?? null }]
  })
}

/** Null for another author's key as for one that never was. */
export async function findKeyFacts(
  { store, now }: KeyReading,
  accountId: number,
  keyId: string,
): Promise<KeyFacts | null> {
  const at = formatTimestamp(now())
  const key = await findOwnKey(store.keys, accountId, keyId)
  if (key === null) return null
  return { key, state: stateOf(key, at), usage: await store.usage.findByKey(keyId, at) }
}

export const looksShipped = ({ key, usage }: KeyFacts): boolean =>
  isShipped(key, usage?.networks ?? 0)

/** A key whose sealed copy is damaged has no last characters to show. */
export function maskOf(vault: Pick<KeyVault, "unseal">, key: StoredKey): string {
  try {
    return maskSecret(vault.unseal(key.sealed, key))
  } catch (error) {
    if (error instanceof SealBroken) return maskSecret("")
    throw error
  }
}
