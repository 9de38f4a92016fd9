/** PostgreSQL through pg: a cursor for each SELECT, one read-only snapshot. */
import type { Client, ClientConfig, QueryArrayConfig } from "pg"
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
import type { ServerConnection } from "./source-connection.ts"

const connectMsMax = 10_000
const firstRows = 20

/** Numbers of the types date, timestamp and timestamptz. */
const timeTypes: ReadonlySet<number> = new Set([1082, 1114, 1184])
/** CHAR(n), which the server fills up with blanks. */
const paddedType = 1042
const withoutPadding = (text: string) => text.replace(/ +$/, "")

export async function openPostgresSource(
  connection: ServerConnection,
  options: SourceOptions,
): Promise<Source> {
  const { Client, types } = await import("pg")
  const client = new Client({
    ...settingsOf(connection),
    // Times stay as the server writes them.
    types: {
      getTypeParser(oid: number, format?: "text" | "binary") {
        if (oid === paddedType) return withoutPadding
        return timeTypes.has(oid) ? String : types.getTypeParser(oid, format)
      },
    },
  })
  // Errors reach the query that waits; without a listener they would end the program.
  client.on("error", () => {})
  const ask: RunQuery = async (text, values = []) => {
    // The extended protocol takes one statement only. The driver's types lack the option.
    const config: QueryArrayConfig & Readonly<{ queryMode: "extended" }> = {
      text,
      values: [...values],
      rowMode: "array",
      queryMode: "extended",
    }
    const query = client.query(config)
    const { fields, rows } = await withIdleTimeout(wrapSourceErrors(query), options.idleTimeoutMs)
    return { columns: fields.map(({ name }) => name), rows }
  }
  try {
    await wrapSourceErrors(client.connect())
    await ask("SELECT set_config('TimeZone', $1, false), set_config('DateStyle', 'ISO', false)", [
      posixZone(options.since.offset),
    ])
    // Every row will be read: plan for all of them, not for the first tenth.
    await ask("SET cursor_tuple_fraction = 1")
    const now = await ask("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::text")
    await ask("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    let cursors = 0
    return {
      readAt: new Date(Number(now.rows[0]?.[0])),
      prepare: (sql) => prepare(ask, sql, `pull_${++cursors}`, options),
      close: async () => end(client),
    }
  } catch (error) {
    end(client)
    throw error
  }
}

type QueryResult = Readonly<{ columns: readonly string[]; rows: readonly Row[] }>
type RunQuery = (text: string, values?: readonly string[]) => Promise<QueryResult>

function settingsOf(connection: ServerConnection): ClientConfig {
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

/** `+03:00` as PostgreSQL names it, where the sign counts to the west. */
const posixZone = (offset: string) =>
  `<${offset}>${offset.startsWith("-") ? "+" : "-"}${offset.slice(1)}`

async function prepare(
  ask: RunQuery,
  sql: string,
  name: string,
  { since }: SourceOptions,
): Promise<PreparedSelect> {
  const values = countSince(sql) > 0 ? [`${since.text}${since.offset}`] : []
  const declare = `DECLARE ${name} NO SCROLL CURSOR FOR ${replaceSince(sql, "$1")}`
  const fetch = (count: number) => ask(`FETCH ${count} FROM ${name}`)
  await ask(declare, values)
  const { columns } = await fetch(0)
  if (columns.length === 0) throw new SourceError("it is no SELECT")
  let isOpen = true
  async function* readRows() {
    // The second reading of a strict pull needs a cursor at the beginning.
    if (!isOpen) await ask(declare, values)
    isOpen = false
    let count = firstRows
    for (;;) {
      const { rows } = await fetch(count)
      yield rows
      if (rows.length < count) break
      count = chooseBatchSize(rows)
    }
    await ask(`CLOSE ${name}`)
  }
  return { columns, readRows }
}

/** Not awaited: `end` does not resolve while a query is stuck. */
function end(client: Client): void {
  client.end().catch(() => {})
}
