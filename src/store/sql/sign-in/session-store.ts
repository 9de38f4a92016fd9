import { type Session, type SessionStore, sessionsMax } from "../../../domain/sign-in/session.ts"
import { deleteRows, type SqlDatabase } from "../sql-database.ts"
import { selectKnownPassword } from "./password-store.ts"
import type { SignInTables } from "./sign-in-tables.ts"

export function createSessionStore(db: SqlDatabase, tables: SignInTables): SessionStore {
  const { sessions, owners, ownerId: owner } = tables
  const columns = `id, ${owner} AS "ownerId", created_at AS "createdAt",
    last_seen_at AS "lastSeenAt", confirmed_at AS "confirmedAt", network AS "ipRange", device`
  /** Selects the oldest sessions of owner $1 beyond the limit, never the new session $2. */
  const selectSurplus = `SELECT id FROM ${sessions}
    WHERE ${owner} = $1 AND id <> $2 AND id NOT IN (
      SELECT id FROM ${sessions} WHERE ${owner} = $1 AND id <> $2
      ORDER BY created_at DESC, last_seen_at DESC LIMIT ${sessionsMax - 1})`
  return {
    insert: (tokenDigest, session, passwordHash) =>
      db.transaction(async (tx) => {
        const { id, ownerId, createdAt, lastSeenAt, confirmedAt, ipRange, device } = session
        // The owner is locked first, as in a deletion. The lock waits for a concurrent password change, which ends all
        // sessions, but not for a feed that imports items.
        const found = await tx.query(
          `SELECT 1 FROM ${owners} WHERE id = $1 ${db.lock("FOR KEY SHARE")}`,
          [ownerId],
        )
        const admitted =
          passwordHash === null
            ? found
            : await tx.query(`${selectKnownPassword(tables)} ${db.lock("FOR SHARE")}`, [
                ownerId,
                passwordHash,
              ])
        if (admitted.length === 0) return false
        await tx.query(
          `INSERT INTO ${sessions}
             (id, token_digest, ${owner}, created_at, last_seen_at, confirmed_at, network, device)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [id, tokenDigest, ownerId, createdAt, lastSeenAt, confirmedAt, ipRange, device],
        )
        // Locked rows are left for the next sign-in: waiting for them could deadlock.
        await tx.query(
          `DELETE FROM ${sessions}
           WHERE id IN (${selectSurplus} ${db.lock("FOR UPDATE SKIP LOCKED")})`,
          [ownerId, id],
        )
        return true
      }),
    findByToken: (tokenDigest) =>
      db.find<Session>(`SELECT ${columns} FROM ${sessions} WHERE token_digest = $1`, [tokenDigest]),
    list: (ownerId) =>
      db.read(
        `SELECT ${columns} FROM ${sessions} WHERE ${owner} = $1
         ORDER BY last_seen_at DESC, id`,
        [ownerId],
      ),
    confirm: (id, at) =>
      db.write(`UPDATE ${sessions} SET confirmed_at = $2 WHERE id = $1`, [id, at]),
    touch: (id, at) => db.write(`UPDATE ${sessions} SET last_seen_at = $2 WHERE id = $1`, [id, at]),
    end: (ownerId, id) =>
      db.write(`DELETE FROM ${sessions} WHERE ${owner} = $1 AND (id = $2 OR $2 = 'all')`, [
        ownerId,
        id,
      ]),
    deleteExpired: (lastSeenBefore, createdBefore, rowsMax) =>
      deleteRows(
        db,
        { table: sessions, id: "id", condition: "last_seen_at < $1 OR created_at < $2" },
        [lastSeenBefore, createdBefore],
        rowsMax,
      ),
  }
}
