import { existsSync, realpathSync, statSync } from "node:fs"
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import {
  CannotRunError,
  type CommandContext,
  flag,
  option,
  UsageError,
  type ValuesOf,
} from "../platform/cli/command.ts"
import { describe } from "../platform/problem.ts"
import { InvalidRecord } from "../platform/schema.ts"
import { findTimeZone, type TimeZone } from "../platform/time.ts"
import { type Allowance, parseAllowance } from "./allowance.ts"
import { type MassLimits, standardLimits } from "./batch-changes.ts"
import { asOfField } from "./parse-record.ts"

export const feedOptions = {
  strict: flag("validate the whole feed first; import nothing if a line is rejected"),
  "dry-run": flag("run the import without changing anything"),
  timezone: option(
    "ZONE",
    "time zone of timestamps without one, such as Europe/Istanbul or +03:00",
  ),
  "as-of": option("TIME", "when the source was read; newer data in the database is kept"),
  full: flag(
    "treat the feed as a complete snapshot: delete records it does not contain; a file must end with an end line",
  ),
  "max-deletes": option(
    "N",
    "delete nothing if it would be more than N records of a type; a number, or a percentage of the records in the database. Default: 1%, at least 20, at most 100",
  ),
  "max-revokes": option("N", "the same limit for revoked purchases"),
  report: option("FILE", "write every rejected line with its problems to FILE, as NDJSON"),
  "max-refused": option(
    "N",
    "exit with status 0 if at most N lines are rejected; a number, or a percentage of all lines",
  ),
  quiet: flag("do not trigger purchase webhooks"),
} as const

export const feedResultHelp = `Rejected lines are reported on standard error. The summary is one line of JSON on standard output.
After an interruption, run the command again to complete the import.

Exit status:
  0  no line was rejected, or at most --max-refused
  1  more lines were rejected, --max-deletes or --max-revokes stopped the import, or --full could
     not delete the other records
  2  the command could not run`

export type FeedOptionValues = ValuesOf<typeof feedOptions>

export type FeedOptions = Readonly<{
  mode: "batches" | "strict" | "dry run"
  timeZone: TimeZone | null
  asOfMs: number | null
  isFull: boolean
  limits: MassLimits
  reportPath: string | null
  rejectedMax: Allowance
  isQuiet: boolean
}>

/** `inputPath` is the feed, so no option may write to it. Throws UsageError. */
export function parseFeedOptions(
  values: Partial<FeedOptionValues>,
  inputPath: string,
): FeedOptions {
  const { timezone, report: reportPath = null } = values
  if (reportPath !== null && realPath(reportPath) === realPath(inputPath))
    throw new UsageError("--report must not be the feed itself")
  if (values.strict && values["max-refused"] !== undefined)
    throw new UsageError("--strict and --max-refused cannot be used together")
  const timeZone = timezone === undefined ? null : parseTimeZone(timezone)
  const allowance = (
    option: "max-deletes" | "max-revokes" | "max-refused",
    otherwise: Allowance,
  ) => {
    const { [option]: text } = values
    return text === undefined ? otherwise : parseAllowanceOption(option, text)
  }
  const { deletesMax, revokesMax } = standardLimits
  return {
    isFull: values.full === true,
    limits: {
      ...standardLimits,
      deletesMax: allowance("max-deletes", deletesMax),
      revokesMax: allowance("max-revokes", revokesMax),
    },
    asOfMs: parseAsOf(values["as-of"], timeZone),
    mode: values["dry-run"] ? "dry run" : values.strict ? "strict" : "batches",
    timeZone,
    reportPath,
    rejectedMax: allowance("max-refused", { count: 0 }),
    isQuiet: values.quiet === true,
  }
}

function parseTimeZone(name: string): TimeZone {
  const zone = findTimeZone(name)
  if (zone !== null) return zone
  throw new UsageError(
    `--timezone must be a zone or an offset, as in Europe/Istanbul or +03:00, not "${name}"`,
  )
}

function parseAsOf(text: string | undefined, timeZone: TimeZone | null): number | null {
  if (text === undefined) return null
  try {
    return asOfField(timeZone?.toTimestamp(text) ?? text, "--as-of")
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error
    throw new UsageError(`--as-of ${describe(error.problems[0])}`)
  }
}

const realPath = (path: string) => (existsSync(path) ? realpathSync(path) : resolve(path))

const chunkBytes = 256 * 1024

export function checkFeedSource(path: string): void {
  if (path === "-") return
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new CannotRunError(`${path} does not exist; name a file`)
  if (stats.isDirectory()) throw new CannotRunError(`${path} is a folder; name a file`)
}

/**
 * `name` is the absolute path or "-"; `sizeBytes` is null for a pipe or a device. With `isReadTwice`, the caller may call
 * `readBytes` more than once.
 */
export async function openFeedSource(
  path: string,
  context: Pick<CommandContext, "readStandardInput">,
  isReadTwice: boolean,
) {
  const name = path === "-" ? "-" : resolve(path)
  const file = path === "-" ? null : await open(path, "r")
  const stats = await file?.stat()
  const fromFile = (handle: FileHandle, sizeBytes: number) => ({
    name,
    sizeBytes,
    readBytes: () => readChunks(handle),
    close: () => handle.close(),
  })
  if (file !== null && stats?.isFile() === true) return fromFile(file, stats.size)
  const readBytes = () => (file === null ? context.readStandardInput() : readChunks(file, null))
  const close = async () => file?.close()
  if (!isReadTwice) return { name, sizeBytes: null, readBytes, close }
  const spool = await openSpool()
  for await (const chunk of readBytes()) await spool.writeFile(chunk)
  await close()
  return fromFile(spool, (await spool.stat()).size)
}

/** The file is deleted while it is open, so that it disappears even if the program is killed. */
async function openSpool(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "pazar-import-"))
  try {
    return await open(join(folder, "feed.ndjson"), "wx+", 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** `from` is null for a pipe or a device, which cannot seek. */
async function* readChunks(file: FileHandle, from: number | null = 0): AsyncGenerator<Uint8Array> {
  for (let position = from; ; ) {
    const chunk = new Uint8Array(chunkBytes)
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, position)
    if (bytesRead === 0) return
    if (position !== null) position += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}

export function parseAllowanceOption(option: string, text: string): Allowance {
  const allowed = parseAllowance(text)
  if (allowed !== null) return allowed
  throw new UsageError(
    `--${option} must be a number or a percentage, as in 20 or 0.5%, not "${text}"`,
  )
}
