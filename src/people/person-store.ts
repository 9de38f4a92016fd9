import { writeEmails } from "../mail/email-store.ts"
import {
  allOf,
  deleteRows,
  type Query,
  type Sql,
  type SqlDatabase,
  sql,
  type Transaction,
} from "../platform/database/sql.ts"
import { lowerAscii } from "../platform/text.ts"
import type { Timestamp } from "../platform/time.ts"
import { writeEvents } from "../webhooks/webhook-store.ts"
import type {
  ListedOperator,
  ListedPerson,
  Member,
  Membership,
  Operator,
  OperatorStore,
  Person,
  PersonStore,
} from "./person.ts"
import type { PeopleStores } from "./services.ts"
import type { Invitation, InvitationStore } from "./session.ts"
import { lockPerson, putPasswordAndEndSignIns } from "./sign-in-store.ts"

export const createPersonStores = (
  db: SqlDatabase,
): Pick<PeopleStores, "people" | "operators" | "invitations"> => ({
  people: createPersonStore(db),
  operators: createOperatorStore(db),
  invitations: createInvitationStore(db),
})

/** The marketplace and whoever reads the address of an account must not become an operator. */
const isNoOperator = (personId: Sql) =>
  sql`NOT EXISTS (SELECT 1 FROM operators WHERE operators.person_id = ${personId})`

/** The address of the account whose author the person has been longest. */
const ownedEmail = sql`(SELECT nullif(a.email, '') FROM members m JOIN accounts a ON a.id = m.account_id
  WHERE m.person_id = p.id AND m.is_author AND ${isNoOperator(sql`p.id`)}
  ORDER BY m.joined_at, a.id LIMIT 1)`

const personColumns = sql`p.id, p.name, coalesce(p.email, ${ownedEmail}) AS email, p.locale, p.theme`

const listedColumns = sql`p.created_at, p.password_hash IS NOT NULL AS has_password,
  p.two_factor IS NOT NULL AS has_two_factor,
  (SELECT count(*) FROM passkeys k WHERE k.person_id = p.id) AS passkeys,
  (SELECT max(s.last_seen_at) FROM sessions s WHERE s.person_id = p.id) AS last_seen_at`

const selectOwner = (columns: Sql, accountId: number | null | Sql): Sql =>
  sql`SELECT ${columns} FROM members m JOIN people p ON p.id = m.person_id
    WHERE m.account_id = ${accountId} AND m.is_author AND ${isNoOperator(sql`p.id`)}
    ORDER BY m.joined_at, p.id LIMIT 1`

const insertMember = (
  { lock }: Pick<Transaction, "lock">,
  { accountId, personId }: Readonly<{ accountId: number; personId: number }>,
  { role, at, isAuthor }: Readonly<{ role: string; at: Timestamp; isAuthor: Sql }>,
): Sql =>
  sql`INSERT INTO members (account_id, person_id, role, joined_at, is_author)
    SELECT a.id, p.id, ${role}, ${at}, ${isAuthor} FROM accounts a CROSS JOIN people p
    WHERE a.id = ${accountId} AND p.id = ${personId} ${lock("FOR KEY SHARE")}
    ON CONFLICT (account_id, person_id) DO UPDATE SET role = excluded.role,
      is_author = members.is_author OR excluded.is_author`

/** Of people who belong to no team and are no operators. */
export const deletePeopleWithoutRole = (people: Sql): Sql =>
  sql`DELETE FROM people WHERE ${people}
    AND NOT EXISTS (SELECT 1 FROM members m WHERE m.person_id = people.id)
    AND NOT EXISTS (SELECT 1 FROM operators o WHERE o.person_id = people.id)`

