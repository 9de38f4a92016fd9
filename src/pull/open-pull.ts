import { findTimeZone } from "../platform/time.ts"
import { openMysqlSource } from "./mysql-source.ts"
import { openPostgresSource } from "./postgres-source.ts"
import { type PullFile, PullFileError, type SourceConnection } from "./pull-file.ts"
import {
  checkColumns,
  createRowReader,
  listMissingFields,
  type PulledRecord,
  type RecordType,
  type Row,
} from "./row-reader.ts"
import {
  countSince,
  type PreparedSelect,
  type Source,
  SourceError,
  type SourceOptions,
} from "./source.ts"
import { openSqliteSource } from "./sqlite-source.ts"

type ReadOptions = Readonly<{
  /** Appends an end line with the number of records, as a full sync requires. */
  hasEnd: boolean
  onFirst(record: PulledRecord): void
  /** Called between batches. May throw to stop reading. */
  checkStopped(): void
}>

export const hasSince = ({ selects }: PullFile) => selects.some(({ sql }) => countSince(sql) > 0)

/** Checks every SELECT before a row is read. Throws SourceError, or PullFileError with all problems of the columns. */
export async function openPull(file: PullFile, since: SourceOptions["since"]) {
  const { connection, idleTimeoutMs } = file
  const source = await openSource(connection, { since, idleTimeoutMs })
  try {
    const readers = await prepareAll(source, file)
    return {
      /** When the rows were read, by the clock of the database. */
      readAt: source.readAt,
      missingFields: readers.map(({ type, select }) => {
        return { type, fields: listMissingFields(type, select.columns) }
      }),
      /** Starts from the beginning each time, with the same rows. Throws SourceError. */
      readBytes: (options: ReadOptions) => readAll(readers, options),
      /** Returns the row of this line of the last `readBytes`, or null. */
      findRow(line: number) {
        let before = 0
        for (const { type, rows } of readers) {
          if (line <= before + rows) return { type, row: line - before }
          before += rows
        }
        return null
      },
      close: source.close,
    }
  } catch (error) {
    await source.close()
    throw error
  }
}

export type PullReader = Awaited<ReturnType<typeof openPull>>

type SelectReader = Readonly<{
  type: RecordType
  select: PreparedSelect
  readRow: (row: Row) => PulledRecord
}> & { rows: number }

async function prepareAll(source: Source, file: PullFile): Promise<readonly SelectReader[]> {
  const timeZone = file.timeZone === null ? null : findTimeZone(file.timeZone)
  const problems: string[] = []
  const readers: SelectReader[] = []
  for (const { type, sql } of file.selects) {
    const select = await source.prepare(sql).catch((error) => throwNamed(type, error))
    const found = checkColumns(type, select.columns)
    problems.push(...found.map((problem) => `${type}s: ${problem}`))
    if (found.length > 0) continue
    const readRow = createRowReader(type, select.columns, { ...file.formats, timeZone })
    readers.push({ type, select, readRow, rows: 0 })
  }
  if (problems.length > 0) throw new PullFileError(problems)
  return readers
}

function throwNamed(type: RecordType, error: unknown): never {
  if (!(error instanceof SourceError)) throw error
  throw new SourceError(`SELECT of ${type}s: ${error.message}`, { cause: error })
}

async function* readAll(
  readers: readonly SelectReader[],
  { hasEnd, onFirst, checkStopped }: ReadOptions,
): AsyncGenerator<Uint8Array> {
  for (const reader of readers) reader.rows = 0
  const encoder = new TextEncoder()
  for (const reader of readers) {
    try {
      for await (const rows of reader.select.readRows()) {
        checkStopped()
        let text = ""
        for (const row of rows) {
          const record = reader.readRow(row)
          if (reader.rows === 0) onFirst(record)
          reader.rows += 1
          text += `${JSON.stringify(record)}\n`
        }
        if (text !== "") yield encoder.encode(text)
      }
    } catch (error) {
      throwNamed(reader.type, error)
    }
  }
  if (!hasEnd) return
  const counts = Object.fromEntries(readers.map(({ type, rows }) => [`${type}s`, rows]))
  yield encoder.encode(`${JSON.stringify({ type: "end", ...counts })}\n`)
}

/** Throws SourceError that names the database, because the operator also has Pazar's own. */
async function openSource(connection: SourceConnection, options: SourceOptions): Promise<Source> {
  try {
    if (connection.dialect === "sqlite") return await openSqliteSource(connection.path, options)
    if (connection.dialect === "mysql") return await openMysqlSource(connection, options)
    return await openPostgresSource(connection, options)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const name =
      connection.dialect === "sqlite"
        ? connection.path
        : `database ${connection.database} at ${connection.socketPath ?? `${connection.host}:${connection.port}`}`
    throw new SourceError(`cannot open ${name}: ${error.message}`, { cause: error })
  }
}

/** Older than every row, but within the range of MySQL's TIMESTAMP in any zone. */
export const earliestSince = new Date("1970-01-02T00:00:00Z")

export function toLocalTimestamp(at: Date, timeZone: string | null): SourceOptions["since"] {
  const zone = timeZone ?? "UTC"
  // The whole session uses this offset, so the offset of 1970 would make current times wrong.
  const local =
    at > earliestSince ? beforeRepeated(at, zone) : localAt(at, localAt(new Date(), zone).offset)
  const clock = local.toPlainDateTime().toString({ smallestUnit: "second" })
  // Some offsets before 1972 have seconds, which databases reject.
  return { text: clock.replace("T", " "), offset: local.offset.slice(0, "+03:00".length) }
}

const localAt = (at: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)

/** If clocks are set back within 24 hours, later rows can have times before `at`: returns a time that much earlier. */
function beforeRepeated(at: Date, zone: string): Temporal.ZonedDateTime {
  const local = localAt(at, zone)
  const setBack = local.offsetNanoseconds - local.add({ hours: 24 }).offsetNanoseconds
  return setBack > 0 ? local.subtract({ nanoseconds: setBack }) : local
}
