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
import type { MetadataStore } from "../domain/store.ts"
import { hasErrorCode } from "../domain/values/error.ts"
import { createCanary, isSameCanary, type MasterKey } from "./vaults.ts"

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
 * A store recognises its master key by a canary. With another key all API keys would be unknown, so a
 * wrong one is refused before anything is written with it.
 */
const canaryMark = "master key canary"

/** The store's master key. Throws MasterKeyError when it cannot be read, or is not the store's. */
export async function admitMasterKey(
  metadata: Pick<MetadataStore, "find">,
  source: MasterKeySource,
): Promise<MasterKey> {
  const known = await metadata.find(canaryMark)
  if (known === null) {
    throw new MasterKeyError(
      "this store has no master key yet, because its creation was interrupted; run `pazar migrate`",
    )
  }
  const master = readMasterKey(source)
  assertSame(known, master)
  return master
}

/** Gives a new store its master key, and creates the key file if the source says so. */
export async function adoptMasterKey(
  metadata: MetadataStore,
  source: MasterKeySource,
): Promise<MasterKey> {
  const isNew = (await metadata.find(canaryMark)) === null
  // A store that lost its key file gets no new one: its keys could not be read with it.
  const master =
    isNew && source.from === "made" ? makeMasterKeyFile(source.path) : readMasterKey(source)
  assertSame(await metadata.putFirst(canaryMark, createCanary(master)), master)
  return master
}

function assertSame(canary: string, master: MasterKey): void {
  if (isSameCanary(canary, createCanary(master))) return
  throw new MasterKeyError("this store was made with another master key; give it that one")
}
