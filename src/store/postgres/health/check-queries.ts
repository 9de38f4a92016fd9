import type { StoreChecks } from "../../../domain/store.ts"
import { pluralize } from "../../../domain/values/text.ts"
import { createSharedChecks } from "../../sql/health-store.ts"
import type { Database } from "../connection/database.ts"

export const postgresStoreChecks = (db: Database): StoreChecks => ({
  ...createSharedChecks(db),
  /** PostgreSQL verifies the checksum of every page it reads, and counts the failures. */
  async listCorruption() {
    const [read] = await db.readLong<{ failures: number | null }>(
      `SELECT checksum_failures AS failures FROM pg_stat_database
       WHERE datname = current_database()`,
    )
    const select = "SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid"
    const invalid = await db.readLong<{ name: string }>(select)
    const failures = read?.failures ?? 0
    return [
      ...(failures === 0 ? [] : [`${pluralize(failures, "page")} with a wrong checksum`]),
      ...invalid.map(({ name }) => `index ${name} is invalid`),
    ]
  },
  async readClock() {
    const select = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS value"
    return new Date((await db.findValue<number>(select)) ?? Number.NaN)
  },
  findReadOnly: () =>
    db.findValue(
      `SELECT CASE WHEN pg_is_in_recovery() THEN 'standby'
         WHEN current_setting('transaction_read_only') = 'on' THEN 'setting' END AS value`,
    ),
})
