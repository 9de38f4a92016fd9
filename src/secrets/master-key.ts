/** Where the master key comes from: the environment, a named file, or a file beside the database. */
import { randomBytes } from "node:crypto"
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { platform } from "node:os"
import { canaryMark, type MetadataStore, StoreUnavailable } from "../domain/store.ts"
import { hasErrorCode, SealBroken } from "../domain/values/error.ts"
import {
  createCanary,
  createSealer,
  isSameCanary,
  type MasterKey,
  type MasterKeys,
  recoveryKeyOf,
} from "./vaults.ts"

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
export function makeMasterKeyFile(path: string): MasterKey {
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

/**
 * While the master key is replaced: the canary of the new one, after the phase. `announced`: every server reads the new
 * key. `sealing`: the new key seals, and what the old one sealed is sealed anew.
 */
export const nextMark = "next master key"
/** The key of the digests of recovery codes, sealed; missing until the master key is replaced. */
export const recoveryMark = "recovery code key"

/** The new key is in a file beside the one with the old key. */
export const nextPathOf = (path: string) => `${path}.next`

export type OpenedKeys = MasterKeys &
  Readonly<{
    /** Of the keys that this process holds. Servers note them, so that the command which replaces the key waits. */
    canaries(): readonly string[]
    /** Reads the state of the store, and new files, unless it did so within the last second. */
    refresh(): Promise<void>
  }>

type Marks = Readonly<{ canary: string | null; next: string | null; recovery: string | null }>

const askEveryMs = 1_000

/** The store's master key. Throws MasterKeyError when it cannot be read, or is not the store's. */
export async function openMasterKeys(
  metadata: Pick<MetadataStore, "find">,
  source: MasterKeySource,
): Promise<OpenedKeys> {
  /** By canary, all that were ever read. */
  const held = new Map<string, MasterKey>()
  let marks = await readMarks(metadata)
  let askedAtMs = performance.now()
  let recovery: Uint8Array | null = null

  function readFiles(): void {
    for (const key of readHeld(source)) {
      const canary = createCanary(key)
      if (!held.has(canary)) held.set(canary, key)
    }
  }
  const find = (canary: string | undefined) =>
    [...held].find(([known]) => canary !== undefined && isSameCanary(known, canary))?.[1]
  const next = () => parseNext(marks.next)
  const all = () => [marks.canary ?? undefined, next()?.canary].flatMap((each) => find(each) ?? [])

  if (marks.canary === null) {
    throw new MasterKeyError(
      "this store has no master key yet, because its creation was interrupted; run `pazar migrate`",
    )
  }
  readFiles()
  if (find(marks.canary) === undefined) throw wrongKey()
  if (next()?.phase === "sealing" && find(next()?.canary) === undefined) throw missingNext(source)
  return {
    all,
    sealing() {
      const { phase, canary } = next() ?? { phase: "sealing", canary: marks.canary ?? "" }
      const key = find(phase === "sealing" ? canary : (marks.canary ?? ""))
      if (key === undefined) throw new StoreUnavailable(missingNext(source).message)
      return key
    },
    recoveryKey() {
      recovery ??= openRecoveryKey(marks.recovery, all())
      return recovery
    },
    canaries: () => [...held.keys()],
    async refresh() {
      if (performance.now() - askedAtMs < askEveryMs) return
      askedAtMs = performance.now()
      marks = await readMarks(metadata)
      const isMissing = [marks.canary, next()?.canary].some(
        (canary) => typeof canary === "string" && find(canary) === undefined,
      )
      if (isMissing) readFiles()
    },
  }
}

/** Of a backup. Messages speak of "this store", so the file is named. */
export async function openBackupKeys(
  file: string,
  metadata: Pick<MetadataStore, "find">,
  source: MasterKeySource,
): Promise<void> {
  try {
    await openMasterKeys(metadata, source)
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error
    throw new MasterKeyError(`cannot open ${file}: ${error.message}`, { cause: error })
  }
}

const readMarks = async (metadata: Pick<MetadataStore, "find">): Promise<Marks> => ({
  canary: await metadata.find(canaryMark),
  next: await metadata.find(nextMark),
  recovery: await metadata.find(recoveryMark),
})

/** The key of the settings, and a new one beside it. A file that cannot be read is told when it is needed. */
function readHeld(source: MasterKeySource): readonly MasterKey[] {
  const key = readMasterKey(source)
  if (source.from === "environment") return [key]
  const path = nextPathOf(source.path)
  return existsSync(path) ? [key, readMasterKeyFile(path)] : [key]
}

/** Null while no key is replaced. */
export function parseNext(
  mark: string | null,
): Readonly<{ phase: "announced" | "sealing"; canary: string }> | null {
  const [phase, canary] = (mark ?? "").split(" ")
  if (canary === undefined) return null
  return { phase: phase === "sealing" ? "sealing" : "announced", canary }
}

/** Throws SealBroken for a mark that none of the keys opens. */
export const openRecoveryKey = (mark: string | null, keys: readonly MasterKey[]): Uint8Array => {
  const [first] = keys
  if (first === undefined) throw wrongKey()
  if (mark === null) return recoveryKeyOf(first)
  for (const key of keys) {
    try {
      return Buffer.from(sealerOfRecoveryKey(key).unseal(Buffer.from(mark, "base64"), null), "hex")
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
    }
  }
  throw new SealBroken()
}

export const sealRecoveryKey = (recoveryKey: Uint8Array, master: MasterKey): string =>
  Buffer.from(
    sealerOfRecoveryKey(master).seal(Buffer.from(recoveryKey).toString("hex"), null),
  ).toString("base64")

const sealerOfRecoveryKey = (master: MasterKey) =>
  createSealer<null>(master, "recovery code key", () => [])

/** Gives a new store its master key, and creates the key file if the source says so. */
export async function adoptMasterKey(
  metadata: MetadataStore,
  source: MasterKeySource,
): Promise<OpenedKeys> {
  const isNew = (await metadata.find(canaryMark)) === null
  if (isNew) {
    // A store that lost its key file gets no new one: its keys could not be read with it.
    const master = source.from === "made" ? makeMasterKeyFile(source.path) : readMasterKey(source)
    await metadata.putFirst(canaryMark, createCanary(master))
  }
  return openMasterKeys(metadata, source)
}

const wrongKey = () => new WrongMasterKey("this store has another master key; give it that one")

const missingNext = (source: MasterKeySource) =>
  new MasterKeyError(
    source.from === "environment"
      ? "the master key of this store is being replaced: give both keys in files, by PAZAR_MASTER_KEY_FILE"
      : `the master key of this store is being replaced: put the new key into ${nextPathOf(source.path)}`,
  )
