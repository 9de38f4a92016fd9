/** Where the master key comes from: the environment, a named file, or a file beside the database. */
import { randomBytes } from "node:crypto"
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
import { canaryMetadataKey, type MetadataStore } from "../domain/store.ts"
import { hasErrorCode } from "../domain/values/error.ts"
import {
  createCanary,
  createCipher,
  isSameCanary,
  type MasterKey,
  type MasterKeys,
  recoveryKeyOf,
} from "./ciphers.ts"

export const masterKeyBytes = 32

/** The group may read it: Kubernetes gives a mounted secret to the pod's group. Windows has no modes. */
const othersMay = 0o007

/** `made` is the file beside the embedded database, created with it. */
export type MasterKeySource = Readonly<
  | { from: "environment"; key: MasterKey }
  | { from: "file"; path: string }
  | { from: "made"; path: string }
>

export const readMasterKey = (source: MasterKeySource): MasterKey =>
  source.from === "environment" ? source.key : readMasterKeyFile(source.path)

/** Null unless it is base64 of exactly 32 bytes. */
export function decodeMasterKey(text: string): MasterKey | null {
  const trimmed = text.trim()
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(trimmed)) return null
  const key = Buffer.from(trimmed, "base64")
  return key.length === masterKeyBytes ? new Uint8Array(key) : null
}

export class MasterKeyError extends Error {
  override name = "MasterKeyError"
}

/** The store was sealed under another key. */
export class WrongMasterKey extends MasterKeyError {
  override name = "WrongMasterKey"
}

export function readMasterKeyFile(path: string): MasterKey {
  let text: string
  let mode: number
  try {
    text = readFileSync(path, "utf8")
    mode = statSync(path).mode
  } catch (cause) {
    throw new MasterKeyError(`the master key file ${path} cannot be read: ${describe(cause)}`, {
      cause,
    })
  }
  if ((mode & othersMay) !== 0 && platform() !== "win32") {
    throw new MasterKeyError(
      `the master key file ${path} is open to every user of this machine: run chmod 600 ${path}`,
    )
  }
  const key = decodeMasterKey(text)
  if (key === null)
    throw new MasterKeyError(`the master key file ${path} must hold 32 bytes in base64`)
  return key
}

/**
 * Creates the file with mode 0600 if it is missing, and reads it. It is written under another name and
 * linked into place: two processes that start at once get the same key, and no process reads half a file.
 */
export function createMasterKeyFile(path: string): MasterKey {
  const aside = `${path}.${randomBytes(6).toString("hex")}`
  const file = openSync(aside, "wx", 0o600)
  try {
    writeSync(file, `${randomBytes(masterKeyBytes).toString("base64")}\n`)
    fsyncSync(file)
    chmodSync(aside, 0o600)
    linkSync(aside, path)
  } catch (error) {
    const isThere = hasErrorCode(error, "EEXIST")
    if (!isThere) throw error
  } finally {
    closeSync(file)
    rmSync(aside, { force: true })
  }
  return readMasterKeyFile(path)
}

const describe = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** The sub-key of recovery codes, encrypted. Missing until the master key is first rotated. */
const recoveryKeyMetadataKey = "recovery code key"

/** `previousMasterKey` is the old key during a rotation. */
export type MasterKeySettings = Readonly<{
  masterKey: MasterKeySource
  previousMasterKey: MasterKeySource | null
}>

/** `isResealed` is false while rows may be encrypted with the previous key. */
export type OpenedKeys = MasterKeys & Readonly<{ isReencrypted: boolean }>

/** The configured master keys. Throws MasterKeyError if one cannot be read or none matches the store. */
export async function openMasterKeys(
  metadata: Pick<MetadataStore, "find">,
  { masterKey, previousMasterKey }: MasterKeySettings,
): Promise<OpenedKeys> {
  const canary = await metadata.find(canaryMetadataKey)
  if (canary === null) {
    throw new MasterKeyError(
      "this store has no master key yet, because its creation was interrupted; run `pazar migrate`",
    )
  }
  const current = readMasterKey(masterKey)
  const previous = previousMasterKey && readMasterKey(previousMasterKey)
  const own = [current, previous].find((key) => key && isSameCanary(canary, createCanary(key)))
  if (!own) {
    throw new WrongMasterKey(
      "the master key does not match this database: set the one that it has, or during a rotation the old one as PAZAR_MASTER_KEY_PREVIOUS_FILE",
    )
  }
  const keys = {
    current,
    previous,
    recoveryKey: recoveryKeyOf(own),
    isReencrypted: own === current,
  }
  const kept = await metadata.find(recoveryKeyMetadataKey)
  if (kept === null) return keys
  const recoveryKey = createRecoveryKeyCipher(keys).decrypt(Buffer.from(kept, "base64"), null)
  return { ...keys, recoveryKey: Buffer.from(recoveryKey, "hex") }
}

const createRecoveryKeyCipher = (keys: MasterKeys) =>
  createCipher<null>(keys, "recovery code key", () => [])

/** Makes the current key the store's own, after all rows were encrypted with it. */
export async function completeRotation(
  metadata: Pick<MetadataStore, "put">,
  keys: MasterKeys,
): Promise<void> {
  const encrypted = createRecoveryKeyCipher(keys).encrypt(
    Buffer.from(keys.recoveryKey).toString("hex"),
    null,
  )
  await metadata.put(recoveryKeyMetadataKey, Buffer.from(encrypted).toString("base64"))
  await metadata.put(canaryMetadataKey, createCanary(keys.current))
}

/** Of a backup. Messages speak of "this store", so the file is named. */
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

/** Gives a new store its master key, and creates the key file if the source says so. */
export async function initializeMasterKey(
  metadata: MetadataStore,
  settings: MasterKeySettings,
): Promise<OpenedKeys> {
  const { masterKey: source } = settings
  const isNew = (await metadata.find(canaryMetadataKey)) === null
  if (isNew) {
    // A store that lost its key file gets no new one: its keys could not be read with it.
    const master = source.from === "made" ? createMasterKeyFile(source.path) : readMasterKey(source)
    await metadata.putIfAbsent(canaryMetadataKey, createCanary(master))
  }
  return openMasterKeys(metadata, settings)
}
