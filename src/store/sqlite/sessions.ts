import type { SessionStore } from "../../domain/session.ts"
import { selectKnownPassword } from "../passwords.ts"
import {
  insertKnownNetwork,
  insertSession,
  sessionColumns,
  sessionQueries,
  valuesOfSession,
} from "../sessions.ts"
import type { Database } from "./database.ts"
import { remove } from "./remove.ts"

export function sqliteSessions(db: Database): SessionStore {
  return {
    insert: (tokenDigest, session, passwordHash) =>
      db.transact(({ query }) => {
        const { accountId, network } = session
        const admitted =
          passwordHash === null
            ? query("SELECT 1 FROM accounts WHERE id = $1", [accountId])
            : query(selectKnownPassword, [accountId, passwordHash])
        if (admitted.length === 0) return false
        query(insertSession, valuesOfSession(tokenDigest, session))
        query(insertKnownNetwork, [accountId, network])
        return true
      }),
    ...sessionQueries(db),
    list: (accountId) =>
      db.read(
        `SELECT ${sessionColumns} FROM sessions WHERE account_id = $1 ORDER BY last_seen_at DESC, id`,
        [accountId],
      ),
    touch: (id, at) =>
      db.transactUnsynced(({ query }) => {
        query("UPDATE sessions SET last_seen_at = $2 WHERE id = $1", [id, at])
      }),
    forget: (lastSeenBefore, createdBefore, rowsMax) =>
      remove(
        db,
        `DELETE FROM sessions WHERE id IN
           (SELECT id FROM sessions WHERE last_seen_at < $1 OR created_at < $2 LIMIT $3)`,
        [lastSeenBefore, createdBefore, rowsMax],
      ),
  }
}
