/**
 * Replaces the master key beside running servers. Each of them reads the new key first; then all seal with it, and
 * find keys by both. What the old key has sealed is sealed anew in batches, until nothing is left of it; only then the
 * new key becomes the store's. Every step can be repeated, so an interrupted replacement is run again.
 */
import { existsSync, linkSync, renameSync } from "node:fs"
import {
  type SealedColumn,
  type SealedPurpose,
  type SealedRow,
  type SealedRowStore,
  sealedPurposes,
} from "../domain/keys/sealed-rows.ts"
import { type Node, type NodeStore, nodeGoneSeconds } from "../domain/running/node.ts"
import { canaryMark, type MetadataStore } from "../domain/store.ts"
import { hasErrorCode, RefusedError, SealBroken } from "../domain/values/error.ts"
import { secondsBefore } from "../domain/values/time/timestamp.ts"
import {
  type MasterKeySource,
  makeMasterKeyFile,
  nextMark,
  nextPathOf,
  openRecoveryKey,
  parseNext,
  readMasterKeyFile,
  recoveryMark,
  sealRecoveryKey,
} from "./master-key.ts"
import {
  createCanary,
  createKeyVault,
  createSealer,
  isSameCanary,
  type MasterKey,
  type Sealer,
} from "./vaults.ts"

export type Replacing = Readonly<{
  metadata: MetadataStore
  sealedRows: SealedRowStore
  nodes: Pick<NodeStore, "list">
  now(): Date
  pause(ms: number): Promise<void>
  /** Once for each server, when its turn comes. */
  onWaiting(node: Pick<Node, "url" | "version">): void
  onProgress(table: string, rows: number): void
}>

/** `keptAs` is the file with the old key; null where the files have to be changed by hand. */
export type Replaced = Readonly<{ rows: number; keptAs: string | null; path: string }>

export async function replaceMasterKey(
  replacing: Replacing,
  source: MasterKeySource,
  suffix: string,
): Promise<Replaced> {
  if (source.from === "environment") {
    throw new RefusedError(
      "PAZAR_MASTER_KEY cannot be replaced while servers run: put the key into a file, start every server with PAZAR_MASTER_KEY_FILE, and run this again",
    )
  }
  const { path } = source
  const old = readMasterKeyFile(path)
  const next = makeNextFile(nextPathOf(path))
  const canary = (await replacing.metadata.find(canaryMark)) ?? ""
  // An interrupted replacement may have come as far as the files.
  const isDone = isSameCanary(canary, createCanary(next))
  const rows = isDone ? 0 : await sealAnew(replacing, old, next, canary, nextPathOf(path))
  return { rows, keptAs: putInPlace(path, suffix), path }
}

function makeNextFile(path: string): MasterKey {
  try {
    return makeMasterKeyFile(path)
  } catch (error) {
    if (!["EACCES", "EROFS", "EPERM"].some((code) => hasErrorCode(error, code))) throw error
    throw new RefusedError(
      `${path} cannot be created. Make it yourself on every machine, with the same key, as \`openssl rand -base64 32\` prints one; then run this again`,
    )
  }
}

async function sealAnew(
  replacing: Replacing,
  old: MasterKey,
  next: MasterKey,
  canary: string,
  nextPath: string,
): Promise<number> {
  const { metadata, pause } = replacing
  if (!isSameCanary(canary, createCanary(old))) {
    throw new RefusedError("this store has another master key; give it that one")
  }
  const begun = parseNext(await metadata.find(nextMark))
  // A key that was only announced has sealed nothing. If its file was lost, another takes its place.
  if (begun?.phase === "sealing" && !isSameCanary(begun.canary, createCanary(next))) {
    throw new RefusedError(
      `this store is being given another new key than the one in ${nextPath}: put that one there`,
    )
  }
  await assertAllOpen(replacing, old, next)
  if (begun?.phase !== "sealing") {
    const announced = `announced ${createCanary(next)}`
    await metadata.put(nextMark, announced)
    await untilAllHold(replacing, createCanary(next), nextPath)
    if ((await metadata.find(nextMark)) !== announced) {
      throw new RefusedError("another replacement has begun meanwhile: let it end")
    }
    const recoveryKey = openRecoveryKey(await metadata.find(recoveryMark), [old, next])
    await metadata.put(recoveryMark, sealRecoveryKey(recoveryKey, next))
    await metadata.put(nextMark, `sealing ${createCanary(next)}`)
  }
  // Every thread asks for the phase once a second; until it has, it seals with the old key.
  await pause(settleMs)
  let rows = 0
  for (;;) {
    const changed = await sealPass(replacing, old, next)
    rows += changed
    if (changed === 0) break
  }
  await metadata.putInPlaceOf(canaryMark, createCanary(next), nextMark)
  return rows
}

