import type { SqlDatabase } from "../platform/database/sql.ts"
import type { SigningKey, SigningKeyStore } from "./signing-key.ts"

type Row = Omit<SigningKey, "endorsements"> & { endorsements: string }

export const createSigningKeyStore = (db: SqlDatabase): SigningKeyStore => ({
  async list() {
    const rows = await db.read<Row>`
      SELECT id, state, public_key, encrypted, endorsements, created_at
      FROM signing_keys ORDER BY ordinal`
    return rows.map((row) => ({ ...row, endorsements: JSON.parse(row.endorsements) }))
  },
  replaceAll: (expectedIds, keys) =>
    db.transaction(async ({ query, lock }) => {
      const rows = await query<{ id: string }>`
        SELECT id FROM signing_keys ORDER BY ordinal ${lock("FOR UPDATE")}`
      if (rows.map(({ id }) => id).join() !== expectedIds.join()) return false
      for (const id of expectedIds) await query`DELETE FROM signing_keys WHERE id = ${id}`
      for (const [place, key] of keys.entries()) {
        const { id, state, publicKey, encrypted, endorsements, createdAt } = key
        const inserted = await query`
          INSERT INTO signing_keys VALUES (${place}, ${id}, ${state}, ${publicKey}, ${encrypted},
            ${JSON.stringify(endorsements)}, ${createdAt})
          ON CONFLICT DO NOTHING RETURNING id`
        // Another process has created the first keys concurrently.
        if (inserted.length === 0) return false
      }
      return true
    }),
})
