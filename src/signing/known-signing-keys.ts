/** The signing keys of the store, cached until the store reports a change. */

import type { KeyChanges } from "../domain/keys/key-changes.ts"
import type { SigningKey, SigningKeyStore, SigningKeyVault } from "../domain/keys/signing-key.ts"
import { StoreUnavailable } from "../domain/store.ts"
import type { Awaitable } from "../domain/values/awaitable.ts"
import type { Signer } from "./answer-signature.ts"
import { unsealPrivateKey } from "./key-pair.ts"

export type UnsealedKeys = Readonly<{ keys: readonly SigningKey[]; signer: Signer }>

export type KnownSigningKeys = Readonly<{
  /** Cached keys are returned at once. Throws StoreUnavailable when none were ever read. */
  read(): Awaitable<UnsealedKeys>
}>

type Sources = Readonly<{
  signingKeys: Pick<SigningKeyStore, "list">
  keyChanges: Pick<KeyChanges, "watch" | "catchUp">
  vault: Pick<SigningKeyVault, "unseal">
}>

export function createKnownSigningKeys(sources: Sources): KnownSigningKeys {
  const { signingKeys, keyChanges, vault } = sources
  let known: UnsealedKeys | null = null
  let isFresh = false
  let changes = 0

  keyChanges.watch((changed) => {
    const mayBeOurs = changed === "all" || known === null
    if (!mayBeOurs && !known?.keys.some(({ id }) => changed.includes(id))) return
    changes += 1
    isFresh = false
  })

  async function readStore(): Promise<UnsealedKeys> {
    const changesBefore = changes
    const unsealed = unsealKeys(await signingKeys.list(), vault)
    known = unsealed
    // A change during the query may make these rows stale; read them again next time.
    isFresh = changes === changesBefore
    return unsealed
  }
  /** If the store cannot be asked, go on signing with the known keys. */
  async function readOrKeep(kept: UnsealedKeys): Promise<UnsealedKeys> {
    try {
      return await readStore()
    } catch (error) {
      if (error instanceof StoreUnavailable) return kept
      throw error
    }
  }
  return {
    read() {
      keyChanges.catchUp()
      if (known === null) return readStore()
      return isFresh ? known : readOrKeep(known)
    },
  }
}

function unsealKeys(keys: readonly SigningKey[], vault: Sources["vault"]): UnsealedKeys {
  const current = keys.find(({ state }) => state === "current")
  if (current === undefined) {
    throw new StoreUnavailable(
      "this store has no signing keys yet, because its creation was interrupted; run `pazar migrate`",
    )
  }
  return { keys, signer: { keyId: current.id, privateKey: unsealPrivateKey(current, vault) } }
}
