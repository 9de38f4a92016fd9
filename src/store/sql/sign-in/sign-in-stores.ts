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
import type { Timestamp } from "../../../domain/values/time/timestamp.ts"
import { writeEvents } from "../events/write-events.ts"
import { writeEmails } from "../mail/email-store.ts"
import { deleteRows, type SqlDatabase, type Transaction } from "../sql-database.ts"
import { allOf, rawSql, type Sql, sql } from "../statement.ts"

/** Authors and operators use the same SQL on separate tables, so that credentials of one never work for the other. */
type SignInTables = Readonly<ReturnType<typeof tablesOf>>

function tablesOf(owners: string, prefix: string, links: readonly Sql[]) {
  const table = (name: string) => rawSql(`${prefix}${name}`)
  const [sessions, invitations] = [table("sessions"), table("invitations")]
  return {
    owners: rawSql(owners),
    passwords: table("passwords"),
    sessions,
    invitations,
    twoFactor: table("second_factors"),
    recoveryCodes: table("recovery_codes"),
    /** A new password ends them. */
    signIns: [sessions, invitations, ...links],
  }
}

export const authorTables = tablesOf("accounts", "", [sql`sign_in_links`])
export const operatorTables = tablesOf("operators", "operator_", [])

export const createSignInStores = (db: SqlDatabase, tables: SignInTables): SignInStores => ({
  passwords: createPasswordStore(db, tables),
  sessions: createSessionStore(db, tables),
  invitations: createInvitationStore(db, tables),
  twoFactor: createTwoFactorStore(db, tables),
})

/** Changing or removing a password ends the sessions, invitations and sign-in links of the owner. */
export async function putPasswordAndEndSignIns(
  { query }: Transaction,
  { passwords, signIns }: SignInTables,
  ownerId: number,
  hash: string | null,
): Promise<void> {
  if (hash !== null) {
    await query`INSERT INTO ${passwords} VALUES (${ownerId}, ${hash})
      ON CONFLICT (owner_id) DO UPDATE SET hash = excluded.hash`
  }
  for (const table of hash === null ? [passwords, ...signIns] : signIns) {
    await query`DELETE FROM ${table} WHERE owner_id = ${ownerId}`
  }
}

/** Serializes password changes of an owner: an invitation must not be accepted after an operator has changed the password. */
export const lockOwner = ({ query, lock }: Transaction, { owners }: SignInTables, id: number) =>
  query`SELECT 1 FROM ${owners} WHERE id = ${id} ${lock("FOR NO KEY UPDATE")}`

function createPasswordStore(db: SqlDatabase, tables: SignInTables): PasswordStore {
  const { passwords } = tables
  const selectHash = (id: number) => sql`SELECT hash FROM ${passwords} WHERE owner_id = ${id}`
  return {
    find: (ownerId) => db.findValue(selectHash(ownerId)),
    put: (ownerId, hash) =>
      db.transaction(async (tx) => {
        await lockOwner(tx, tables, ownerId)
        await putPasswordAndEndSignIns(tx, tables, ownerId, hash)
      }),
    replace: (ownerId, expectedHash, hash) =>
      db.transaction(async (tx) => {
        await lockOwner(tx, tables, ownerId)
        const [row] = await tx.query<{ hash: string }>(selectHash(ownerId))
        if ((row?.hash ?? null) !== expectedHash) return false
        await putPasswordAndEndSignIns(tx, tables, ownerId, hash)
        return true
      }),
  }
}

