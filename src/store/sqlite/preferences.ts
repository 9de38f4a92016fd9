import type { Database } from "bun:sqlite"
import type { PreferenceStore } from "../../domain/store.ts"
import { read, write } from "./database.ts"

export function sqlitePreferences(db: Database): PreferenceStore {
  const find = db.query<{ locale: string }, [number]>(
    "SELECT locale FROM preferences WHERE account_id = ?",
  )
  const put = db.query(
    `INSERT INTO preferences VALUES ($accountId, $locale)
     ON CONFLICT (account_id) DO UPDATE SET locale = excluded.locale`,
  )
  return {
    findLocale: (accountId) => read(() => find.get(accountId)?.locale ?? null),
    async putLocale(accountId, locale) {
      await write(db, () => put.run({ accountId, locale }))
    },
  }
}
