import type { SqlDatabase } from "../platform/database/sql.ts"
import { sql } from "../platform/database/statement.ts"
import type { IdentityStore } from "./identity.ts"

export const createIdentityStore = (db: SqlDatabase): IdentityStore => ({
  find: ({ issuer, subject }) =>
    db.findValue`SELECT person_id FROM identities WHERE issuer = ${issuer} AND subject = ${subject}`,
  list: (personId) =>
    db.read`SELECT issuer, subject FROM identities WHERE person_id = ${personId}
      ORDER BY issuer, subject`,
  connect: ({ issuer, subject }, personId) =>
    db.hasWritten`
      INSERT INTO identities AS stored (issuer, subject, person_id)
      SELECT ${issuer}, ${subject}, id FROM people WHERE id = ${personId}
      ON CONFLICT (issuer, subject) DO UPDATE SET person_id = excluded.person_id
        WHERE stored.person_id = excluded.person_id
      RETURNING 1`,
  disconnect({ issuer, subject }, personId) {
    const isThis = sql`issuer = ${issuer} AND subject = ${subject}`
    return db.hasWritten`DELETE FROM identities WHERE person_id = ${personId} AND ${isThis} AND (
      EXISTS (SELECT 1 FROM people WHERE id = ${personId} AND password_hash IS NOT NULL)
      OR EXISTS (SELECT 1 FROM passkeys WHERE person_id = ${personId})
      OR EXISTS (SELECT 1 FROM identities WHERE person_id = ${personId} AND NOT (${isThis})))
      RETURNING 1`
  },
  disconnectAll: (personId) =>
    db.hasWritten`DELETE FROM identities WHERE person_id = ${personId} RETURNING 1`,
})
