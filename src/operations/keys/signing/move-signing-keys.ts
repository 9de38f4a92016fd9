import type {
  SigningKey,
  SigningKeyStore,
  SigningKeyVault,
} from "../../../domain/keys/signing-key.ts"
import { RefusedError, SealBroken } from "../../../domain/values/error.ts"

export type MovingSigningKeys = Readonly<{
  signingKeys: SigningKeyStore
  signingKeyVault: SigningKeyVault
}>

/** Takes the place of a key's id: what is sealed for it is no single key. */
const owner = "all signing keys"

/** All keys in one text, sealed as a whole: only the same master key opens it, and only unchanged. */
export async function exportSigningKeys(services: MovingSigningKeys): Promise<string> {
  const keys = await services.signingKeys.list()
  assertComplete(keys)
  const rows = keys.map((key) => ({ ...key, sealed: Buffer.from(key.sealed).toString("base64") }))
  const sealed = services.signingKeyVault.seal(JSON.stringify(rows), owner)
  return Buffer.from(sealed).toString("base64")
}

/** Puts keys from another store in the place of all that are here. */
export async function importSigningKeys(
  { signingKeys, signingKeyVault }: MovingSigningKeys,
  exported: string,
): Promise<readonly SigningKey[]> {
  const keys = unsealExported(signingKeyVault, exported)
  assertComplete(keys)
  const expectedIds = (await signingKeys.list()).map(({ id }) => id)
  if (await signingKeys.replaceAll(expectedIds, keys)) return keys
  throw new RefusedError("the signing keys were changed by somebody else; try again")
}

/** An older version exported an empty list too; importing it would delete the keys that are here. */
function assertComplete(keys: readonly SigningKey[]): void {
  if (keys.some(({ state }) => state === "current")) return
  throw new RefusedError("there are no signing keys to move; run `pazar migrate` on their store")
}

type Exported = Omit<SigningKey, "sealed"> & Readonly<{ sealed: string }>

function unsealExported(vault: SigningKeyVault, exported: string): readonly SigningKey[] {
  try {
    // The seal proves that an export wrote it.
    const rows: readonly Exported[] = JSON.parse(
      vault.unseal(Buffer.from(exported, "base64"), owner),
    )
    return rows.map((row) => ({ ...row, sealed: Buffer.from(row.sealed, "base64") }))
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause
    throw new RefusedError(
      "this is not what `signing-key export` wrote, or that store has another master key",
      { cause },
    )
  }
}
