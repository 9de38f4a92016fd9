import type { SigningKey, SigningKeyStore } from "../../../domain/keys/signing-key.ts"
import { ask, type SqlDatabase } from "../database.ts"

type Row = Omit<SigningKey, "endorsements"> & { endorsements: string }

export function createSigningKeyStore(db: SqlDatabase): SigningKeyStore {
  return {
    async list() {
      const rows = await db.read<Row>(
        `SELECT id, state, public_key AS "publicKey", sealed, endorsements, created_at AS "createdAt",
           retired_until AS "retiredUntil"
         FROM signing_keys ORDER BY place`,
      )
      return rows.map((row) => ({ ...row, endorsements: JSON.parse(row.endorsements) }))
    },
    replaceAll: (expectedIds, keys) =>
      db.change(function* () {
        yield* db.lockTable("signing_keys")
        const rows = yield* ask<{ id: string }>("SELECT id FROM signing_keys ORDER BY place")
        if (rows.map(({ id }) => id).join() !== expectedIds.join()) return false
        yield* ask("DELETE FROM signing_keys")
        for (const [place, key] of keys.entries()) {
          const { id, state, publicKey, sealed, endorsements, createdAt, retiredUntil } = key
          yield* ask("INSERT INTO signing_keys VALUES ($1, $2, $3, $4, $5, $6, $7, $8)", [
            place,
            id,
            state,
            publicKey,
            sealed,
            JSON.stringify(endorsements),
            createdAt,
            retiredUntil,
          ])
        }
        return true
      }),
  }
}
