import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { platform } from "node:os"
import { createKeyCipher } from "../keys/key.ts"
import {
  type Cipher,
  createCipher,
  deriveRecoveryKey,
  type MasterKey,
  type MasterKeys,
  subKey,
} from "../platform/crypto/cipher.ts"
import type { MetadataStore } from "../platform/database/metadata.ts"
import { DecryptionFailed, hasErrorCode } from "../platform/error.ts"
import type { EncryptedRow } from "./encrypted-row-store.ts"
import { canaryMetadataKey } from "./metadata.ts"
import type { Store } from "./store.ts"

export const masterKeyBytes = 32

/** The group may read the file: Kubernetes mounts secrets with the group of the pod. */
const othersMode = 0o007

/** `made` is the key file that is created next to a SQLite database. */
export type MasterKeySource = Readonly<
  | { from: "environment"; key: MasterKey }
  | { from: "file"; path: string }
  | { from: "made"; path: string }
>

export const readMasterKey = (source: MasterKeySource): MasterKey =>
  source.from === "environment" ? source.key : readMasterKeyFile(source.path)

export function decodeMasterKey(text: string): MasterKey | null {
  const trimmed = text.trim()
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(trimmed)) return null
  const key = Buffer.from(trimmed, "base64")
  return key.length === masterKeyBytes ? new Uint8Array(key) : null
}

export class MasterKeyError extends Error {
  override name = "MasterKeyError"
}

/** The database was encrypted with another master key. */
export class WrongMasterKey extends MasterKeyError {
  override name = "WrongMasterKey"
}

