import type { SigningKey, SigningKeyStore } from "../../../domain/keys/signing-key.ts"
import { readRows, type SqlDatabase } from "../sql-database.ts"

type Row = Omit<SigningKey, "endorsements"> & { endorsements: string }

export const createSigningKeyStore = (db: SqlDatabase): SigningKeyStore => ({
  async list() {
    const rows = await db.read<Row>(
      `SELECT id, state, public_key, encrypted, endorsements, created_at
       FROM signing_keys ORDER BY ordinal`,
    )
    return rows.map((row) => ({ ...row, endorsements: JSON.parse(row.endorsements) }))
  },
  replaceAll: (expectedIds, keys) =>
    db.transaction(async (tx) => {
      const rows = await tx.query<{ id: string }>(
        `SELECT id FROM signing_keys ORDER BY ordinal ${tx.lock("FOR UPDATE")}`,
      )
      if (rows.map(({ id }) => id).join() !== expectedIds.join()) return false
      await readRows(
        tx,
        [expectedIds],
        `DELETE FROM signing_keys WHERE id ${tx.among("$1", "text")}`,
      )
      for (const [place, key] of keys.entries()) {
        const { id, state, publicKey, encrypted, endorsements, createdAt } = key
        const inserted = await tx.query(
          `INSERT INTO signing_keys VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT DO NOTHING RETURNING id`,
          [place, id, state, publicKey, encrypted, JSON.stringify(endorsements), createdAt],
        )
        // Another process has created the first keys concurrently.
        if (inserted.length === 0) return false
      }
      return true
    }),
})
