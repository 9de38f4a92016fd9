import type { Session, SessionStore } from "../../domain/session.ts"
import type { Database } from "./database.ts"
import { remove } from "./remove.ts"

export function postgresSessions(db: Database): SessionStore {
  const columns = `id, account_id AS "accountId", created_at AS "createdAt",
    last_seen_at AS "lastSeenAt", confirmed_at AS "confirmedAt", network, device`
  return {
    insert: (tokenDigest, session, passwordHash) =>
      db.transact(async (client) => {
        const { id, accountId, createdAt, lastSeenAt, confirmedAt, network, device } = session
        // Lock the account first, in the same order as a deletion does. This waits for a concurrent change
        // of the password, which ends all sessions, but not for a feed that brings items.
        await client.query("SELECT 1 FROM accounts WHERE id = $1 FOR KEY SHARE", [accountId])
        const isKnown = await client.query(
          "SELECT 1 FROM passwords WHERE account_id = $1 AND hash = $2 FOR SHARE",
          [accountId, passwordHash],
        )
        if (isKnown.length === 0) return false
        await client.query(
          `INSERT INTO sessions
             (id, token_digest, account_id, created_at, last_seen_at, confirmed_at, network, device)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [id, tokenDigest, accountId, createdAt, lastSeenAt, confirmedAt, network, device],
        )
        await client.query("INSERT INTO known_networks VALUES ($1, $2) ON CONFLICT DO NOTHING", [
          accountId,
          network,
        ])
        return true
      }),
    async findByToken(tokenDigest) {
      const [row] = await db.read<Session>(
        `SELECT ${columns} FROM sessions WHERE token_digest = $1`,
        [tokenDigest],
      )
      return row ?? null
    },
    async isKnownNetwork(accountId, network) {
      const rows = await db.read(
        "SELECT 1 FROM known_networks WHERE account_id = $1 AND network = $2",
        [accountId, network],
      )
      return rows.length > 0
    },
    list: (accountId) =>
      db.read(
        `SELECT ${columns} FROM sessions WHERE account_id = $1
         ORDER BY last_seen_at DESC, id COLLATE "C"`,
        [accountId],
      ),
    touch: (id, at) => db.write("UPDATE sessions SET last_seen_at = $2 WHERE id = $1", [id, at]),
    confirm: (id, at) => db.write("UPDATE sessions SET confirmed_at = $2 WHERE id = $1", [id, at]),
    end: (accountId, id) =>
      db.write("DELETE FROM sessions WHERE account_id = $1 AND (id = $2 OR $2 = 'all')", [
        accountId,
        id,
      ]),
    forget: (lastSeenBefore, createdBefore, rowsMax) =>
      remove(
        db,
        `DELETE FROM sessions WHERE id IN (
           SELECT id FROM sessions WHERE last_seen_at < $1 OR created_at < $2
           LIMIT $3 FOR UPDATE SKIP LOCKED
         )`,
        [lastSeenBefore, createdBefore, rowsMax],
      ),
  }
}
