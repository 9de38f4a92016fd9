/** MySQL and MariaDB through mysql2: prepared statements, streamed rows, one read-only snapshot. */
import type { Connection, ConnectionOptions, FieldPacket, QueryError } from "mysql2"
import type { ServerConnection } from "./pull-file.ts"
import type { Row } from "./row-reader.ts"
import {
  checkParameters,
  countSince,
  createRowBatch,
  type PreparedSelect,
  replaceSince,
  type Source,
  SourceError,
  type SourceOptions,
  startIdleTimer,
  toSourceError,
  withIdleTimeout,
} from "./source.ts"

const connectMsMax = 10_000

/** Rows that the driver reads ahead. Small, because rows can be long. */
const rowsBuffered = 50

/** How long the server waits while the import is busy; its default of one minute is too short. */
const writeSecondsMax = 600

/** MySQL truncates GROUP_CONCAT after 1,024 bytes by default. This is the maximum length of a line. */
const groupBytesMax = 1_048_576

export async function openMysqlSource(
  connection: ServerConnection,
  options: SourceOptions,
): Promise<Source> {
  // Loaded lazily, so that other commands start faster.
  const { createConnection } = await import("mysql2")
  const db = createConnection(toSettings(connection))
  // Errors also reject the running query. Without a listener they would end the program.
  db.on("error", () => {})
  const { since, idleTimeoutMs } = options
  const run = (sql: string, values: readonly string[] = []) =>
    withIdleTimeout(query(db, sql, values), idleTimeoutMs)
  try {
    // With a fixed offset, `since` means the same for DATETIME in the shop's zone and for TIMESTAMP.
    await run("SET time_zone = ?", [since.offset])
    await run(`SET net_write_timeout = ${writeSecondsMax}`)
    await run(`SET group_concat_max_len = ${groupBytesMax}`)
    const [now] = await run("SELECT DATE_FORMAT(UTC_TIMESTAMP(3), '%Y-%m-%dT%H:%i:%s.%fZ')")
    await run("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    await run("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
    return {
      readAt: new Date(String(now?.[0])),
      prepare: (sql) => withIdleTimeout(prepare(db, sql, options), idleTimeoutMs),
      // `end` would first read all remaining rows.
      close: async () => db.destroy(),
    }
  } catch (error) {
    db.destroy()
    throw error
  }
}

function toSettings(connection: ServerConnection): ConnectionOptions {
  const { host, port, user, password, database, socketPath, tls } = connection
  const ssl = tls && {
    ...(tls.authority === null ? null : { ca: tls.authority }),
    rejectUnauthorized: tls.mode !== "require",
    verifyIdentity: tls.mode === "verify-full",
  }
  return {
    ...(socketPath === null ? { host, port } : { socketPath }),
    user,
    password,
    database,
    charset: "utf8mb4",
    connectTimeout: connectMsMax,
    enableKeepAlive: true,
    rowsAsArray: true,
    // Values stay exact: numbers are not rounded, and times are not converted.
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    ...(ssl && { ssl }),
  }
}

function query(db: Connection, sql: string, values: readonly string[]): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    db.query(sql, [...values], (error: QueryError | null, rows: unknown) => {
      // A statement without rows returns an OK packet, not a list.
      if (error === null) resolve(Array.isArray(rows) ? rows : [])
      else reject(error)
    })
  })
}

/** A prepared statement of mysql2, whose types lack the columns. */
type Statement = Readonly<{
  columns: readonly FieldPacket[]
  parameters: readonly unknown[]
  execute(values: readonly string[]): { stream(options: { highWaterMark: number }): RowStream }
}>
type RowStream = AsyncIterable<unknown[]> &
  Readonly<{
    on(event: "fields", take: (fields: readonly FieldPacket[]) => void): unknown
    destroy(error?: Error): unknown
  }>

function prepare(db: Connection, sql: string, options: SourceOptions): Promise<PreparedSelect> {
  const sinceCount = countSince(sql)
  return new Promise((resolve, reject) => {
    db.prepare(replaceSince(sql, "?"), (error, prepared) => {
      if (error !== null) return reject(error)
      const statement: unknown = prepared
      const { columns, parameters, execute } = statement as Statement
      if (columns.length === 0) return reject(new SourceError("not a SELECT statement"))
      try {
        checkParameters(parameters.length, sinceCount)
      } catch (error) {
        return reject(error)
      }
      const values = Array.from({ length: sinceCount }, () => options.since.text)
      resolve({
        columns: columns.map(({ name }) => name),
        readRows: () =>
          readRows(
            db,
            execute.call(prepared, values).stream({ highWaterMark: rowsBuffered }),
            options,
          ),
      })
    })
  })
}

async function* readRows(
  db: Connection,
  stream: RowStream,
  { since, idleTimeoutMs }: SourceOptions,
): AsyncGenerator<readonly Row[]> {
  let correct = (row: unknown[]): Row => row
  stream.on("fields", (fields) => {
    correct = createCorrection(fields, since.offset)
  })
  const fail = (error: Error) => stream.destroy(error)
  // mysql2 reports a lost connection only on the connection, not on the stream.
  db.on("error", fail)
  const idleTimer = startIdleTimer(idleTimeoutMs, fail)
  const batch = createRowBatch()
  try {
    for await (const row of stream) {
      idleTimer.restart()
      if (!batch.add(correct(row))) continue
      idleTimer.pause()
      yield batch.take()
      idleTimer.restart()
    }
    yield batch.take()
  } catch (error) {
    throw toSourceError(error)
  } finally {
    idleTimer.stop()
    db.off("error", fail)
    stream.destroy()
  }
}

const [floatType, timestampType] = [0x04, 0x07]

/** Appends the offset of the session to a TIMESTAMP, and removes the rounding error of a FLOAT. */
function createCorrection(fields: readonly FieldPacket[], offset: string) {
  // MySQL's zero date gets no offset.
  const addOffset = (value: unknown) =>
    typeof value === "string" && !value.startsWith("0000-00-00") ? `${value}${offset}` : value
  const corrections = fields.flatMap(({ columnType }, at) => {
    if (columnType === timestampType) return [{ at, correct: addOffset }]
    return columnType === floatType ? [{ at, correct: shortestFloat }] : []
  })
  return (row: unknown[]): Row => {
    for (const { at, correct } of corrections) row[at] = correct(row[at])
    return row
  }
}

/** 19.99 as a 32-bit float is 19.989999771118164 as a double. Returns the shortest number with the same float. */
function shortestFloat(value: unknown): unknown {
  if (typeof value !== "number") return value
  const precisions = [6, 7, 8, 9]
  const candidates = precisions.map((digits) => Number(value.toPrecision(digits)))
  return candidates.find((candidate) => Math.fround(candidate) === Math.fround(value)) ?? value
}
