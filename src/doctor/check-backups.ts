/** The backups in a folder, whichever program has made them. Only names, sizes, modes and times count. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { findErrorCode } from "../domain/error-code.ts"
import { type Finding, ok, problem, warning } from "./finding.ts"

const hourMs = 3_600_000
/** A day and two hours: a daily timer may run late. */
const dueMs = 26 * hourMs
const overdueMs = 7 * 24 * hourMs

const check = "backups"
const repair = "Look at the timer that makes them, and run `pazar backup` by hand."

export function checkBackups(folder: string, now: Date): readonly Finding[] {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    const why = findErrorCode(error) ?? "unreadable"
    return [problem(check, `${folder} cannot be read (${why})`, "Is its volume mounted?")]
  }
  const files = names
    .filter((name) => !/^\.|\.unfinished-|\.master-key$/.test(name))
    .map((name) => ({ name, ...pickFacts(join(folder, name)) }))
    .filter(({ isFile }) => isFile)
    .toSorted((one, other) => other.atMs - one.atMs)
  const [newest] = files
  if (newest === undefined) return [problem(check, `there is none in ${folder}`, repair)]
  const open = files.filter(({ mode }) => (mode & 0o077) !== 0)
  return [
    judgeAge(newest.name, now.getTime() - newest.atMs),
    ...(newest.bytes === 0 ? [problem(check, `${newest.name} is empty`, repair)] : []),
    ...(open.length === 0
      ? []
      : [warning(check, `${open.length} of them can be read by others`, `Run chmod 600 on them.`)]),
    ...(names.some((name) => name.endsWith(".master-key"))
      ? [
          warning(
            check,
            "a master key lies beside them",
            "Keep it apart: together they hold all keys.",
          ),
        ]
      : []),
  ]
}

function pickFacts(path: string) {
  const found = statSync(path, { throwIfNoEntry: false })
  const { mode = 0, size = 0, mtimeMs = 0 } = found ?? {}
  return { isFile: found?.isFile() === true, mode, bytes: size, atMs: mtimeMs }
}

function judgeAge(name: string, ageMs: number): Finding {
  const hours = Math.max(0, Math.floor(ageMs / hourMs))
  const age = hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
  const detail = `the newest, ${name}, is ${age} old`
  if (ageMs > overdueMs) return problem(check, detail, repair)
  return ageMs > dueMs ? warning(check, detail, repair) : ok(check, detail)
}
