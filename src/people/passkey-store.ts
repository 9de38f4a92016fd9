import type { SqlDatabase } from "../platform/database/sql.ts"
import { allOf, sql } from "../platform/database/statement.ts"
import { type Passkey, type PasskeyStore, passkeysMax } from "./passkey.ts"

const columns = sql`id, person_id, public_key, algorithm, counter, name, created_at, last_used_at`

export const createPasskeyStore = (db: SqlDatabase): PasskeyStore => ({
  find: (id) => db.find<Passkey>`SELECT ${columns} FROM passkeys WHERE id = ${id}`,
  list: (personId) =>
    db.read<Passkey>`SELECT ${columns} FROM passkeys WHERE person_id = ${personId}
      ORDER BY created_at, id`,
  insert: ({ id, personId, publicKey, algorithm, counter, name, createdAt, lastUsedAt }) =>
    db.transaction(async ({ query, lock }) => {
      const rows = await query`
        INSERT INTO passkeys (${columns})
        SELECT ${id}, p.id, ${publicKey}, ${algorithm}, ${counter}, ${name}, ${createdAt}, ${lastUsedAt}
        FROM people p WHERE p.id = ${personId}
          AND (SELECT count(*) FROM passkeys WHERE person_id = ${personId}) < ${passkeysMax}
          ${lock("FOR KEY SHARE OF p")}
        ON CONFLICT DO NOTHING RETURNING 1`
      return rows.length > 0
    }),
  use: (id, counter, at) =>
    db.hasWritten`UPDATE passkeys SET counter = ${counter}, last_used_at = ${at} WHERE id = ${id}
      AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0)) RETURNING 1`,
  remove: (personId, id) =>
    db.transaction(async ({ query }) => {
      const isChosen = id === "all" ? null : sql`id = ${id}`
      const rows = await query`DELETE FROM passkeys
        WHERE ${allOf([sql`person_id = ${personId}`, isChosen])} RETURNING 1`
      return rows.length
    }),
})