function createSessionStore(db: SqlDatabase, tables: SignInTables): SessionStore {
  const { passwords, sessions, owners } = tables
  const columns = sql`id, owner_id, created_at, last_seen_at, confirmed_at, ip_range, device`
  return {
    insert: (tokenDigest, session, passwordHash) =>
      db.transaction(async ({ query, lock }) => {
        const { id, ownerId, createdAt, lastSeenAt, confirmedAt, ipRange, device } = session
        // The owner is locked first, as in a deletion. The lock waits for a concurrent password change, which ends all
        // sessions, but not for a feed that imports items.
        const found = await query`
          SELECT 1 FROM ${owners} WHERE id = ${ownerId} ${lock("FOR KEY SHARE")}`
        if (found.length === 0) return false
        if (passwordHash !== null) {
          const admitted = await query`SELECT 1 FROM ${passwords}
            WHERE owner_id = ${ownerId} AND hash = ${passwordHash} ${lock("FOR SHARE")}`
          if (admitted.length === 0) return false
        }
        await query`
          INSERT INTO ${sessions}
            (id, token_digest, owner_id, created_at, last_seen_at, confirmed_at, ip_range, device)
          VALUES (${id}, ${tokenDigest}, ${ownerId}, ${createdAt}, ${lastSeenAt}, ${confirmedAt},
            ${ipRange}, ${device})`
        // The oldest beyond the limit. Locked rows are left for the next sign-in: waiting for them could deadlock.
        const others = sql`SELECT id FROM ${sessions} WHERE owner_id = ${ownerId} AND id <> ${id}`
        await query`
          DELETE FROM ${sessions} WHERE id IN (${others} AND id NOT IN (
            ${others} ORDER BY created_at DESC, last_seen_at DESC LIMIT ${sessionsMax - 1})
            ${lock("FOR UPDATE SKIP LOCKED")})`
        return true
      }),
    findByToken: (tokenDigest) =>
      db.find<Session>`SELECT ${columns} FROM ${sessions} WHERE token_digest = ${tokenDigest}`,
    list: (ownerId) =>
      db.read`SELECT ${columns} FROM ${sessions} WHERE owner_id = ${ownerId}
        ORDER BY last_seen_at DESC, id`,
    confirm: (id, at) => db.write`UPDATE ${sessions} SET confirmed_at = ${at} WHERE id = ${id}`,
    touch: (id, at) => db.write`UPDATE ${sessions} SET last_seen_at = ${at} WHERE id = ${id}`,
    end: (ownerId, id) =>
      db.write`DELETE FROM ${sessions}
        WHERE ${allOf([sql`owner_id = ${ownerId}`, id === "all" ? null : sql`id = ${id}`])}`,
    deleteExpired(lastSeenBefore, createdBefore, rowsMax) {
      const isOld = sql`last_seen_at < ${lastSeenBefore} OR created_at < ${createdBefore}`
      return deleteRows(db, `${sessions}`, "id", isOld, rowsMax)
    },
  }
}

function createInvitationStore(db: SqlDatabase, tables: SignInTables): InvitationStore {
  const { invitations: table, owners } = tables
  const selectOwner = (tokenDigest: Uint8Array, at: Timestamp) =>
    sql`SELECT owner_id FROM ${table}
      WHERE token_digest = ${tokenDigest} AND expires_at > ${at}`
  return {
    insertAll: (invitations, events, emails) =>
      db.transaction(async (tx) => {
        for (const { tokenDigest, ownerId, expiresAt } of invitations) {
          await tx.query`INSERT INTO ${table} SELECT ${tokenDigest}, id, ${expiresAt}
            FROM ${owners} WHERE id = ${ownerId} ${tx.lock("FOR KEY SHARE")}`
        }
        await writeEmails(tx, emails)
        await writeEvents(tx, events)
      }),
    find: (tokenDigest, at) => db.findValue(selectOwner(tokenDigest, at)),
    accept: (tokenDigest, at, hash) =>
      db.transaction(async (tx) => {
        // Serializes with concurrent changes of this password.
        await tx.query`SELECT 1 FROM ${owners} WHERE id =
          (SELECT owner_id FROM ${table} WHERE token_digest = ${tokenDigest})
          ${tx.lock("FOR NO KEY UPDATE")}`
        const [row] = await tx.query<{ ownerId: number }>(selectOwner(tokenDigest, at))
        if (row === undefined) return null
        await putPasswordAndEndSignIns(tx, tables, row.ownerId, hash)
        return row.ownerId
      }),
    deleteExpired: (at, rowsMax) =>
      deleteRows(db, `${table}`, "token_digest", sql`expires_at <= ${at}`, rowsMax),
  }
}

const isValid = (tokenDigest: Uint8Array, at: Timestamp) =>
  sql`token_digest = ${tokenDigest} AND expires_at > ${at}`

export const createSignInLinkStore = (db: SqlDatabase): SignInLinkStore => ({
  insert: (tokenDigest, accountId, expiresAt) =>
    db.write`INSERT INTO sign_in_links VALUES (${tokenDigest}, ${accountId}, ${expiresAt})`,
  find: (tokenDigest, at) =>
    db.findValue`SELECT owner_id FROM sign_in_links WHERE ${isValid(tokenDigest, at)}`,
  use: (tokenDigest, at) =>
    db.writeValue`DELETE FROM sign_in_links WHERE ${isValid(tokenDigest, at)} RETURNING owner_id`,
  deleteExpired: (at, rowsMax) =>
    deleteRows(db, "sign_in_links", "token_digest", sql`expires_at <= ${at}`, rowsMax),
})

