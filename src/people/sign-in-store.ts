import {
  allOf,
  deleteRows,
  type SqlDatabase,
  sql,
  type Transaction,
} from "../platform/database/sql.ts"
import type { Timestamp } from "../platform/time.ts"
import type { IdentityStore } from "./identity.ts"
import { type Passkey, type PasskeyStore, passkeysMax } from "./passkey.ts"
import type { PasswordStore } from "./password.ts"
import type { PeopleStores } from "./services.ts"
import type { Session, SessionStore, SignInLinkStore } from "./session.ts"
import {
  attemptWindowMs,
  type FailureLimit,
  hourWindowMs,
  type SignInFailureStore,
} from "./sign-in-throttle.ts"
import type { TwoFactorStore } from "./two-factor.ts"

/** What a restored database starts without. */
export const signInTables = ["sessions", "invitations", "sign_in_links"]

export const createSignInStores = (
  db: SqlDatabase,
): Omit<PeopleStores, "people" | "operators" | "invitations"> &
  Readonly<{ signInFailures: SignInFailureStore }> => ({
  passwords: createPasswordStore(db),
  sessions: createSessionStore(db),
  signInLinks: createSignInLinkStore(db),
  passkeys: createPasskeyStore(db),
  identities: createIdentityStore(db),
  twoFactor: createTwoFactorStore(db),
  signInFailures: createSignInFailureStore(db),
})

/**
 * Changing or removing a password ends the person's sessions and invitations, and the sign-in links of the accounts that
 * they own.
 */
export async function putPasswordAndEndSignIns(
  { query }: Transaction,
  personId: number,
  hash: string | null,
): Promise<void> {
  await query`UPDATE people SET password_hash = ${hash} WHERE id = ${personId}`
  await query`DELETE FROM sessions WHERE person_id = ${personId}`
  // A link for the owner of the account, whoever that is when it is used.
  const isForOwner = sql`role = 'owner' AND email IS NULL`
  const isOwned = sql`account_id IN (
    SELECT account_id FROM members WHERE person_id = ${personId} AND is_author)`
  await query`DELETE FROM invitations WHERE person_id = ${personId} OR (${isForOwner} AND ${isOwned})`
  await query`DELETE FROM sign_in_links WHERE ${isOwned}`
}

/** Serializes password changes: an invitation must not be accepted after an operator has changed the password. */
export const lockPerson = ({ query, lock }: Transaction, id: number) =>
  query<{ passwordHash: string | null }>`
    SELECT password_hash FROM people WHERE id = ${id} ${lock("FOR NO KEY UPDATE")}`

const createPasswordStore = (db: SqlDatabase): PasswordStore => ({
  find: (personId) => db.findValue`SELECT password_hash FROM people WHERE id = ${personId}`,
  put: (personId, hash) =>
    db.transaction(async (tx) => {
      await lockPerson(tx, personId)
      await putPasswordAndEndSignIns(tx, personId, hash)
    }),
  replace: (personId, expectedHash, hash) =>
    db.transaction(async (tx) => {
      const [person] = await lockPerson(tx, personId)
      if (person === undefined || person.passwordHash !== expectedHash) return false
      await putPasswordAndEndSignIns(tx, personId, hash)
      return true
    }),
})

/** More browsers than anybody has, and few enough for the page that lists them. */
const sessionsMax = 50

