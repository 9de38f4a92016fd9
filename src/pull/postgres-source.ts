/** PostgreSQL through pg: a cursor for each SELECT, one read-only snapshot. */
import type { Client, ClientConfig, QueryArrayConfig } from "pg"
import type { ServerConnection } from "./pull-file.ts"
import type { Row } from "./row-reader.ts"
import {
  chooseBatchSize,
  countSince,
  type PreparedSelect,
  replaceSince,
  type Source,
  SourceError,
  type SourceOptions,
  withIdleTimeout,
  wrapSourceErrors,
} from "./source.ts"

const connectMsMax = 10_000
const firstRows = 20

/** OIDs of date, timestamp and timestamptz. */
const timeTypes: ReadonlySet<number> = new Set([1082, 1114, 1184])
/** OID of CHAR(n), which the server pads with spaces. */
const paddedType = 1042

export async function openPostgresSource(
  connection: ServerConnection,
  options: SourceOptions,
): Promise<Source> {
  const { Client, types } = await import("pg")
  const client = new Client({
    ...toSettings(connection),
    // Times stay text, as the server sends them.
    types: {
      getTypeParser(oid: number, format?: "text" | "binary") {
        if (oid === paddedType) return (text: string) => text.replace(/ +$/, "")
        return timeTypes.has(oid) ? String : types.getTypeParser(oid, format)
      },
    },
  })
  // Errors also reject the running query. Without a listener they would end the program.
  client.on("error", () => {})
  const run: RunQuery = async (text, values = []) => {
    // The extended protocol rejects several statements in one text. The driver's types lack the option.
    const config: QueryArrayConfig & Readonly<{ queryMode: "extended" }> = {
      text,
      values: [...values],
      rowMode: "array",
      queryMode: "extended",
    }
    const { fields, rows } = await withIdleTimeout(client.query(config), options.idleTimeoutMs)
    return { columns: fields.map(({ name }) => name), rows }
  }
  // In a POSIX time zone, positive offsets are west of Greenwich.
  const { offset } = options.since
  const posixZone = `<${offset}>${offset.startsWith("-") ? "+" : "-"}${offset.slice(1)}`
  try {
    await wrapSourceErrors(client.connect())
    await run("SELECT set_config('TimeZone', $1, false), set_config('DateStyle', 'ISO', false)", [
      posixZone,
    ])
    // Optimizes the plan for all rows; by default, cursors optimize for the first 10 %.
    await run("SET cursor_tuple_fraction = 1")
    const now = await run("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::text")
    await run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    let cursors = 0
    return {
      readAt: new Date(Number(now.rows[0]?.[0])),
      prepare: (sql) => prepare(run, sql, `pull_${++cursors}`, options),
      close: async () => end(client),
    }
  } catch (error) {
    end(client)
    throw error
  }
}

type QueryResult = Readonly<{ columns: readonly string[]; rows: readonly Row[] }>
type RunQuery = (text: string, values?: readonly string[]) => Promise<QueryResult>

function toSettings(connection: ServerConnection): ClientConfig {
  const { host, port, user, password, database, socketPath, tls } = connection
  return {
    host: socketPath ?? host,
    port,
    user,
    password,
    database,
    connectionTimeoutMillis: connectMsMax,
    keepAlive: true,
    ssl: tls !== null && {
      ...(tls.authority === null ? null : { ca: tls.authority }),
      rejectUnauthorized: tls.mode !== "require",
      ...(tls.mode === "verify-full" ? null : { checkServerIdentity: () => undefined }),
    },
  }
}

async function prepare(
  run: RunQuery,
  sql: string,
  name: string,
  { since }: SourceOptions,
): Promise<PreparedSelect> {
  const values = countSince(sql) > 0 ? [`${since.text}${since.offset}`] : []
  const declare = `DECLARE ${name} NO SCROLL CURSOR FOR ${replaceSince(sql, "$1")}`
  const fetch = (count: number) => run(`FETCH ${count} FROM ${name}`)
  await run(declare, values)
  const { columns } = await fetch(0)
  if (columns.length === 0) throw new SourceError("not a SELECT statement")
  let isOpen = true
  async function* readRows() {
    // `--strict` reads twice, and the second time needs a new cursor.
    if (!isOpen) await run(declare, values)
    isOpen = false
    let count = firstRows
    for (;;) {
      const { rows } = await fetch(count)
      yield rows
      if (rows.length < count) break
      count = chooseBatchSize(rows)
    }
    await run(`CLOSE ${name}`)
  }
  return { columns, readRows }
}

/** Not awaited, because `end` does not resolve while a query hangs. */
function end(client: Client): void {
  client.end().catch(() => {})
}