export function readMasterKeyFile(path: string): MasterKey {
  const rejected = (problem: string, options?: ErrorOptions) =>
    new MasterKeyError(`the master key file ${path} ${problem}`, options)
  let key: MasterKey | null
  let mode: number
  try {
    key = decodeMasterKey(readFileSync(path, "utf8"))
    mode = statSync(path).mode
  } catch (cause) {
    throw rejected(`cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  if ((mode & othersMode) !== 0 && platform() !== "win32")
    throw rejected(`is accessible to every user of this machine; run chmod 600 ${path}`)
  if (key === null) throw rejected("must contain 32 bytes in base64")
  return key
}

/**
 * Creates the file with mode 0600 if it is missing, and reads it. The file is written under a temporary name and then
 * linked into place: concurrent processes get the same key, and no process reads a partial file.
 */
export function createMasterKeyFile(path: string): MasterKey {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`
  const file = openSync(temporary, "wx", 0o600)
  try {
    writeSync(file, `${randomBytes(masterKeyBytes).toString("base64")}\n`)
    fsyncSync(file)
    chmodSync(temporary, 0o600)
    linkSync(temporary, path)
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error
  } finally {
    closeSync(file)
    rmSync(temporary, { force: true })
  }
  return readMasterKeyFile(path)
}

/** The encrypted HMAC key of recovery codes. Absent until the first rotation of the master key. */
const recoveryKeyMetadataKey = "recovery code key"

export type MasterKeySettings = Readonly<{
  masterKey: MasterKeySource
  previousMasterKey: MasterKeySource | null
}>

/** `isReencrypted` is false while rows may be encrypted with the previous key. */
export type OpenedKeys = MasterKeys & Readonly<{ isReencrypted: boolean }>

/** Reads the configured keys. Throws MasterKeyError if one cannot be read or none matches the database. */
export async function openMasterKeys(
  metadata: Pick<MetadataStore, "find">,
  { masterKey, previousMasterKey }: MasterKeySettings,
): Promise<OpenedKeys> {
  const canary = await metadata.find(canaryMetadataKey)
  if (canary === null) {
    throw new MasterKeyError(
      "the database has no master key, because its creation was interrupted; run `pazar migrate`",
    )
  }
  const current = readMasterKey(masterKey)
  const previous = previousMasterKey && readMasterKey(previousMasterKey)
  const matching = [current, previous].find((key) => key && isSameCanary(canary, createCanary(key)))
  if (!matching) {
    throw new WrongMasterKey(
      "the master key does not match this database; set the key of this database, or during a rotation the old key as PAZAR_MASTER_KEY_PREVIOUS_FILE",
    )
  }
  const keys = {
    current,
    previous,
    recoveryKey: deriveRecoveryKey(matching),
    isReencrypted: matching === current,
  }
  const encrypted = await metadata.find(recoveryKeyMetadataKey)
  if (encrypted === null) return keys
  const recoveryKey = createRecoveryKeyCipher(keys).decrypt(Buffer.from(encrypted, "base64"), null)
  return { ...keys, recoveryKey: Buffer.from(recoveryKey, "hex") }
}

const createRecoveryKeyCipher = (keys: MasterKeys) =>
  createCipher<null>(keys, "recovery code key", () => [])

/** Makes the current key the key of the database, after all rows have been encrypted with it. */
async function completeRotation(
  metadata: Pick<MetadataStore, "put">,
  keys: MasterKeys,
): Promise<void> {
  const recoveryKey = Buffer.from(keys.recoveryKey).toString("hex")
  const encrypted = createRecoveryKeyCipher(keys).encrypt(recoveryKey, null)
  await metadata.put(recoveryKeyMetadataKey, Buffer.from(encrypted).toString("base64"))
  await metadata.put(canaryMetadataKey, createCanary(keys.current))
}

/** Checks that the keys match a backup. Throws MasterKeyError with the name of the file if not. */
export async function openBackupKeys(
  file: string,
  metadata: Pick<MetadataStore, "find">,
  settings: MasterKeySettings,
): Promise<void> {
  try {
    await openMasterKeys(metadata, settings)
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error
    throw new MasterKeyError(`cannot open ${file}: ${error.message}`, { cause: error })
  }
}

/** Sets the master key of a new database and creates the key file for the source `made`. */
export async function initializeMasterKey(
  metadata: MetadataStore,
  settings: MasterKeySettings,
): Promise<OpenedKeys> {
  const { masterKey: source } = settings
  if ((await metadata.find(canaryMetadataKey)) === null) {
    // Only for a new database: a new key file could not decrypt the data of an existing one.
    const master = source.from === "made" ? createMasterKeyFile(source.path) : readMasterKey(source)
    await metadata.putIfAbsent(canaryMetadataKey, createCanary(master))
  }
  return openMasterKeys(metadata, settings)
}

/**
 * Re-encrypts all rows with the current master key. Servers that have both keys can keep running. The next run completes
 * an interrupted one. `broken` lists the rows that neither key decrypts.
 */
export async function reencrypt(
  { metadata, encryptedRows }: Pick<Store, "metadata" | "encryptedRows">,
  keys: OpenedKeys & Readonly<{ previous: MasterKey }>,
  onBatch: (table: string, rows: number) => void,
): Promise<Readonly<{ rows: number; broken: readonly string[] }>> {
  const keyCipher = createKeyCipher(keys.current)
  const broken = new Set<string>()
  const createReencrypt = (purpose: string) => {
    const bind = (owner: readonly string[]) => owner
    const cipher = createCipher(keys.current, purpose, bind)
    const previous = createCipher(keys.previous, purpose, bind)
    return (row: EncryptedRow) => {
      if (decrypt(cipher, row) !== null) return null
      const text = decrypt(previous, row)
      if (text === null) {
        broken.add(`${row.owner[0]} in ${row.table}`)
        return null
      }
      const lookup = purpose === "key" ? keyCipher.lookup(text) : null
      return { encrypted: cipher.encrypt(text, row.owner), lookup }
    }
  }
  let rows = 0
  for (let changed = 1; changed > 0; rows += changed) {
    broken.clear()
    changed = await encryptedRows.rewrite(createReencrypt, onBatch)
  }
  if (!keys.isReencrypted) await completeRotation(metadata, keys)
  return { rows, broken: [...broken] }
}

function decrypt(cipher: Cipher<readonly string[]>, { encrypted, owner }: EncryptedRow) {
  try {
    return cipher.decrypt(encrypted, owner)
  } catch (error) {
    if (error instanceof DecryptionFailed) return null
    throw error
  }
}

/** Stored to recognize the master key. It reveals nothing about the key. */
export function createCanary(master: MasterKey): string {
  return createHmac("sha256", subKey(master, "canary")).update("pazar").digest("base64")
}

export function isSameCanary(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
