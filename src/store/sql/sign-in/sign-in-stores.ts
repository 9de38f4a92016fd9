import type { PasswordStore } from "../../../domain/sign-in/password.ts"
import {
  type InvitationStore,
  type Session,
  type SessionStore,
  type SignInLinkStore,
  sessionsMax,
} from "../../../domain/sign-in/session.ts"
import {
  attemptWindowMs,
  type FailureLimit,
  hourWindowMs,
  type SignInFailureStore,
} from "../../../domain/sign-in/sign-in-failures.ts"
import type { TwoFactorStore } from "../../../domain/sign-in/two-factor.ts"
import type { SignInStores } from "../../../domain/store.ts"
import { writeEvents } from "../events/write-events.ts"
import { writeEmails } from "../mail/email-store.ts"
import { deleteRows, type SqlDatabase, type Transaction } from "../sql-database.ts"
import { sql } from "../statement.ts"

/** Authors and operators use the same SQL on separate tables, so that credentials of one never work for the other. */
type SignInTables = Readonly<{
  owners: string
  ownerId: string
  passwords: string
  sessions: string
  invitations: string
  signInLinks: string | null
  twoFactor: string
  recoveryCodes: string
}>

export const authorTables: SignInTables = {
  owners: "accounts",
  ownerId: "account_id",
  passwords: "passwords",
  sessions: "sessions",
  invitations: "invitations",
  signInLinks: "sign_in_links",
  twoFactor: "second_factors",
  recoveryCodes: "recovery_codes",
}

export const operatorTables: SignInTables = {
  owners: "operators",
  ownerId: "operator_id",
  passwords: "operator_passwords",
  sessions: "operator_sessions",
  invitations: "operator_invitations",
  signInLinks: null,
  twoFactor: "operator_second_factors",
  recoveryCodes: "operator_recovery_codes",
}

export const createSignInStores = (db: SqlDatabase, tables: SignInTables): SignInStores => ({
  passwords: createPasswordStore(db, tables),
  sessions: createSessionStore(db, tables),
  invitations: createInvitationStore(db, tables),
  twoFactor: createTwoFactorStore(db, tables),
})

export const endSessionsOf = ({ sessions, ownerId }: SignInTables) =>
  `DELETE FROM ${sessions} WHERE ${ownerId} = $1`

/** Changing or removing a password ends the sessions, invitations and sign-in links of the owner. */
export async function putPasswordAndEndSignIns(
  tx: Transaction,
  { passwords, sessions, invitations, signInLinks, ownerId: owner }: SignInTables,
  ownerId: number,
  hash: string | null,
): Promise<void> {
  const put = `INSERT INTO ${passwords} VALUES ($1, $2)
    ON CONFLICT (${owner}) DO UPDATE SET hash = excluded.hash`
  if (hash !== null) await tx.query(put, [ownerId, hash])
  const ended = [hash === null ? passwords : null, sessions, invitations, signInLinks]
  for (const table of ended) {
    if (table !== null) await tx.query(`DELETE FROM ${table} WHERE ${owner} = $1`, [ownerId])
  }
}

/** Serializes password changes of an owner: an invitation must not be accepted after an operator has changed the password. */
export const lockOwner = (tx: Transaction, { owners }: SignInTables, id: number) =>
  tx.query(`SELECT 1 FROM ${owners} WHERE id = $1 ${tx.lock("FOR NO KEY UPDATE")}`, [id])

function createPasswordStore(db: SqlDatabase, tables: SignInTables): PasswordStore {
  const { passwords, ownerId: owner } = tables
  const selectHash = `SELECT hash AS value FROM ${passwords} WHERE ${owner} = $1`
  return {
    find: (ownerId) => db.findValue(selectHash, [ownerId]),
    put: (ownerId, hash) =>
      db.transaction(async (tx) => {
        await lockOwner(tx, tables, ownerId)
        await putPasswordAndEndSignIns(tx, tables, ownerId, hash)
      }),
    replace: (ownerId, expectedHash, hash) =>
      db.transaction(async (tx) => {
        await lockOwner(tx, tables, ownerId)
        const [row] = await tx.query<{ value: string }>(selectHash, [ownerId])
        if ((row?.value ?? null) !== expectedHash) return false
        await putPasswordAndEndSignIns(tx, tables, ownerId, hash)
        return true
      }),
  }
}

