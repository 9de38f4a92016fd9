import type { Database } from "bun:sqlite"
import type { Session, SessionStore } from "../../domain/session.ts"
import { read, write, writeUnsynced } from "./database.ts"

export function sqliteSessions(db: Database): SessionStore {
  const columns = `id, account_id AS "accountId", created_at AS "createdAt",
    last_seen_at AS "lastSeenAt", confirmed_at AS "confirmedAt", network, device`
  const insert = db.query(
    `INSERT INTO sessions (id, token_digest, account_id, created_at, last_seen_at, confirmed_at, network, device)
     SELECT $id, $tokenDigest, $accountId, $createdAt, $lastSeenAt, $confirmedAt, $network, $device
     FROM passwords WHERE account_id = $accountId AND hash = $passwordHash`,
  )
  const know = db.query(
    "INSERT INTO known_networks VALUES ($accountId, $network) ON CONFLICT DO NOTHING",
  )
  const isKnown = db.query("SELECT 1 FROM known_networks WHERE account_id = ? AND network = ?")
  const findByToken = db.query<Session, [Uint8Array]>(
    `SELECT ${columns} FROM sessions WHERE token_digest = ?`,
  )
  const list = db.query<Session, [number]>(
    `SELECT ${columns} FROM sessions WHERE account_id = ? ORDER BY last_seen_at DESC, id`,
  )
  const touch = db.query("UPDATE sessions SET last_seen_at = $at WHERE id = $id")
  const confirm = db.query("UPDATE sessions SET confirmed_at = $at WHERE id = $id")
  const end = db.query("DELETE FROM sessions WHERE account_id = ? AND (id = ? OR ?2 = 'all')")
  const forget = db.query(
    `DELETE FROM sessions WHERE id IN
       (SELECT id FROM sessions WHERE last_seen_at < ? OR created_at < ? LIMIT ?)`,
  )
  return {
    insert: (tokenDigest, session, passwordHash) =>
      write(db, () => {
        const { accountId, network } = session
        if (insert.run({ ...session, tokenDigest, passwordHash }).changes === 0) return false
        know.run({ accountId, network })
        return true
      }),
    findByToken: (tokenDigest) => read(() => findByToken.get(tokenDigest)),
    isKnownNetwork: (accountId, network) => read(() => isKnown.get(accountId, network) !== null),
    list: (accountId) => read(() => list.all(accountId)),
    async touch(id, at) {
      await writeUnsynced(db, () => touch.run({ id, at }))
    },
    async confirm(id, at) {
      await write(db, () => confirm.run({ id, at }))
    },
    async end(accountId, id) {
      await write(db, () => end.run(accountId, id))
    },
    forget: (lastSeenBefore, createdBefore, rowsMax) =>
      writeUnsynced(db, () => forget.run(lastSeenBefore, createdBefore, rowsMax).changes),
  }
}