const settleMs = 3_000
const askEveryMs = 500
/** A server that was just started notes itself within a minute. */
const waitMsMax = 120_000

/** Throws RefusedError when a server has not read the new key in time. */
async function untilAllHold(
  { nodes, now, pause, onWaiting }: Replacing,
  canary: string,
  nextPath: string,
): Promise<void> {
  let waitedFor = ""
  for (let waitedMs = 0; ; waitedMs += askEveryMs) {
    const running = await nodes.list(secondsBefore(now(), nodeGoneSeconds))
    const lacking = running.find(({ masterKeys }) => !masterKeys?.split(" ").includes(canary))
    if (lacking === undefined) return
    if (waitedMs >= waitMsMax) {
      throw new RefusedError(
        `the server at ${lacking.url} on ${lacking.host} (version ${lacking.version}) has not read the new key: put a copy of ${nextPath} beside the file of its master key, or stop it, then run this again. Nothing was sealed anew`,
      )
    }
    if (lacking.id !== waitedFor) onWaiting(lacking)
    waitedFor = lacking.id
    await pause(askEveryMs)
  }
}

const rowsEach = 200

async function* readAll({
  list,
  columns,
}: SealedRowStore): AsyncGenerator<Readonly<{ column: SealedColumn; rows: readonly SealedRow[] }>> {
  for (const column of columns) {
    let place = ""
    for (;;) {
      const rows = await list(column, place, rowsEach)
      const last = rows.at(-1)
      if (last === undefined) break
      yield { column, rows }
      place = last.place
    }
  }
}

type Openers = (purpose: SealedPurpose) => Sealer<readonly string[]>

function createOpeners(master: MasterKey): Openers {
  const sealers = new Map(
    sealedPurposes.map((purpose) => [
      purpose,
      createSealer<readonly string[]>(master, purpose, (owner) => owner),
    ]),
  )
  return (purpose) => {
    const sealer = sealers.get(purpose)
    if (sealer === undefined) throw new Error(`nothing is sealed as ${purpose}`)
    return sealer
  }
}

/** Null for a row that another key has sealed. */
function openRow(sealer: Sealer<readonly string[]>, { sealed, owner }: SealedRow): string | null {
  try {
    return sealer.unseal(sealed, owner)
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}

/** A key that does not open could not be found any more: better told before than after. */
async function assertAllOpen(
  { sealedRows }: Replacing,
  old: MasterKey,
  next: MasterKey,
): Promise<void> {
  const openers = [createOpeners(old), createOpeners(next)]
  for await (const { column, rows } of readAll(sealedRows)) {
    // Notes last for minutes.
    if (column.purpose === "session note") continue
    const broken = rows.find((row) =>
      openers.every((opener) => openRow(opener(column.purpose), row) === null),
    )
    if (broken === undefined) continue
    throw new RefusedError(
      `${broken.owner.join(" of ")} in ${column.table} does not open with the master key. Rotate or remove it first`,
    )
  }
}

/** Seals anew what the old key has sealed, and says how many rows. */
async function sealPass(
  { sealedRows, onProgress }: Replacing,
  old: MasterKey,
  next: MasterKey,
): Promise<number> {
  const vault = createKeyVault(next)
  const [openerOfOld, openerOfNext] = [createOpeners(old), createOpeners(next)]
  let changed = 0
  for await (const { column, rows } of readAll(sealedRows)) {
    const sealer = openerOfNext(column.purpose)
    const resealed = rows.flatMap((row) => {
      if (openRow(sealer, row) !== null) return []
      const text = openRow(openerOfOld(column.purpose), row)
      if (text === null) return []
      const lookup = column.purpose === "key" ? vault.lookup(text) : null
      return [{ ...row, resealed: sealer.seal(text, row.owner), lookup }]
    })
    await sealedRows.replace(column, resealed)
    changed += resealed.length
    onProgress(column.table, changed)
  }
  return changed
}

/** The old key is kept: backups from before need it. Null where the files cannot be changed. */
function putInPlace(path: string, suffix: string): string | null {
  const keptAs = `${path}.replaced-${suffix}`
  // Else the key that is kept would be the new one.
  if (!existsSync(nextPathOf(path))) {
    throw new RefusedError("another replacement ended meanwhile, and has put the new key in place")
  }
  try {
    if (!existsSync(keptAs)) linkSync(path, keptAs)
    renameSync(nextPathOf(path), path)
    return keptAs
  } catch (error) {
    if (["EACCES", "EROFS", "EPERM", "EBUSY"].some((code) => hasErrorCode(error, code))) return null
    throw error
  }
}
