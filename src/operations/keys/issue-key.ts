import type { Account } from "../../domain/catalogue/account.ts"
import type { ItemStore } from "../../domain/catalogue/item.ts"
import {
  type ApiKeyStore,
  type IssuedKind,
  type KeyVault,
  keyNameCharactersMax,
  liveKeysMax,
  type StoredKey,
} from "../../domain/keys/api-key.ts"
import { RefusedError } from "../../domain/values/error.ts"
import { formatTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"
import { recordKeyEvent, type Trace } from "../record-event.ts"

export type Issuing = Trace &
  Readonly<{ keys: ApiKeyStore; items: Pick<ItemStore, "find">; vault: KeyVault }>

export type KeyOptions = Readonly<{
  kind: IssuedKind
  name: string
  itemIds: readonly number[] | null
  expiresAt: Timestamp | null
}>

export class KeyLimitReached extends RefusedError {
  constructor({ username }: Pick<Account, "username">) {
    super(`${username} has ${liveKeysMax} live keys already; revoke one that is not used`)
  }
}

/** A key and, this once, its secret. */
export type IssuedKey = Readonly<{ key: StoredKey; secret: string }>

export async function issueKey(
  services: Issuing,
  account: Pick<Account, "id" | "username">,
  options: KeyOptions,
  id = services.vault.createKeyId(),
): Promise<IssuedKey> {
  const { keys, items, vault, now } = services
  if ([...options.name].length > keyNameCharactersMax) {
    throw new RefusedError(`a key's name has at most ${keyNameCharactersMax} characters`)
  }
  if (options.itemIds !== null && options.kind !== "vk") {
    throw new RefusedError("only a validation key (vk) can be limited to chosen items")
  }
  for (const id of options.itemIds ?? []) {
    if ((await items.find(account.id, id)) === null) {
      throw new RefusedError(`${account.username} has no item ${id}`)
    }
  }
  if (options.expiresAt !== null && options.expiresAt <= formatTimestamp(now())) {
    throw new RefusedError(`the expiry ${options.expiresAt} is already past`)
  }
  const issued = createKey(vault, account, options, { id, createdAt: formatTimestamp(now()) })
  if (!(await keys.insert(issued.key))) throw new KeyLimitReached(account)
  await resealIfRenamed(services, issued)
  await recordKeyEvent(services, issued.key, "created")
  return issued
}

/**
 * A sealed copy is bound to the name of its account, and a feed may have renamed the account while the
 * key was made. A later rename finds the key in the store and seals it anew.
 */
export async function resealIfRenamed(
  { keys, vault }: Pick<Issuing, "keys" | "vault">,
  { key, secret }: IssuedKey,
): Promise<void> {
  const stored = await keys.find(key.id)
  if (stored === null || stored.username === key.username) return
  await keys.reseal(key.id, vault.seal(secret, stored))
}

export function createKey(
  vault: KeyVault,
  account: Pick<Account, "id" | "username">,
  { kind, name, itemIds, expiresAt }: KeyOptions,
  { id, createdAt }: Pick<StoredKey, "id" | "createdAt">,
): IssuedKey {
  const secret = vault.createSecret(kind)
  const { id: accountId, username } = account
  const lookup = vault.lookup(secret)
  const sealed = vault.seal(secret, { id, username, kind })
  const key = { id, accountId, username, kind, name, itemIds, lookup, sealed, createdAt, expiresAt }
  return { key: { ...key, revokedAt: null, replacedAt: null, replacedBy: null }, secret }
}
