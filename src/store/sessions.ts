import type { Session, SessionStore } from "../domain/session.ts"
import type { SqlDatabase, Value } from "./database.ts"

export const sessionColumns = `id, account_id AS "accountId", created_at AS "createdAt",
  last_seen_at AS "lastSeenAt", confirmed_at AS "confirmedAt", network, device`

/** Takes the values of `valuesOfSession`. */
export const insertSession = `INSERT INTO sessions
  (id, token_digest, account_id, created_at, last_seen_at, confirmed_at, network, device)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

export function valuesOfSession(tokenDigest: Uint8Array, session: Session): readonly Value[] {
  const { id, accountId, createdAt, lastSeenAt, confirmedAt, network, device } = session
  return [id, tokenDigest, accountId, createdAt, lastSeenAt, confirmedAt, network, device]
}

export const endSessions = "DELETE FROM sessions WHERE account_id = $1"

export const insertKnownNetwork =
  "INSERT INTO known_networks VALUES ($1, $2) ON CONFLICT DO NOTHING"

type Same = "findByToken" | "isKnownNetwork" | "confirm" | "end"

/** The methods whose SQL is the same for both databases. */
export function sessionQueries(db: SqlDatabase): Pick<SessionStore, Same> {
  return {
    async findByToken(tokenDigest) {
      const [row] = await db.read<Session>(
        `SELECT ${sessionColumns} FROM sessions WHERE token_digest = $1`,
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
    confirm: (id, at) => db.write("UPDATE sessions SET confirmed_at = $2 WHERE id = $1", [id, at]),
    end: (accountId, id) =>
      db.write("DELETE FROM sessions WHERE account_id = $1 AND (id = $2 OR $2 = 'all')", [
        accountId,
        id,
      ]),
  }
}
