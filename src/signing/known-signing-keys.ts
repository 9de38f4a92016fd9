/** The signing keys of the store, cached until the store tells of a change. */
import type { Awaitable } from "../domain/awaitable.ts"
import type { KeyChanges } from "../domain/key-changes.ts"
import type { SigningKey, SigningKeyStore, SigningKeyVault } from "../domain/signing-key.ts"
import { StoreUnavailable } from "../domain/store.ts"
import type { Signer } from "./answer-signature.ts"
import { openPrivateKey } from "./key-pair.ts"

export type OpenedKeys = Readonly<{ keys: readonly SigningKey[]; signer: Signer }>

export type KnownSigningKeys = Readonly<{
  /** Cached keys are returned at once. Throws StoreUnavailable when none were ever read. */
  find(): Awaitable<OpenedKeys>
}>

type Sources = Readonly<{
  signingKeys: Pick<SigningKeyStore, "list">
  keyChanges: Pick<KeyChanges, "watch" | "catchUp">
  vault: Pick<SigningKeyVault, "unseal">
}>

export function createKnownSigningKeys(sources: Sources): KnownSigningKeys {
  const { signingKeys, keyChanges, vault } = sources
  let known: OpenedKeys | null = null
  let isFresh = false
  let changes = 0

  keyChanges.watch((changed) => {
    const mayBeOurs = changed === "all" || known === null
    if (!mayBeOurs && !known?.keys.some(({ id }) => changed.includes(id))) return
    changes += 1
    isFresh = false
  })

  async function read(): Promise<OpenedKeys> {
    const changesBefore = changes
    const opened = openKeys(await signingKeys.list(), vault)
    known = opened
    // A change during the query may make these rows stale; read them again next time.
    isFresh = changes === changesBefore
    return opened
  }
  /** A store that cannot be asked must not stop answers from being signed. */
  async function readOrKeep(kept: OpenedKeys): Promise<OpenedKeys> {
    try {
      return await read()
    } catch (error) {
      if (error instanceof StoreUnavailable) return kept
      throw error
    }
  }
  return {
    find() {
      keyChanges.catchUp()
      if (known === null) return read()
      return isFresh ? known : readOrKeep(known)
    },
  }
}

function openKeys(keys: readonly SigningKey[], vault: Sources["vault"]): OpenedKeys {
  const current = keys.find(({ state }) => state === "current")
  if (current === undefined) {
    throw new StoreUnavailable(
      "this store has no signing keys yet, because its creation was interrupted; run `pazar migrate`",
    )
  }
  return { keys, signer: { keyId: current.id, privateKey: openPrivateKey(current, vault) } }
}
