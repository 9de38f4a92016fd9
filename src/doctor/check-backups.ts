/** The backups in a folder, whichever program has made them. The newest is opened, as a restore would do. */
import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { backupAgeMsMax } from "../domain/store.ts"
import { describeCounts, type RowCounts } from "../domain/usage/operator-reads.ts"
import { findErrorCode } from "../domain/values/error.ts"
import { en } from "../domain/values/problems/en.ts"
import { describe, message } from "../domain/values/problems/problem.ts"
import type { Timestamp } from "../domain/values/time/timestamp.ts"
import { type MasterKeySettings, openBackupKeys, WrongMasterKey } from "../secrets/master-key.ts"
import { inspectBackup } from "../store/open.ts"
import { type Finding, ok, problem, warning } from "./finding.ts"

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs

const check = "backups"
/** Also the file of an old key. */
const masterKeyFile = /(?:^|[.-])master-key(?:\.[\w-]+)?$/
const shutThem = "Run chmod 600 on them."
const keepApart = "Keep it apart: together they hold all keys."
const repair = message("repair_backups")

/** The store that the backups are of: its file, and its rows where they could be counted. */
type OwnStore = Readonly<{
  path: string | null
  counts: RowCounts | null
  /** Null where the settings cannot be read. */
  masterKeys: MasterKeySettings | null
}>

export async function checkBackups(
  folder: string,
  now: Date,
  own: OwnStore,
): Promise<readonly Finding[]> {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    const why = findErrorCode(error) ?? "unreadable"
    return [problem(check, `${folder} cannot be read (${why})`, "Is its volume mounted?")]
  }
  const files = names
    .filter((name) => !/^\.|\.unfinished-/.test(name) && !masterKeyFile.test(name))
    .map((name) => ({ name, path: join(folder, name), ...pickFacts(join(folder, name)) }))
    .filter(({ isFile, path }) => isFile && resolve(path) !== own.path)
    .map((file) => ({ ...file, kind: findKind(file.path) }))
    .filter(({ kind }) => kind !== null)
    .toSorted((one, other) => other.atMs - one.atMs)
  const [newest] = files
  if (newest === undefined) return [problem(check, `there is none in ${folder}`, repair)]
  const open = files.filter(({ mode }) => (mode & 0o077) !== 0)
  const areOpen = warning(check, `${open.length} of them can be read by others`, shutThem)
  const hasKey = names.some((name) => masterKeyFile.test(name))
  return [
    judgeAge(newest.name, now.getTime() - newest.atMs),
    newest.kind === "store" ? await judgeStore(newest.path, own) : notOpened(newest.name),
    ...(open.length === 0 ? [] : [areOpen]),
    ...(hasKey ? [warning(check, "a master key lies beside them", keepApart)] : []),
  ]
}

function pickFacts(path: string) {
  const found = statSync(path, { throwIfNoEntry: false })
  const { mode = 0, mtimeMs = 0 } = found ?? {}
  return { isFile: found?.isFile() === true, mode, atMs: mtimeMs }
}

/** Null for a file that is no backup, such as the log of a copy. */
function findKind(path: string): "store" | "dump" | "packed" | null {
  const head = readHead(path)
  if (/\.db$/.test(path) || head.startsWith("SQLite format 3\0")) return "store"
  if (head.startsWith("PGDMP") || head.includes("PostgreSQL database dump")) return "dump"
  return /\.(gz|zst|xz|bz2|zip|gpg|age)$/.test(path) ? "packed" : null
}

const headBytes = 64

/** Empty where the file cannot be read. */
function readHead(path: string): string {
  try {
    const file = openSync(path, "r")
    try {
      const head = Buffer.alloc(headBytes)
      return head.toString("latin1", 0, readSync(file, head))
    } finally {
      closeSync(file)
    }
  } catch {
    return ""
  }
}

/** The last one that `pazar backup` or the server has made; null for none. */
export function checkLastBackup(madeAt: Timestamp | null, now: Date): Finding {
  if (madeAt === null) return warning(check, message("no_backup"), message("set_up_backups"))
  return judgeAge(null, now.getTime() - Date.parse(madeAt))
}

/** `why` is null unless the server tried to make one since the last. */
export const checkFailedBackup = (why: string | null): readonly Finding[] =>
  why === null
    ? []
    : [problem(check, message("backup_failed", { text: why }), message("backup_retried"))]

function judgeAge(name: string | null, ageMs: number): Finding {
  const hours = Math.max(0, Math.floor(ageMs / hourMs))
  const age = message("backup_age", { hours })
  const detail = name === null ? age : `${name}: ${describe(en, age)}`
  if (ageMs > weekMs) return problem(check, detail, repair)
  return ageMs > backupAgeMsMax ? warning(check, detail, repair) : ok(check, detail)
}

const notOpened = (name: string) =>
  warning(
    check,
    `${name} was not opened: it is packed, or a dump of PostgreSQL`,
    "Restore it somewhere else once in a while to see that it works.",
  )

const underOtherKey = problem(
  check,
  "it was made under another master key, and can be restored only with that key",
  "If the master key was rotated since, keep the old key as long as this backup, and run `pazar backup` now.",
)

async function judgeStore(path: string, { counts, masterKeys }: OwnStore): Promise<Finding> {
  try {
    const backup = await inspectBackup(path, async (metadata) => {
      if (masterKeys !== null) await openBackupKeys(path, metadata, masterKeys)
    })
    const contents = describeCounts(backup.counts)
    const lacking = (["accounts", "items", "purchases"] as const).find(
      (name) => backup.counts[name] < (counts?.[name] ?? 0) / 2,
    )
    if (lacking !== undefined) {
      const detail = `it has ${contents}, but the store has ${counts?.[lacking]} ${lacking}`
      return problem(check, detail, "Is it a backup of this store?")
    }
    const unknown = masterKeys === null ? "; its master key was not compared" : ""
    return ok(check, `it can be restored: version ${backup.version}, ${contents}${unknown}`)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.cause instanceof WrongMasterKey) return underOtherKey
    return problem(check, `it cannot be restored: ${error.message}`, repair)
  }
}