function createTwoFactorStore(db: SqlDatabase, tables: SignInTables): TwoFactorStore {
  const { owners, twoFactor, recoveryCodes, sessions } = tables
  const deleteOf = (table: Sql, ownerId: number) =>
    sql`DELETE FROM ${table} WHERE owner_id = ${ownerId}`
  return {
    find: (ownerId) => db.findValue`SELECT encrypted FROM ${twoFactor} WHERE owner_id = ${ownerId}`,
    put: (ownerId, keptSessionId, encrypted, usedStep, recoveryDigests) =>
      db.writeAll(
        // Waits for concurrent sign-ins, whose sessions are ended. Later ones find the secret.
        sql`SELECT 1 FROM ${owners} WHERE id = ${ownerId} ${db.lock("FOR UPDATE")}`,
        sql`INSERT INTO ${twoFactor} (owner_id, encrypted, used_step)
          VALUES (${ownerId}, ${encrypted}, ${usedStep})
          ON CONFLICT (owner_id)
          DO UPDATE SET encrypted = excluded.encrypted, used_step = excluded.used_step`,
        sql`${deleteOf(sessions, ownerId)} AND id <> ${keptSessionId}`,
        deleteOf(recoveryCodes, ownerId),
        ...recoveryDigests.map(
          (digest) => sql`INSERT INTO ${recoveryCodes} VALUES (${ownerId}, ${digest})`,
        ),
      ),
    remove: (ownerId) =>
      db.writeAll(deleteOf(twoFactor, ownerId), deleteOf(recoveryCodes, ownerId)),
    useStep: (ownerId, step) =>
      db.hasWritten`UPDATE ${twoFactor} SET used_step = ${step}
        WHERE owner_id = ${ownerId} AND used_step < ${step} RETURNING 1`,
    useRecoveryCode: (ownerId, digest) =>
      db.hasWritten`${deleteOf(recoveryCodes, ownerId)} AND digest = ${digest} RETURNING 1`,
    countRecoveryCodes: (ownerId) =>
      db.count`SELECT count(*) FROM ${recoveryCodes} WHERE owner_id = ${ownerId}`,
  }
}

const removeFailure = (bucket: Uint8Array) =>
  sql`UPDATE sign_in_failures SET failures = failures - 1 WHERE bucket = ${bucket} AND failures > 0`

export function createSignInFailureStore(db: SqlDatabase): SignInFailureStore {
  async function findFull(limits: readonly FailureLimit[], nowMs: number): Promise<number | null> {
    for (const { bucket, failuresMax } of limits) {
      const endsAtMs = await db.findValue<number>`SELECT ends_at_ms FROM sign_in_failures
        WHERE bucket = ${bucket} AND failures >= ${failuresMax} AND ends_at_ms > ${nowMs}`
      if (endsAtMs !== null) return endsAtMs
    }
    return null
  }
  return {
    async take(limits, nowMs, windowMs = attemptWindowMs) {
      const fullUntilMs = await findFull(limits, nowMs)
      if (fullUntilMs !== null) return fullUntilMs
      const isOver = sql`stored.ends_at_ms <= ${nowMs}`
      const isCounted = await db.transaction(async ({ query }) => {
        for (const [at, { bucket, failuresMax }] of limits.entries()) {
          const counted = await query`
            INSERT INTO sign_in_failures AS stored VALUES (${bucket}, 1, ${nowMs + windowMs})
            ON CONFLICT (bucket) DO UPDATE SET
              failures = CASE WHEN ${isOver} THEN 1 ELSE stored.failures + 1 END,
              ends_at_ms = CASE WHEN ${isOver} THEN excluded.ends_at_ms ELSE stored.ends_at_ms END
            WHERE stored.failures < ${failuresMax} OR ${isOver}
            RETURNING failures`
          if (counted.length > 0) continue
          for (const earlier of limits.slice(0, at)) await query(removeFailure(earlier.bucket))
          return false
        }
        return true
      })
      return isCounted ? null : ((await findFull(limits, nowMs)) ?? nowMs)
    },
    async giveBack(buckets) {
      // One transaction per row: several locks could be taken in another order than in `take`.
      for (const bucket of buckets) await db.write(removeFailure(bucket))
    },
    deleteExpired(nowMs, rowsMax) {
      const isOver = sql`ends_at_ms <= ${nowMs} OR ends_at_ms > ${nowMs + hourWindowMs}`
      return deleteRows(db, "sign_in_failures", "bucket", isOver, rowsMax)
    },
  }
}
