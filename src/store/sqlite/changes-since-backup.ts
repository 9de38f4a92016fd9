/** Whether a store has changes that a backup lacks. */
import { type Connection, hasTable, versionOf } from "./connection/connection.ts"

/** Each number only grows in the life of a store. Usage counts and sessions are left out on purpose. */
const counters = [
  { table: "imports", count: "max(id)", change: "a feed" },
  { table: "audit_events", count: "max(id)", change: "a change by an author or operator" },
  { table: "cached_rows", count: "max(changes)", change: "a change of an account, item or key" },
] as const

/** Null when the store has nothing that the backup lacks. */
export function describeNewer(store: Connection, backup: Connection): string | null {
  const [version, older] = [versionOf(store), versionOf(backup)]
  if (version > older) return `it is at version ${version}, the backup at ${older}`
  const [newest, known] = [findLastImport(store), findLastImport(backup)]
  if (newest > known) {
    return `its last import was at ${newest}, that of the backup ${known === "" ? "never" : `at ${known}`}`
  }
  const grown = counters.find((each) => readCounter(store, each) > readCounter(backup, each))
  return grown === undefined ? null : `it has ${grown.change} that the backup lacks`
}

function readCounter(connection: Connection, { table, count }: (typeof counters)[number]): number {
  return findValue<number>(connection, table, count) ?? 0
}

/** Empty when there was none. */
const findLastImport = (connection: Connection) =>
  findValue<string>(connection, "imports", "max(coalesce(finished_at, started_at))") ?? ""

/** Null also where an older or empty store has no such table. */
function findValue<T>(connection: Connection, table: string, expression: string): T | null {
  if (!hasTable(connection, table)) return null
  return (
    connection.query<{ value: T | null }, []>(`SELECT ${expression} AS value FROM ${table}`).get()
      ?.value ?? null
  )
}