function createSessionStore(db: SqlDatabase): SessionStore {
  const columns = sql`id, person_id, created_at, last_seen_at, confirmed_at, ip_range, device, is_by_passkey`
  return {
    insert: (tokenDigest, session, passwordHash) =>
      db.transaction(async ({ query, lock }) => {
        const { id, personId, createdAt, lastSeenAt, confirmedAt } = session
        // Waits for a concurrent password change, which ends all sessions.
        const [person] = await query<{ passwordHash: string | null }>`
          SELECT password_hash FROM people WHERE id = ${personId} ${lock("FOR SHARE")}`
        if (person === undefined) return false
        if (passwordHash !== null && person.passwordHash !== passwordHash) return false
        await query`
          INSERT INTO sessions (token_digest, ${columns})
          VALUES (${tokenDigest}, ${id}, ${personId}, ${createdAt}, ${lastSeenAt}, ${confirmedAt},
            ${session.ipRange}, ${session.device}, ${session.isByPasskey})`
        // The oldest beyond the limit. Locked rows are left for the next sign-in: waiting for them could deadlock.
        const others = sql`SELECT id FROM sessions WHERE person_id = ${personId} AND id <> ${id}`
        await query`
          DELETE FROM sessions WHERE id IN (${others} AND id NOT IN (
            ${others} ORDER BY created_at DESC, last_seen_at DESC LIMIT ${sessionsMax - 1})
            ${lock("FOR UPDATE SKIP LOCKED")})`
        return true
      }),
    findByToken: (tokenDigest) =>
      db.find<Session>`SELECT ${columns} FROM sessions WHERE token_digest = ${tokenDigest}`,
    list: (personId) =>
      db.read`SELECT ${columns} FROM sessions WHERE person_id = ${personId}
        ORDER BY last_seen_at DESC, id`,
    confirm: (id, at) => db.write`UPDATE sessions SET confirmed_at = ${at} WHERE id = ${id}`,
    touch: (id, at) => db.write`UPDATE sessions SET last_seen_at = ${at} WHERE id = ${id}`,
    end: (personId, id) =>
      db.write`DELETE FROM sessions
        WHERE ${allOf([sql`person_id = ${personId}`, id === "all" ? null : sql`id = ${id}`])}`,
    deleteExpired(lastSeenBefore, createdBefore, rowsMax) {
      const isOld = sql`last_seen_at < ${lastSeenBefore} OR created_at < ${createdBefore}`
      return deleteRows(db, "sessions", "id", isOld, rowsMax)
    },
  }
}

const isValid = (tokenDigest: Uint8Array, at: Timestamp) =>
  sql`token_digest = ${tokenDigest} AND expires_at > ${at}`

const createSignInLinkStore = (db: SqlDatabase): SignInLinkStore => ({
  insert: (tokenDigest, accountId, expiresAt) =>
    db.write`INSERT INTO sign_in_links VALUES (${tokenDigest}, ${accountId}, ${expiresAt})`,
  find: (tokenDigest, at) =>
    db.findValue`SELECT account_id FROM sign_in_links WHERE ${isValid(tokenDigest, at)}`,
  use: (tokenDigest, at) =>
    db.writeValue`DELETE FROM sign_in_links WHERE ${isValid(tokenDigest, at)} RETURNING account_id`,
  deleteExpired: (at, rowsMax) =>
    deleteRows(db, "sign_in_links", "token_digest", sql`expires_at <= ${at}`, rowsMax),
})

function createTwoFactorStore(db: SqlDatabase): TwoFactorStore {
  const removeCodes = (personId: number) =>
    sql`DELETE FROM recovery_codes WHERE person_id = ${personId}`
  return {
    find: (personId) => db.findValue`SELECT two_factor FROM people WHERE id = ${personId}`,
    put: (personId, keptSessionId, { encrypted, usedStep, recoveryDigests }) =>
      db.writeAll(
        sql`UPDATE people SET two_factor = ${encrypted}, two_factor_step = ${usedStep}
          WHERE id = ${personId}`,
        removeCodes(personId),
        sql`DELETE FROM sessions WHERE person_id = ${personId} AND id <> ${keptSessionId}`,
        ...recoveryDigests.map(
          (digest) => sql`INSERT INTO recovery_codes VALUES (${personId}, ${digest})`,
        ),
      ),
    remove: (personId) =>
      db.writeAll(
        sql`UPDATE people SET two_factor = NULL, two_factor_step = NULL WHERE id = ${personId}`,
        removeCodes(personId),
      ),
    useStep: (personId, step) =>
      db.hasWritten`UPDATE people SET two_factor_step = ${step}
        WHERE id = ${personId} AND two_factor_step < ${step} RETURNING 1`,
    useRecoveryCode: (personId, digest) =>
      db.hasWritten`${removeCodes(personId)} AND digest = ${digest} RETURNING 1`,
    countRecoveryCodes: (personId) =>
      db.count`SELECT count(*) FROM recovery_codes WHERE person_id = ${personId}`,
  }
}