const createPersonStore = (db: SqlDatabase): PersonStore => ({
  find: (id) => db.find<Person>`SELECT ${personColumns} FROM people p WHERE p.id = ${id}`,
  findByName: (name) =>
    db.find<Person>`SELECT ${personColumns} FROM people p WHERE lower(p.name) = ${lowerAscii(name)}`,
  listByEmail: (email, rowsMax) =>
    db.read<Person>`
      SELECT ${personColumns} FROM people p WHERE p.id IN (
        SELECT id FROM people WHERE lower(email) = ${lowerAscii(email)}
        UNION ALL
        SELECT owner.id FROM accounts a JOIN members m ON m.account_id = a.id AND m.is_author
          JOIN people owner ON owner.id = m.person_id
        WHERE lower(a.email) = ${lowerAscii(email)} AND owner.email IS NULL
          AND ${isNoOperator(sql`owner.id`)})
      ORDER BY p.id LIMIT ${rowsMax}`,
  listUnowned: (email, rowsMax) =>
    db.read`
      SELECT a.id, a.username FROM accounts a
      WHERE lower(a.email) = ${lowerAscii(email)} AND NOT a.is_suspended AND NOT EXISTS (
        SELECT 1 FROM members m WHERE m.account_id = a.id AND m.is_author
          AND ${isNoOperator(sql`m.person_id`)})
      ORDER BY a.id LIMIT ${rowsMax}`,
  list: (afterId, rowsMax) =>
    db.read<ListedPerson>`
      SELECT ${personColumns}, ${listedColumns}, o.role,
        (SELECT count(*) FROM members m WHERE m.person_id = p.id) AS accounts
      FROM people p LEFT JOIN operators o ON o.person_id = p.id
      WHERE p.id > ${afterId} ORDER BY p.id LIMIT ${rowsMax}`,
  remove: (id) => db.write`DELETE FROM people WHERE id = ${id}`,
  insert: ({ name, email, createdAt }) =>
    db.writeValue`
      INSERT INTO people (name, email, created_at) VALUES (${name}, ${email}, ${createdAt})
      ON CONFLICT DO NOTHING RETURNING id`,
  putEmail: (id, email) =>
    db.writeAll(
      sql`DELETE FROM invitations WHERE person_id IN (SELECT p.id FROM people p
        WHERE p.id = ${id} AND coalesce(p.email, ${ownedEmail}) IS DISTINCT FROM ${email})`,
      sql`UPDATE people SET email = ${email} WHERE id = ${id}`,
    ),
  putLocale: (id, locale) => db.write`UPDATE people SET locale = ${locale} WHERE id = ${id}`,
  putTheme: (id, theme) => db.write`UPDATE people SET theme = ${theme} WHERE id = ${id}`,
  listMemberships: (personId) =>
    db.read<Membership>`
      SELECT m.account_id, a.username, a.full_name, a.is_suspended, m.role
      FROM members m JOIN accounts a ON a.id = m.account_id
      WHERE m.person_id = ${personId} ORDER BY a.is_suspended, a.username`,
  listMembers: (accountId) =>
    db.read<Member>`
      SELECT m.person_id, p.name, m.role FROM members m JOIN people p ON p.id = m.person_id
      WHERE m.account_id = ${accountId} ORDER BY lower(p.name)`,
  findOwner: (accountId) => db.find<Person>(selectOwner(personColumns, accountId)),
  findOwnerOf: (username) =>
    db.find<Person>(
      selectOwner(personColumns, sql`(SELECT id FROM accounts WHERE username = ${username})`),
    ),
  putMember: (accountId, personId, role, at) =>
    db.transaction(async (tx) => {
      const isFirst = sql`NOT EXISTS (${selectOwner(sql`1`, accountId)})`
      const isAuthor = role === "owner" ? isFirst : sql`false`
      await tx.query(insertMember(tx, { accountId, personId }, { role, at, isAuthor }))
    }),
  changeMember: (...change) => db.transaction((tx) => changeMember(tx, ...change)),
})

