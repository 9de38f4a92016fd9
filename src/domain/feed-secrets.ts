/** The rules for keys and passwords that come with a feed. */
import {
  type FeedRecord,
  type ImportedKey,
  type Refusal,
  refuse,
  type SecretCounts,
  unknownAccount,
  type Verdict,
} from "./feed.ts"
import type { Changed, States } from "./feed-states.ts"
import { judgeMovedKey, mergeMovedKey } from "./moved-key.ts"

/** Adds what a batch changed. */
export const addSecrets = (
  sum: SecretCounts,
  { keys, passwords }: Readonly<Record<"keys" | "passwords", Changed<unknown>>>,
): SecretCounts => ({
  keys: sum.keys + keys.inserted.length + keys.updated.length,
  passwords: sum.passwords + passwords.inserted.length + passwords.updated.length,
})

export type FoundPassword = Readonly<{ username: string; hash: string }>
type PasswordRecord = Extract<FeedRecord, { type: "password" }>

type Batch<Account> = Readonly<{
  accounts: States<string, Account>
  keys: States<string, ImportedKey>
  passwords: States<string, FoundPassword>
}>

export function createSecretRules<Account>({ accounts, keys, passwords }: Batch<Account>) {
  const keyIds = new Map(keys.list().map(([id, { lookup }]) => [hex(lookup), id]))

  function findKeyByLookup(lookup: Uint8Array): ImportedKey | null {
    const id = keyIds.get(hex(lookup))
    return id === undefined ? null : keys.find(id)
  }

  function putNewKey(key: ImportedKey): void {
    keys.put(key.id, key)
    keyIds.set(hex(key.lookup), key.id)
  }

  function judgeKeyOf(username: string, key: ImportedKey | null): Refusal | null {
    const kept = key && findKeyByLookup(key.lookup)
    return kept === null || kept.username === username
      ? null
      : refuse("api_key", "belongs to another account")
  }

  function putKey(key: ImportedKey): Verdict {
    if (accounts.find(key.username) === null) return unknownAccount(key.username)
    const sameSecret = findKeyByLookup(key.lookup)
    const refusal = judgeMovedKey(key, keys.find(key.id), sameSecret)
    if (refusal !== null) return refusal
    const change = sameSecret && mergeMovedKey(key, sameSecret)
    if (sameSecret === null) putNewKey(key)
    else if (change !== null) keys.put(sameSecret.id, { ...sameSecret, ...change })
    return null
  }

  function putPassword({ username, hash, mayReplace }: PasswordRecord): Verdict {
    if (accounts.find(username) === null) return unknownAccount(username)
    const kept = passwords.find(username)
    if (kept?.hash === hash) return null
    // An older export must not bring an old password back.
    if (kept !== null && !mayReplace) {
      return refuse(
        "sealed",
        "is not the password the account has (--overwrite-passwords replaces it)",
      )
    }
    passwords.put(username, { username, hash })
    return null
  }
  return { findKeyByLookup, putNewKey, judgeKeyOf, putKey, putPassword }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
