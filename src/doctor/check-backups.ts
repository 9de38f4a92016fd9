/** Checks the backups in a folder, whichever program created them. Opens the newest one like a restore. */
import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { findErrorCode } from "../platform/error.ts"
import { describe, message } from "../platform/problem.ts"
import type { Timestamp } from "../platform/time.ts"
import { inspectSqliteBackup } from "../store/backup.ts"
import { describeCounts, type RowCounts } from "../store/checks.ts"
import { type MasterKeySettings, openBackupKeys, WrongMasterKey } from "../store/master-key.ts"
import { type Finding, ok, problem, warning } from "./finding.ts"

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs
/** A day, and two hours for late timers and slow copies. */
const backupAgeMsMax = 26 * hourMs

const check = "backups"
/** Also matches the file of an old key. */
const masterKeyFile = /(?:^|[.-])master-key(?:\.[\w-]+)?$/
const runChmod = "Run chmod 600 on them."
const moveKey = "Store it elsewhere: with the master key, a backup reveals all API keys."
const repair = message("repair_backups")

type OwnDatabase = Readonly<{
  path: string | null
  counts: RowCounts | null
  masterKeys: MasterKeySettings | null
}>

export async function checkBackups(folder: string, now: Date, own: OwnDatabase) {
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
  if (newest === undefined) return [problem(check, `${folder} contains no backup`, repair)]
  const open = files.filter(({ mode }) => (mode & 0o077) !== 0)
  const areOpen = warning(check, `other users can read ${open.length} of them`, runChmod)
  const hasKey = names.some((name) => masterKeyFile.test(name))
  return [
    checkAge(newest.name, now.getTime() - newest.atMs),
    newest.kind === "sqlite" ? await checkContents(newest.path, own) : notOpened(newest.name),
    ...(open.length === 0 ? [] : [areOpen]),
    ...(hasKey ? [warning(check, "a master key is in the same folder", moveKey)] : []),
  ]
}

function pickFacts(path: string) {
  const found = statSync(path, { throwIfNoEntry: false })
  const { mode = 0, mtimeMs = 0 } = found ?? {}
  return { isFile: found?.isFile() === true, mode, atMs: mtimeMs }
}

/** Returns null for a file that is not a backup, such as a log. */
function findKind(path: string): "sqlite" | "dump" | "compressed" | null {
  const head = readHead(path)
  if (/\.db$/.test(path) || head.startsWith("SQLite format 3\0")) return "sqlite"
  if (head.startsWith("PGDMP") || head.includes("PostgreSQL database dump")) return "dump"
  return /\.(gz|zst|xz|bz2|zip|gpg|age)$/.test(path) ? "compressed" : null
}

const headBytes = 64

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

/** Checks the last backup by `pazar backup` or the server, which writes to `folder`. */
export function checkLastBackup(createdAt: Timestamp | null, folder: string | null, now: Date) {
  if (createdAt === null) {
    const hint = folder === null ? "set_up_backups" : "start_server"
    return warning(check, message("no_backup"), message(hint))
  }
  return checkAge(null, now.getTime() - Date.parse(createdAt))
}

/** `why` is null if the last attempt of the server succeeded. */
export const checkFailedBackup = (why: string | null): readonly Finding[] =>
  why === null
    ? []
    : [problem(check, message("backup_failed", { text: why }), message("backup_retried"))]

function checkAge(name: string | null, ageMs: number): Finding {
  const hours = Math.max(0, Math.floor(ageMs / hourMs))
  const age = message("backup_age", { hours })
  const detail = name === null ? age : `${name}: ${describe(age)}`
  if (ageMs > weekMs) return problem(check, detail, repair)
  return ageMs > backupAgeMsMax ? warning(check, detail, repair) : ok(check, detail)
}

const notOpened = (name: string) =>
  warning(
    check,
    `${name} was not opened: it is compressed, encrypted or a PostgreSQL dump`,
    "Test it regularly by restoring it on another machine.",
  )

const otherMasterKey = problem(
  check,
  "it has another master key and can be restored only with that key",
  "If the master key was rotated since, keep the old key as long as this backup, and run `pazar backup` now.",
)

async function checkContents(path: string, { counts, masterKeys }: OwnDatabase): Promise<Finding> {
  try {
    const backup = await inspectSqliteBackup(path, async (metadata) => {
      if (masterKeys !== null) await openBackupKeys(path, metadata, masterKeys)
    })
    const contents = describeCounts(backup.counts)
    const lacking = (["accounts", "items", "purchases"] as const).find(
      (name) => backup.counts[name] < (counts?.[name] ?? 0) / 2,
    )
    if (lacking !== undefined) {
      const detail = `it has ${contents}, but the database has ${counts?.[lacking]} ${lacking}`
      return problem(check, detail, "Check that it is a backup of this database.")
    }
    const unchecked = masterKeys === null ? "; its master key was not checked" : ""
    return ok(check, `it can be restored: version ${backup.version}, ${contents}${unchecked}`)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.cause instanceof WrongMasterKey) return otherMasterKey
    return problem(check, `it cannot be restored: ${error.message}`, repair)
  }
}