/** Locks the team, in one order, so that of two concurrent changes the second sees the first. */
async function changeMember(
  { query, lock }: Transaction,
  ...[accountId, personId, role]: Parameters<PersonStore["changeMember"]>
): Promise<boolean> {
  const team = await query<Pick<Member, "personId" | "role">>`
    SELECT person_id, role FROM members WHERE account_id = ${accountId}
    ORDER BY person_id ${lock("FOR UPDATE")}`
  const owners = team.filter((each) => each.role === "owner")
  const isLastOwner = owners.length === 1 && owners[0]?.personId === personId
  const isMember = team.some((each) => each.personId === personId)
  if (!isMember || (isLastOwner && role !== "owner")) return false
  const isThis = sql`account_id = ${accountId} AND person_id = ${personId}`
  if (role !== null) await query`UPDATE members SET role = ${role} WHERE ${isThis}`
  else {
    await query`DELETE FROM members WHERE ${isThis}`
    await query(deletePeopleWithoutRole(sql`id = ${personId}`))
  }
  return true
}

const operatorColumns = sql`${personColumns}, o.role`
const operatorsAsPeople = sql`operators o JOIN people p ON p.id = o.person_id`

const insertOperator = (personId: number, role: string): Sql =>
  sql`INSERT INTO operators (person_id, role) VALUES (${personId}, ${role}) ON CONFLICT DO NOTHING`

function createOperatorStore(db: SqlDatabase): OperatorStore {
  const findWhere = (condition: Sql) =>
    db.find<Operator>`SELECT ${operatorColumns} FROM ${operatorsAsPeople} WHERE ${condition}`
  /** Locks the admins, in one order, so that of two concurrent changes the second sees the first. */
  const unlessLastAdmin = (leavingId: number | null, change: (query: Query) => Promise<unknown>) =>
    db.transaction(async ({ query, lock }) => {
      const admins = await query<{ personId: number }>`
        SELECT person_id FROM operators WHERE role = 'admin' ORDER BY person_id ${lock("FOR UPDATE")}`
      if (admins.length === 1 && admins[0]?.personId === leavingId) return false
      await change(query)
      return true
    })
  return {
    hasAny: () => db.hasRow`SELECT 1 FROM operators LIMIT 1`,
    find: (id) => findWhere(sql`p.id = ${id}`),
    findByName: (name) => findWhere(sql`lower(p.name) = ${lowerAscii(name)}`),
    list: () =>
      db.read<ListedOperator>`
        SELECT ${operatorColumns}, ${listedColumns}, o.has_alerts
        FROM ${operatorsAsPeople} ORDER BY lower(p.name)`,
    insert: (personId, role) => db.write(insertOperator(personId, role)),
    putAlerts: (id, hasAlerts) =>
      db.write`UPDATE operators SET has_alerts = ${hasAlerts} WHERE person_id = ${id}`,
    putRole: (id, role) =>
      unlessLastAdmin(
        role === "admin" ? null : id,
        (query) => query`UPDATE operators SET role = ${role} WHERE person_id = ${id}`,
      ),
    remove: (id) =>
      unlessLastAdmin(id, async (query) => {
        await query`DELETE FROM operators WHERE person_id = ${id}`
        await query(deletePeopleWithoutRole(sql`id = ${id}`))
      }),
  }
}

const invitationColumns = sql`id, token_digest, person_id, account_id, role, operator_role, name, email, expires_at`

const selectInvitation = (tokenDigest: Uint8Array, at: Timestamp) =>
  sql`SELECT ${invitationColumns} FROM invitations 
    WHERE token_digest = ${tokenDigest} AND expires_at > ${at}`

