import type { Query, SqlDatabase, Transaction } from "../platform/database/sql.ts"
import { type Sql, sql } from "../platform/database/statement.ts"
import { lowerAscii } from "../platform/text.ts"
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

/** The marketplace and whoever reads the address of an account must not become an operator. */
const isNoOperator = (personId: Sql) =>
  sql`NOT EXISTS (SELECT 1 FROM operators WHERE operators.person_id = ${personId})`

/** The address of the account whose author the person has been longest. */
const ownedEmail = sql`(SELECT nullif(a.email, '') FROM members m JOIN accounts a ON a.id = m.account_id
  WHERE m.person_id = p.id AND m.is_author AND ${isNoOperator(sql`p.id`)}
  ORDER BY m.joined_at, a.id LIMIT 1)`

export const personColumns = sql`p.id, p.name, coalesce(p.email, ${ownedEmail}) AS email, p.locale, p.theme`

export const listedColumns = sql`p.created_at, p.password_hash IS NOT NULL AS has_password,
  p.two_factor IS NOT NULL AS has_two_factor,
  (SELECT count(*) FROM passkeys k WHERE k.person_id = p.id) AS passkeys,
  (SELECT max(s.last_seen_at) FROM sessions s WHERE s.person_id = p.id) AS last_seen_at`

export const selectOwner = (columns: Sql, accountId: number | null | Sql): Sql =>
  sql`SELECT ${columns} FROM members m JOIN people p ON p.id = m.person_id
    WHERE m.account_id = ${accountId} AND m.is_author AND ${isNoOperator(sql`p.id`)}
    ORDER BY m.joined_at, p.id LIMIT 1`

export const putMember = (
  { lock }: Pick<Transaction, "lock">,
  accountId: number,
  personId: number,
  role: string,
  at: string,
  isAuthor: Sql,
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

export function createPersonStore(db: SqlDatabase): PersonStore {
  const findWhere = (condition: Sql) =>
    db.find<Person>`SELECT ${personColumns} FROM people p WHERE ${condition}`
  return {
    find: (id) => findWhere(sql`p.id = ${id}`),
    findByName: (name) => findWhere(sql`lower(p.name) = ${lowerAscii(name)}`),
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
        await tx.query(putMember(tx, accountId, personId, role, at, isAuthor))
      }),
    /** Locks the team, in one order, so that of two concurrent changes the second sees the first. */
    changeMember: (accountId, personId, role) =>
      db.transaction(async ({ query, lock }) => {
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
      }),
  }
}

const columns = sql`${personColumns}, o.role`
const operatorsAsPeople = sql`operators o JOIN people p ON p.id = o.person_id`

export const insertOperator = (personId: number, role: string): Sql =>
  sql`INSERT INTO operators (person_id, role) VALUES (${personId}, ${role}) ON CONFLICT DO NOTHING`

export function createOperatorStore(db: SqlDatabase): OperatorStore {
  const findWhere = (condition: Sql) =>
    db.find<Operator>`SELECT ${columns} FROM ${operatorsAsPeople} WHERE ${condition}`
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
        SELECT ${columns}, ${listedColumns}, o.has_alerts
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