const removeFailure = (bucket: Uint8Array) =>
  sql`UPDATE sign_in_failures SET failures = failures - 1 WHERE bucket = ${bucket} AND failures > 0`

function createSignInFailureStore(db: SqlDatabase): SignInFailureStore {
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

const createIdentityStore = (db: SqlDatabase): IdentityStore => ({
  find: ({ issuer, subject }) =>
    db.findValue`SELECT person_id FROM identities WHERE issuer = ${issuer} AND subject = ${subject}`,
  list: (personId) =>
    db.read`SELECT issuer, subject FROM identities WHERE person_id = ${personId}
      ORDER BY issuer, subject`,
  connect: ({ issuer, subject }, personId) =>
    db.hasWritten`
      INSERT INTO identities AS stored (issuer, subject, person_id)
      SELECT ${issuer}, ${subject}, id FROM people WHERE id = ${personId}
      ON CONFLICT (issuer, subject) DO UPDATE SET person_id = excluded.person_id
        WHERE stored.person_id = excluded.person_id
      RETURNING 1`,
  disconnect({ issuer, subject }, personId) {
    const isThis = sql`issuer = ${issuer} AND subject = ${subject}`
    return db.hasWritten`DELETE FROM identities WHERE person_id = ${personId} AND ${isThis} AND (
      EXISTS (SELECT 1 FROM people WHERE id = ${personId} AND password_hash IS NOT NULL)
      OR EXISTS (SELECT 1 FROM passkeys WHERE person_id = ${personId})
      OR EXISTS (SELECT 1 FROM identities WHERE person_id = ${personId} AND NOT (${isThis})))
      RETURNING 1`
  },
  disconnectAll: (personId) =>
    db.hasWritten`DELETE FROM identities WHERE person_id = ${personId} RETURNING 1`,
})

const passkeyColumns = sql`id, person_id, public_key, algorithm, counter, name, created_at, last_used_at`

const createPasskeyStore = (db: SqlDatabase): PasskeyStore => ({
  find: (id) => db.find<Passkey>`SELECT ${passkeyColumns} FROM passkeys WHERE id = ${id}`,
  list: (personId) =>
    db.read<Passkey>`SELECT ${passkeyColumns} FROM passkeys WHERE person_id = ${personId}
      ORDER BY created_at, id`,
  insert: ({ id, personId, publicKey, algorithm, counter, name, createdAt, lastUsedAt }) =>
    db.transaction(async ({ query, lock }) => {
      const rows = await query`
        INSERT INTO passkeys (${passkeyColumns})
        SELECT ${id}, p.id, ${publicKey}, ${algorithm}, ${counter}, ${name}, ${createdAt}, ${lastUsedAt}
        FROM people p WHERE p.id = ${personId}
          AND (SELECT count(*) FROM passkeys WHERE person_id = ${personId}) < ${passkeysMax}
          ${lock("FOR KEY SHARE OF p")}
        ON CONFLICT DO NOTHING RETURNING 1`
      return rows.length > 0
    }),
  use: (id, counter, at) =>
    db.hasWritten`UPDATE passkeys SET counter = ${counter}, last_used_at = ${at} WHERE id = ${id}
      AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0)) RETURNING 1`,
  remove: (personId, id) =>
    db.transaction(async ({ query }) => {
      const isChosen = id === "all" ? null : sql`id = ${id}`
      const rows = await query`DELETE FROM passkeys
        WHERE ${allOf([sql`person_id = ${personId}`, isChosen])} RETURNING 1`
      return rows.length
    }),
})