const createInvitationStore = (db: SqlDatabase): InvitationStore => ({
  insertAll: (invitations, events, emails) =>
    db.transaction(async (tx) => {
      for (const each of invitations) {
        const { id, tokenDigest, personId, accountId, role, operatorRole, name, email } = each
        const hasPerson = sql`EXISTS (SELECT 1 FROM people WHERE id = ${personId})`
        const hasAccount = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${accountId})`
        const owners = [
          personId === null ? null : hasPerson,
          accountId === null ? null : hasAccount,
        ]
        await tx.query`INSERT INTO invitations (${invitationColumns})
          SELECT ${id}, ${tokenDigest}, ${personId}, ${accountId}, ${role}, ${operatorRole},
            ${name}, ${email}, ${each.expiresAt} WHERE ${allOf(owners)}`
      }
      await writeEmails(tx, emails)
      await writeEvents(tx, events)
    }),
  find: (tokenDigest, at) => db.find<Invitation>(selectInvitation(tokenDigest, at)),
  list: (of, at) =>
    db.read<Invitation>`SELECT ${invitationColumns} FROM invitations
      WHERE ${of === "operators" ? sql`operator_role IS NOT NULL` : sql`account_id = ${of.accountId}`}
        AND expires_at > ${at} ORDER BY expires_at DESC, id`,
  accept: (...use) => db.transaction((tx) => acceptInvitation(tx, ...use)),
  join: (tokenDigest, at, personId) =>
    db.transaction(async (tx) => {
      const invitation = await takeInvitation(tx, tokenDigest, at)
      if (invitation === null || invitation.personId !== null) return false
      // Not the author, even by the link of an owner: others can open the marketplace as the author.
      await giveRole(tx, invitation, personId, { at, isAuthor: sql`false` })
      return true
    }),
  remove: (id) => db.write`DELETE FROM invitations WHERE id = ${id}`,
  deleteExpired: (at, rowsMax) =>
    deleteRows(db, "invitations", "token_digest", sql`expires_at <= ${at}`, rowsMax),
})

/** Locks the invitation, so that one of two concurrent uses succeeds. */
async function takeInvitation(
  { query, lock }: Transaction,
  tokenDigest: Uint8Array,
  at: Timestamp,
): Promise<Invitation | null> {
  const [found = null] = await query<Invitation>`
    ${selectInvitation(tokenDigest, at)} ${lock("FOR UPDATE")}`
  return found
}

async function acceptInvitation(
  tx: Transaction,
  ...[tokenDigest, at, { name, ...chosen }]: Parameters<InvitationStore["accept"]>
): Promise<number | "taken" | null> {
  const { query } = tx
  const invitation = await takeInvitation(tx, tokenDigest, at)
  if (invitation === null) return null
  let { personId } = invitation
  const isOfAuthor = invitation.role === "owner" && invitation.email === null
  if (isOfAuthor) {
    const selected = selectOwner(sql`m.person_id`, invitation.accountId)
    const [owner] = await query<{ personId: number }>(selected)
    personId = owner?.personId ?? null
  }
  if (personId === null) {
    const [person] = await query<{ id: number }>`
      INSERT INTO people (name, email, created_at) VALUES (${name}, ${invitation.email}, ${at})
      ON CONFLICT DO NOTHING RETURNING id`
    if (person === undefined) return "taken"
    personId = person.id
    await giveRole(tx, invitation, personId, { at, isAuthor: isOfAuthor ? sql`true` : sql`false` })
  } else await lockPerson(tx, personId)
  await query`DELETE FROM invitations WHERE token_digest = ${tokenDigest}`
  if ("hash" in chosen) await putPasswordAndEndSignIns(tx, personId, chosen.hash)
  else {
    const { issuer, subject } = chosen.identity
    await query`INSERT INTO identities (issuer, subject, person_id)
      VALUES (${issuer}, ${subject}, ${personId})`
  }
  return personId
}

/** Other links for the same role and address, or to the same operator, end too. */
async function giveRole(
  tx: Transaction,
  { tokenDigest, accountId, role, operatorRole, name, email }: Invitation,
  personId: number,
  { at, isAuthor }: Readonly<{ at: Timestamp; isAuthor: Sql }>,
): Promise<void> {
  const { query } = tx
  if (accountId !== null && role !== null)
    await query(insertMember(tx, { accountId, personId }, { role, at, isAuthor }))
  if (operatorRole !== null) {
    await query(insertOperator(personId, operatorRole))
    await query`DELETE FROM invitations WHERE operator_role IS NOT NULL AND name = ${name}`
  }
  await query`DELETE FROM invitations WHERE token_digest = ${tokenDigest}
    OR (account_id = ${accountId} AND role = ${role} AND email IS NOT DISTINCT FROM ${email})`
}
