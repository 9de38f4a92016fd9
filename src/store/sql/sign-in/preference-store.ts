import type { PreferenceStore } from "../../../domain/store.ts"
import type { SqlDatabase } from "../sql-database.ts"

export function createPreferenceStore(db: SqlDatabase): PreferenceStore {
  return {
    findLocale: (accountId) =>
      db.findValue("SELECT locale AS value FROM preferences WHERE account_id = $1", [accountId]),
    putLocale: (accountId, locale) =>
      db.write(
        `INSERT INTO preferences VALUES ($1, $2)
         ON CONFLICT (account_id) DO UPDATE SET locale = excluded.locale`,
        [accountId, locale],
      ),
  }
}
