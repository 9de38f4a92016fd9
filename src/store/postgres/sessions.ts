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

export function postgresSessions(db: Database, tables: SignInTables): SessionStore {
  const { sessions, owners, ownerId: owner } = tables
  return {
    insert: (tokenDigest, session, passwordHash) =>
      db.transact(async (client) => {
        const { id, ownerId, network } = session
        // Lock the owner first, in the same order as a deletion does. This waits for a concurrent change
        // of the password, which ends all sessions, but not for a feed that brings items.
        const locked = await client.query(`SELECT 1 FROM ${owners} WHERE id = $1 FOR KEY SHARE`, [
          ownerId,
        ])
        const admitted =
          passwordHash === null
            ? locked
            : await client.query(`${selectKnownPassword(tables)} FOR SHARE`, [
                ownerId,
                passwordHash,
              ])
        if (admitted.length === 0) return false
        await client.query(insertSession(tables), valuesOfSession(tokenDigest, session))
        await client.query(insertKnownNetwork(tables), [ownerId, network])
        // Rows that others hold are left for the next session: waiting for them could deadlock.
        await client.query(
          `DELETE FROM ${sessions} WHERE id IN (${selectSurplus(tables)} FOR UPDATE SKIP LOCKED)`,
          [ownerId, id],
        )
        return true
      }),
    ...sessionQueries(db, tables),
    list: (ownerId) =>
      db.read(
        `SELECT ${sessionColumns(tables)} FROM ${sessions} WHERE ${owner} = $1
         ORDER BY last_seen_at DESC, id COLLATE "C"`,
        [ownerId],
      ),
    touch: (id, at) => db.write(`UPDATE ${sessions} SET last_seen_at = $2 WHERE id = $1`, [id, at]),
    forget: (lastSeenBefore, createdBefore, rowsMax) =>
      remove(
        db,
        `DELETE FROM ${sessions} WHERE id IN (
           SELECT id FROM ${sessions} WHERE last_seen_at < $1 OR created_at < $2
           LIMIT $3 FOR UPDATE SKIP LOCKED
         )`,
        [lastSeenBefore, createdBefore, rowsMax],
      ),
  }
}
