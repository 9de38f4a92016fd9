import { rawSql, tuples } from "../platform/database/sql.ts"
import { type Database, isCorrupt } from "../platform/database/sqlite.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { findNewestTimestamp } from "./node-store.ts"
import { selectCounts, toCounts } from "./row-counts.ts"
import type { StoreChecks } from "./store.ts"

export function sqliteStoreChecks(db: Database): StoreChecks {
  const readColumn = async (pragma: string) =>
    (await db.read<[unknown]>(tuples`PRAGMA ${rawSql(pragma)}`)).map(([first]) => first)
  return {
    countRows: async () => toCounts(await db.readLong(selectCounts)),
    findNewestTimestamp: () => findNewestTimestamp(db),
    async listCorruption(isThorough) {
      try {
        const found = await readColumn(isThorough ? "integrity_check" : "quick_check")
        const violations = isThorough ? await readColumn("foreign_key_check") : []
        return [
          ...found.filter((text) => text !== "ok").map(String),
          ...[...new Set(violations)].map((table) => `rows of ${table} reference missing rows`),
        ]
      } catch (error) {
        if (error instanceof StoreUnavailable && isCorrupt(error.cause)) return [error.message]
        throw error
      }
    },
    readClock: async () => null,
    findReadOnly: async () => null,
  }
}