function createSessionStore(db: SqlDatabase, tables: SignInTables): SessionStore {
  const { passwords, sessions, owners, ownerId: owner } = tables
  const columns = `id, ${owner} AS owner_id, created_at,
    last_seen_at, confirmed_at, ip_range, device`
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
        const lock = `SELECT 1 FROM ${owners} WHERE id = $1 ${db.lock("FOR KEY SHARE")}`
        if ((await tx.query(lock, [ownerId])).length === 0) return false
        const isKnown = `SELECT 1 FROM ${passwords} WHERE ${owner} = $1 AND hash = $2 ${db.lock("FOR SHARE")}`
        const isAdmitted =
          passwordHash === null || (await tx.query(isKnown, [ownerId, passwordHash])).length > 0
        if (!isAdmitted) return false
        await tx.query(
          `INSERT INTO ${sessions}
             (id, token_digest, ${owner}, created_at, last_seen_at, confirmed_at, ip_range, device)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [id, tokenDigest, ownerId, createdAt, lastSeenAt, confirmedAt, ipRange, device],
        )
        // Locked rows are left for the next sign-in: waiting for them could deadlock.
        const surplus = `${selectSurplus} ${db.lock("FOR UPDATE SKIP LOCKED")}`
        await tx.query(`DELETE FROM ${sessions} WHERE id IN (${surplus})`, [ownerId, id])
        return true
      }),
    findByToken: (tokenDigest) =>
      db.find<Session>(`SELECT ${columns} FROM ${sessions} WHERE token_digest = $1`, [tokenDigest]),
    list: (ownerId) =>
      db.read(
        `SELECT ${columns} FROM ${sessions} WHERE ${owner} = $1 ORDER BY last_seen_at DESC, id`,
        [ownerId],
      ),
    confirm: (id, at) =>
      db.write(`UPDATE ${sessions} SET confirmed_at = $2 WHERE id = $1`, [id, at]),
    touch: (id, at) => db.write(`UPDATE ${sessions} SET last_seen_at = $2 WHERE id = $1`, [id, at]),
    end: (ownerId, id) =>
      db.write(`DELETE FROM ${sessions} WHERE ${owner} = $1 AND (id = $2 OR $2 = 'all')`, [
        ...[ownerId, id],
      ]),
    deleteExpired(lastSeenBefore, createdBefore, rowsMax) {
      const isOld = sql`last_seen_at < ${lastSeenBefore} OR created_at < ${createdBefore}`
      return deleteRows(db, sessions, "id", isOld, rowsMax)
    },
  }
}

function createInvitationStore(db: SqlDatabase, tables: SignInTables): InvitationStore {
  const { invitations: table, owners, ownerId: owner } = tables
  const selectOwner = `SELECT ${owner} AS value FROM ${table}
    WHERE token_digest = $1 AND expires_at > $2`
  return {
    insertAll: (invitations, events, emails) =>
      db.transaction(async (tx) => {
        const insert = `INSERT INTO ${table}
          SELECT $1, id, $3 FROM ${owners} WHERE id = $2 ${db.lock("FOR KEY SHARE")}`
        for (const { tokenDigest, ownerId, expiresAt } of invitations) {
          await tx.query(insert, [tokenDigest, ownerId, expiresAt])
        }
        await writeEmails(tx, emails)
        await writeEvents(tx, events)
      }),
    find: (tokenDigest, at) => db.findValue(selectOwner, [tokenDigest, at]),
    accept: (tokenDigest, at, hash) =>
      db.transaction(async (tx) => {
        // Serializes with concurrent changes of this password.
        const lock = `SELECT 1 FROM ${owners} WHERE id =
          (SELECT ${owner} FROM ${table} WHERE token_digest = $1) ${db.lock("FOR NO KEY UPDATE")}`
        await tx.query(lock, [tokenDigest])
        const [row] = await tx.query<{ value: number }>(selectOwner, [tokenDigest, at])
        if (row === undefined) return null
        await putPasswordAndEndSignIns(tx, tables, row.value, hash)
        return row.value
      }),
    deleteExpired: (at, rowsMax) =>
      deleteRows(db, table, "token_digest", sql`expires_at <= ${at}`, rowsMax),
  }
}

const table = "sign_in_links"
const isValid = "token_digest = $1 AND expires_at > $2"

export const createSignInLinkStore = (db: SqlDatabase): SignInLinkStore => ({
  insert: (tokenDigest, accountId, expiresAt) =>
    db.write(`INSERT INTO ${table} VALUES ($1, $2, $3)`, [tokenDigest, accountId, expiresAt]),
  find: (tokenDigest, at) =>
    db.findValue(`SELECT account_id AS value FROM ${table} WHERE ${isValid}`, [tokenDigest, at]),
  use: (tokenDigest, at) =>
    db.writeValue(`DELETE FROM ${table} WHERE ${isValid} RETURNING account_id AS value`, [
      ...[tokenDigest, at],
    ]),
  deleteExpired: (at, rowsMax) =>
    deleteRows(db, table, "token_digest", sql`expires_at <= ${at}`, rowsMax),
})

function createTwoFactorStore(db: SqlDatabase, tables: SignInTables): TwoFactorStore {
  const { owners, twoFactor, recoveryCodes, ownerId: owner } = tables
  const insertCode = `INSERT INTO ${recoveryCodes} VALUES ($1, $2)`
  const deleteOf = (table: string, ownerId: number) =>
    [`DELETE FROM ${table} WHERE ${owner} = $1`, [ownerId]] as const
  return {
    find: (ownerId) =>
      db.findValue(`SELECT encrypted AS value FROM ${twoFactor} WHERE ${owner} = $1`, [ownerId]),
    put: (ownerId, keptSessionId, encrypted, usedStep, recoveryDigests) =>
      db.writeAll(
        // Waits for concurrent sign-ins, whose sessions are ended. Later ones find the secret.
        [`SELECT 1 FROM ${owners} WHERE id = $1 ${db.lock("FOR UPDATE")}`, [ownerId]],
        [
          `INSERT INTO ${twoFactor} (${owner}, encrypted, used_step) VALUES ($1, $2, $3)
           ON CONFLICT (${owner}) DO UPDATE SET encrypted = excluded.encrypted, used_step = excluded.used_step`,
          [ownerId, encrypted, usedStep],
        ],
        [`${endSessionsOf(tables)} AND id <> $2`, [ownerId, keptSessionId]],
        deleteOf(recoveryCodes, ownerId),
        ...recoveryDigests.map((digest) => [insertCode, [ownerId, digest]] as const),
      ),
    remove: (ownerId) =>
      db.writeAll(deleteOf(twoFactor, ownerId), deleteOf(recoveryCodes, ownerId)),
    useStep: (ownerId, step) =>
      db.hasWritten(
        `UPDATE ${twoFactor} SET used_step = $2 WHERE ${owner} = $1 AND used_step < $2 RETURNING 1`,
        [ownerId, step],
      ),
    useRecoveryCode: (ownerId, digest) =>
      db.hasWritten(
        `DELETE FROM ${recoveryCodes} WHERE ${owner} = $1 AND digest = $2 RETURNING 1`,
        [ownerId, digest],
      ),
    countRecoveryCodes: (ownerId) =>
      db.count(`SELECT count(*) AS value FROM ${recoveryCodes} WHERE ${owner} = $1`, [ownerId]),
  }
}

const selectFull = `SELECT ends_at_ms FROM sign_in_failures
  WHERE bucket = $1 AND failures >= $2 AND ends_at_ms > $3`

const countFailure = `INSERT INTO sign_in_failures AS stored VALUES ($1, 1, $4)
  ON CONFLICT (bucket) DO UPDATE SET
    failures = CASE WHEN stored.ends_at_ms <= $3 THEN 1 ELSE stored.failures + 1 END,
    ends_at_ms = CASE WHEN stored.ends_at_ms <= $3 THEN excluded.ends_at_ms ELSE stored.ends_at_ms END
  WHERE stored.failures < $2 OR stored.ends_at_ms <= $3
  RETURNING failures`

const removeFailure = `UPDATE sign_in_failures SET failures = failures - 1
  WHERE bucket = $1 AND failures > 0`

export function createSignInFailureStore(db: SqlDatabase): SignInFailureStore {
  async function findFull(limits: readonly FailureLimit[], nowMs: number): Promise<number | null> {
    for (const { bucket, failuresMax } of limits) {
      const full = await db.find<{ endsAtMs: number }>(selectFull, [bucket, failuresMax, nowMs])
      if (full !== null) return full.endsAtMs
    }
    return null
  }
  return {
    async take(limits, nowMs, windowMs = attemptWindowMs) {
      const fullUntilMs = await findFull(limits, nowMs)
      if (fullUntilMs !== null) return fullUntilMs
      const endsAtMs = nowMs + windowMs
      const isCounted = await db.transaction(async ({ query }) => {
        for (const [at, { bucket, failuresMax }] of limits.entries()) {
          const counted = await query(countFailure, [bucket, failuresMax, nowMs, endsAtMs])
          if (counted.length > 0) continue
          for (const earlier of limits.slice(0, at)) await query(removeFailure, [earlier.bucket])
          return false
        }
        return true
      })
      return isCounted ? null : ((await findFull(limits, nowMs)) ?? nowMs)
    },
    async giveBack(buckets) {
      // One transaction per row: several locks could be taken in another order than in `take`.
      for (const bucket of buckets) await db.write(removeFailure, [bucket])
    },
    deleteExpired(nowMs, rowsMax) {
      const isOver = sql`ends_at_ms <= ${nowMs} OR ends_at_ms > ${nowMs + hourWindowMs}`
      return deleteRows(db, "sign_in_failures", "bucket", isOver, rowsMax)
    },
  }
}
