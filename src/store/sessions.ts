import { type Session, type SessionStore, sessionsMax } from "../domain/session.ts"
import type { SqlDatabase, Value } from "./database.ts"
import type { SignInTables } from "./sign-in-tables.ts"

export const sessionColumns = ({ ownerId }: SignInTables) =>
  `id, ${ownerId} AS "ownerId", created_at AS "createdAt",
   last_seen_at AS "lastSeenAt", confirmed_at AS "confirmedAt", network, device`

/** Takes the values of `valuesOfSession`. */
export const insertSession = ({ sessions, ownerId }: SignInTables) => `INSERT INTO ${sessions}
  (id, token_digest, ${ownerId}, created_at, last_seen_at, confirmed_at, network, device)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

export function valuesOfSession(tokenDigest: Uint8Array, session: Session): readonly Value[] {
  const { id, ownerId, createdAt, lastSeenAt, confirmedAt, network, device } = session
  return [id, tokenDigest, ownerId, createdAt, lastSeenAt, confirmedAt, network, device]
}

/** Selects the oldest sessions of an owner beyond the limit. Takes the owner and the new session, which stays. */
export const selectSurplus = ({ sessions, ownerId }: SignInTables) => `SELECT id FROM ${sessions}
  WHERE ${ownerId} = $1 AND id <> $2 AND id NOT IN (
    SELECT id FROM ${sessions} WHERE ${ownerId} = $1 AND id <> $2
    ORDER BY created_at DESC, last_seen_at DESC LIMIT ${sessionsMax - 1})`

export const insertKnownNetwork = ({ knownNetworks }: SignInTables) =>
  `INSERT INTO ${knownNetworks} VALUES ($1, $2) ON CONFLICT DO NOTHING`

type Same = "findByToken" | "isKnownNetwork" | "confirm" | "end"

/** The methods whose SQL is the same for both databases. */
export function sessionQueries(db: SqlDatabase, tables: SignInTables): Pick<SessionStore, Same> {
  const { sessions, knownNetworks, ownerId: owner } = tables
  return {
    async findByToken(tokenDigest) {
      const [row] = await db.read<Session>(
        `SELECT ${sessionColumns(tables)} FROM ${sessions} WHERE token_digest = $1`,
        [tokenDigest],
      )
      return row ?? null
    },
    async isKnownNetwork(ownerId, network) {
      const rows = await db.read(
        `SELECT 1 FROM ${knownNetworks} WHERE ${owner} = $1 AND network = $2`,
        [ownerId, network],
      )
      return rows.length > 0
    },
    confirm: (id, at) =>
      db.write(`UPDATE ${sessions} SET confirmed_at = $2 WHERE id = $1`, [id, at]),
    end: (ownerId, id) =>
      db.write(`DELETE FROM ${sessions} WHERE ${owner} = $1 AND (id = $2 OR $2 = 'all')`, [
        ownerId,
        id,
      ]),
  }
}
