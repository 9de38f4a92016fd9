import type { SigningKey, SigningKeyStore } from "../domain/signing-key.ts"
import type { SqlDatabase, Value } from "./database.ts"

type Row = Omit<SigningKey, "endorsements"> & { endorsements: string }

export const selectSigningKeyIds = "SELECT id FROM signing_keys ORDER BY place"
export const deleteSigningKeys = "DELETE FROM signing_keys"
export const insertSigningKey = "INSERT INTO signing_keys VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"

/** In the order of the columns. `place` is where the key stands in the list. */
export function valuesOfSigningKey(key: SigningKey, place: number): readonly Value[] {
  const { id, state, publicKey, sealed, endorsements, createdAt, retiredUntil } = key
  const row = [place, id, state, publicKey, sealed]
  return [...row, JSON.stringify(endorsements), createdAt, retiredUntil]
}

export const isSameList = (rows: readonly Readonly<{ id: string }>[], ids: readonly string[]) =>
  rows.map(({ id }) => id).join() === ids.join()

/** The methods whose SQL is the same for both databases. */
export function signingKeyQueries(db: SqlDatabase): Pick<SigningKeyStore, "list"> {
  return {
    async list() {
      const rows = await db.read<Row>(
        `SELECT id, state, public_key AS "publicKey", sealed, endorsements, created_at AS "createdAt",
           retired_until AS "retiredUntil"
         FROM signing_keys ORDER BY place`,
      )
      return rows.map((row) => ({ ...row, endorsements: JSON.parse(row.endorsements) }))
    },
  }
}
