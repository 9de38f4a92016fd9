import type { SessionStore } from "../../domain/session.ts"
import { selectKnownPassword } from "../passwords.ts"
import {
  insertKnownNetwork,
  insertSession,
  selectSurplus,
  sessionColumns,
  sessionQueries,
  valuesOfSession,
} from "../sessions.ts"
import type { SignInTables } from "../sign-in-tables.ts"
import type { Database } from "./database.ts"
import { remove } from "./remove.ts"

export function sqliteSessions(db: Database, tables: SignInTables): SessionStore {
  const { sessions, owners, ownerId: owner } = tables
  return {
    insert: (tokenDigest, session, passwordHash) =>
      db.transact(({ query }) => {
        const { id, ownerId, network } = session
        const admitted =
          passwordHash === null
            ? query(`SELECT 1 FROM ${owners} WHERE id = $1`, [ownerId])
            : query(selectKnownPassword(tables), [ownerId, passwordHash])
        if (admitted.length === 0) return false
        query(insertSession(tables), valuesOfSession(tokenDigest, session))
        query(insertKnownNetwork(tables), [ownerId, network])
        query(`DELETE FROM ${sessions} WHERE id IN (${selectSurplus(tables)})`, [ownerId, id])
        return true
      }),
    ...sessionQueries(db, tables),
    list: (ownerId) =>
      db.read(
        `SELECT ${sessionColumns(tables)} FROM ${sessions} WHERE ${owner} = $1
         ORDER BY last_seen_at DESC, id`,
        [ownerId],
      ),
    touch: (id, at) =>
      db.transactUnsynced(({ query }) => {
        query(`UPDATE ${sessions} SET last_seen_at = $2 WHERE id = $1`, [id, at])
      }),
    forget: (lastSeenBefore, createdBefore, rowsMax) =>
      remove(
        db,
        `DELETE FROM ${sessions} WHERE id IN
           (SELECT id FROM ${sessions} WHERE last_seen_at < $1 OR created_at < $2 LIMIT $3)`,
        [lastSeenBefore, createdBefore, rowsMax],
      ),
  }
}
