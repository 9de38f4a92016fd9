/** The version of the store, and of the server it is on. */
import { StoreUnavailable } from "../../../domain/store.ts"
import { newestOf, upgradedUnderUs } from "../../sql/migrate.ts"
import { migrations } from "../migrations/migrations.ts"

type Reader = Readonly<{ query<Row>(sql: string): Promise<readonly Row[]> }>

/** As the server counts: 130004 is 13.4. */
export async function readServerVersion({ query }: Reader): Promise<number> {
  const [server] = await query<{ version: number }>(
    "SELECT current_setting('server_version_num')::integer AS version",
  )
  return server?.version ?? 0
}

export const selectVersion = "SELECT version FROM schema_version"

/** Null where there is no store. */
export async function findVersion({ query }: Reader): Promise<number | null> {
  const [found] = await query<{ table: string | null }>(
    `SELECT to_regclass('schema_version')::text AS "table"`,
  )
  if (found?.table == null) return null
  const [row] = await query<{ version: number }>(selectVersion)
  return row?.version ?? null
}

/** Throws StoreUnavailable once another version has upgraded the store under this program. */
export function assertVersion(version: number | null): void {
  const known = newestOf(migrations)
  if (version !== known) throw new StoreUnavailable(upgradedUnderUs(known, version))
}
