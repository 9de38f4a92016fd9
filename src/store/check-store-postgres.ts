import type { Database } from "../platform/database/postgres.ts"
import { tuples } from "../platform/database/sql.ts"
import { pluralize } from "../platform/text.ts"
import { findNewestTimestamp } from "./node-store.ts"
import { selectCounts, toCounts } from "./row-counts.ts"
import type { StoreChecks } from "./store.ts"

export const postgresStoreChecks = (db: Database): StoreChecks => ({
  countRows: async () => toCounts(await db.readLong(selectCounts)),
  findNewestTimestamp: () => findNewestTimestamp(db),
  /** PostgreSQL verifies the checksum of every page it reads, and counts the failures. */
  async listCorruption() {
    const failures =
      (await db.findValue<number>`
        SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()`) ?? 0
    const invalid = await db.read<[name: string]>(
      tuples`SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid`,
    )
    return [
      ...(failures === 0 ? [] : [`${pluralize(failures, "page")} with a wrong checksum`]),
      ...invalid.map(([name]) => `index ${name} is invalid`),
    ]
  },
  async readClock() {
    const ms = await db.findValue<number>`
      SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`
    return new Date(ms ?? Number.NaN)
  },
  findReadOnly: () =>
    db.findValue`SELECT CASE WHEN pg_is_in_recovery() THEN 'standby'
      WHEN current_setting('transaction_read_only') = 'on' THEN 'setting' END`,
})
