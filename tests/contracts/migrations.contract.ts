import { describe, expect, test } from "bun:test"
import { lowerAscii } from "../../src/domain/catalog/purchase-code.ts"
import { StoreUnavailable } from "../../src/domain/store.ts"
import {
  type Migrated,
  MigrationNeeded,
  newestOf,
  type OnMigration,
  type OnProgress,
  type Schema,
  StoreTooNew,
} from "../../src/store/sql/schema-versions.ts"

export type MigratedDatabase = Readonly<{
  migrate(onMigration?: OnMigration, onProgress?: OnProgress): Promise<Migrated>
  open(): Promise<void>
  query<Row>(sql: string): Promise<readonly Row[]>
  setVersion(version: number): Promise<void>
  /** Returns the definitions of tables, columns, constraints, indexes, functions and triggers. */
  readSchema(): Promise<readonly unknown[]>
  listColumns(): Promise<readonly Readonly<{ table: string; column: string }>[]>
}>

export type MigrationAdapter = Readonly<{
  schema: Schema
  createEmpty(): Promise<MigratedDatabase>
  /** Creates a database of version 0.12.3. */
  createReleased(): Promise<MigratedDatabase>
  /** The columns of 0.12.3 that identify a purchase and order the keys. */
  released: Readonly<{ purchase: "place" | "code"; serial: "rowid" | "serial" }>
}>

/** Tables of 0.12.3 that later versions do not need. */
const gone = [
  ...["asked_codes", "author_calls", "cached_rows", "item_calls", "key_changes", "key_rejections"],
  ...["known_networks", "move_changes", "network_calls", "operator_known_networks"],
  ...["purchase_counts", "sign_in_rejections", "traffic"],
  ...["session_notes", "operator_session_notes"],
]
/** Tables whose rows change. */
const ofUse = ["usage", "key_sightings"]
const ofVersion = ["schema_steps", "schema_version"]
/** Columns with sentences that became problems. */
const rewritten = ["imports.problem", "imports.refusals", "pulls.problem"]
const goneKeys = ["moved here", "purchases counted", "released sites", "trends"]

export const migrationsContract = (
  adapter: string,
  { schema, createEmpty, createReleased, released }: MigrationAdapter,
) =>
  describe(`migrations on ${adapter}`, () => {
    const newest = newestOf(schema)

    /** Returns the rows of all tables and columns that 0.12.3 and this version have in common. */
    async function readRows({ query, listColumns }: MigratedDatabase, columns: Columns) {
      const isUpgraded = (await listColumns()).some(({ table }) => table === "metadata")
      const rows = new Map<string, readonly string[]>()
      for (const [table, names] of columns) {
        const isOfPurchase = table === "purchase_sites" || table === "site_releases"
        const source = isOfPurchase
          ? `(SELECT s.*, p.code AS code_of FROM ${table} s JOIN purchases p USING (${isUpgraded ? "folded, code" : released.purchase})) AS t`
          : `${table === "metadata" && !isUpgraded ? "marks" : table} AS t`
        const selected = isOfPurchase
          ? [...names.filter((name) => name !== "code"), "code_of"]
          : names
        const found = await query(`SELECT ${selected.map((name) => `t.${name}`)} FROM ${source}`)
        // 0.12.3 kept released sites, with a negative number.
        const isGone = ({ name, nth }: Readonly<{ name?: string; nth?: number }>) =>
          goneKeys.includes(name ?? "") || (isOfPurchase && Number(nth) < 0)
        const kept = found.filter((row) => isUpgraded || !isGone(Object(row)))
        rows.set(table, kept.map((row) => JSON.stringify(row)).sort())
      }
      return rows
    }

    test("a migration of a new database does nothing", async () => {
      const database = await createEmpty()
      expect(await database.migrate()).toEqual({ from: 0, to: newest, copy: null })
      expect(await database.migrate()).toEqual({ from: newest, to: newest, copy: null })
      await database.open()
    })

    test("a database of 0.12.3 gets the schema of a new one and keeps every row", async () => {
      const [fresh, upgraded] = [await createEmpty(), await createReleased()]
      await fresh.migrate()
      await addPurchases(upgraded, released.purchase)
      const columns = shareColumns(await upgraded.listColumns(), await fresh.listColumns())
      const before = await readRows(upgraded, columns)
      const keys = await upgraded.query(`SELECT id FROM api_keys ORDER BY ${released.serial}`)
      const reported: unknown[] = []
      const { from, to } = await upgraded.migrate((...versions) => reported.push(versions))
      expect([[from, to], ...reported]).toEqual([
        [schema.oldest, newest],
        [schema.oldest, newest],
      ])
      expect(await upgraded.readSchema()).toEqual([...(await fresh.readSchema())])
      expect(await readRows(upgraded, columns)).toEqual(before)
      expect(await upgraded.query("SELECT id FROM api_keys ORDER BY serial")).toEqual([...keys])
      const codes = await upgraded.query<{ code: string; folded: string }>(
        "SELECT code, folded FROM purchases",
      )
      expect(codes.map(({ folded }) => folded)).toEqual(codes.map(({ code }) => lowerAscii(code)))
      expect(codes.map(({ code }) => code)).toEqual(expect.arrayContaining([...addedCodes]))
      await upgraded.open()
    })

    test("the usage of 0.12.3 is summed by day, and its IP ranges give the last use of each key", async () => {
      const database = await createReleased()
      const [key] = await database.query<{ id: string }>("SELECT id FROM api_keys")
      const add = (table: string, ...values: readonly (string | number)[]) =>
        database.query(
          `INSERT INTO ${table} VALUES ('${key?.id}', ${values.map((each) => `'${each}'`).join(", ")})`,
        )
      await database.query("DELETE FROM usage")
      await database.query("DELETE FROM key_sightings")
      for (const [period, calls] of Object.entries({
        "2026-06-29": 1,
        "2026-06-29T23": 2,
        "2026-06-30T00": 4,
        "2026-06-30T12": 8,
      })) {
        await add("usage", period, "read_item", "ok", calls)
      }
      await add("key_sightings", "192.0.2.0/24", "2026-06-30T12:30:00Z")
      await add("key_sightings", "198.51.100.0/24", "2026-06-29T10:00:00Z")
      await database.migrate()
      for (const table of ["usage", "usage_totals"]) {
        expect(
          await database.query(
            `SELECT day, operation, outcome, CAST(calls AS integer) AS calls FROM ${table} ORDER BY day`,
          ),
        ).toEqual([
          { day: "2026-06-29", operation: "read_item", outcome: "ok", calls: 3 },
          { day: "2026-06-30", operation: "read_item", outcome: "ok", calls: 12 },
        ])
      }
      expect(await database.query("SELECT network, last_day FROM key_networks ORDER BY 1")).toEqual(
        [
          { network: "192.0.2.0/24", last_day: "2026-06-30" },
          { network: "198.51.100.0/24", last_day: "2026-06-29" },
        ],
      )
      expect(
        await database.query(`SELECT last_used_at FROM api_keys WHERE id = '${key?.id}'`),
      ).toEqual([{ last_used_at: "2026-06-30T12:30:00Z" }])
    })

    test("sentences about imports become problems with the sentence as parameter", async () => {
      const database = await createReleased()
      const sentence = `"quoted", \\, it's İş`
      const quoted = sentence.replaceAll("'", "''")
      const group = { type: "item", cause: "itself", lines: 2, firstLine: 3, firstIdentity: null }
      const refusals = {
        groups: [{ ...group, member: 'a"member":', reason: sentence }],
        otherKinds: 7,
        otherProblems: 8,
        removalProblem: sentence,
        isRefusalAllowed: true,
      }
      const json = JSON.stringify(refusals).replaceAll("'", "''")
      await database.query(`INSERT INTO imports (source, line, started_at, refusals, problem)
        VALUES ('old', 1, '', '${json}', '${quoted}')`)
      await database.query(`INSERT INTO pulls (name, first_round_at, problem)
        VALUES ('old', '', '${quoted}')`)
      await database.migrate()
      const other = { code: "other", params: { text: sentence } }
      const [run] = await database.query<{ refusals: string; problem: string }>(
        "SELECT refusals, problem FROM imports WHERE source = 'old'",
      )
      const [pull] = await database.query<{ problem: string }>(
        "SELECT problem FROM pulls WHERE name = 'old'",
      )
      expect([run?.problem, pull?.problem].map((text) => JSON.parse(text ?? ""))).toEqual([
        other,
        other,
      ])
      expect(JSON.parse(run?.refusals ?? "")).toEqual({
        ...refusals,
        groups: [{ ...group, field: 'a"member":', ...other }],
        removalProblem: other,
      })
      // Queries match this text.
      expect(run?.refusals).toContain('"removalProblem":{')
    })

    test("the last attempt of each message is kept", async () => {
      const database = await createReleased()
      const [message] = await database.query<object>("SELECT * FROM webhook_messages")
      if (message === undefined) throw new Error("the release has no message")
      const add = (changes: object) => {
        const values = Object.values({ ...message, ...changes }).map((value) =>
          value === null ? "NULL" : `'${value}'`,
        )
        return database.query(`INSERT INTO webhook_messages VALUES (${values})`)
      }
      await database.query("DELETE FROM webhook_messages")
      await add({
        id: "msg_a",
        attempts: 3,
        tried_at: 7,
        status: 500,
        problem: null,
        answer: "oops",
      })
      await add({ id: "msg_b", attempts: 1, tried_at: 8, status: null, problem: 'a "b"' })
      await add({ id: "msg_c", attempts: 0, tried_at: null, status: null, problem: null })
      await database.migrate()
      const rows = await database.query<{ problem: string | null }>(
        `SELECT message_id, nth, CAST(at AS integer) AS at, status, problem, duration_ms, response
         FROM webhook_attempts ORDER BY 1`,
      )
      const found: object[] = rows.map((row) => ({
        ...row,
        problem: row.problem && JSON.parse(row.problem),
      }))
      const problem = { code: "other", params: { text: 'a "b"' } }
      const none = { status: null, problem: null, duration_ms: null, response: "" }
      expect(found).toEqual([
        { ...none, message_id: "msg_a", nth: 3, at: 7, status: 500, response: "oops" },
        { ...none, message_id: "msg_b", nth: 1, at: 8, problem },
      ])
    })

    test("an interrupted migration changes nothing, and the next one completes", async () => {
      const [fresh, database] = [await createEmpty(), await createReleased()]
      await fresh.migrate()
      const before = await database.readSchema()
      let statements = 1
      for (let last = 0; last < statements; last += 7) {
        const interrupted = database.migrate(undefined, ({ done, of }) => {
          statements = of
          if (done === last) throw new Error("interrupted")
        })
        await expect(interrupted).rejects.toThrow("interrupted")
        expect(await database.readSchema()).toEqual([...before])
      }
      expect((await database.migrate()).from).toBe(schema.oldest)
      expect(await database.readSchema()).toEqual([...(await fresh.readSchema())])
    })

    test("one of two concurrent migrations does the work", async () => {
      for (const create of [createEmpty, createReleased]) {
        const database = await create()
        const both = await Promise.all([database.migrate(), database.migrate()])
        expect(both.filter(({ from }) => from === newest)).toHaveLength(1)
        await database.open()
      }
    })

    test("a database before 0.12.3 is rejected and not changed", async () => {
      const database = await createReleased()
      await database.setVersion(schema.oldest - 1)
      const before = await database.readSchema()
      await expect(database.open()).rejects.toThrow(/; migrate with Pazar 0\.12\.3 first$/)
      await expect(database.migrate()).rejects.toThrow(/; migrate with Pazar 0\.12\.3 first$/)
      expect(await database.readSchema()).toEqual([...before])
    })

    test("a database of 0.12.3 or of a newer version is not opened", async () => {
      const database = await createReleased()
      await expect(database.open()).rejects.toThrow(MigrationNeeded)
      await database.setVersion(newest + 1)
      await expect(database.open()).rejects.toThrow(StoreTooNew)
      await expect(database.migrate()).rejects.toThrow(StoreTooNew)
    })

    test.each(["moving", "moving here", "moved to", "next master key"])(
      "a database in which 0.12.3 has left %p is rejected and not changed",
      async (name) => {
        const database = await createReleased()
        await database.query(`INSERT INTO marks VALUES ('${name}', '{}')`)
        const before = await database.readSchema()
        await expect(database.migrate()).rejects.toThrow(StoreUnavailable)
        expect(await database.readSchema()).toEqual([...before])
      },
    )
  })

type Columns = ReadonlyMap<string, readonly string[]>
type Listed = Awaited<ReturnType<MigratedDatabase["listColumns"]>>

/** Grouped by table of the newer database. */
function shareColumns(older: Listed, newer: Listed): Columns {
  const tables = [...new Set(older.map(({ table }) => table))]
  const kept = tables.filter((table) => ![...gone, ...ofUse, ...ofVersion].includes(table))
  return new Map(
    kept.map((table) => {
      const name = table === "marks" ? "metadata" : table
      const columns = newer.filter((each) => each.table === name).map(({ column }) => column)
      // A table that is missing in the newer database has no common column.
      expect(columns).not.toEqual([])
      const isShared = (column: string) =>
        older.some((each) => each.table === table && each.column === column)
      const isKept = (column: string) => !rewritten.includes(`${name}.${column}`)
      return [name, columns.filter((column) => isShared(column) && isKept(column))]
    }),
  )
}

/** Two codes differ in case only. Letters beyond ASCII keep their case. */
const addedCodes = ["ABC-1", "abc-1", "Ünal-İI-9", "zz"] as const

/** Adds rows that the fixture lacks: operator overrides, buyers, sites of several purchases, releases. */
async function addPurchases(
  { query }: MigratedDatabase,
  column: MigrationAdapter["released"]["purchase"],
): Promise<void> {
  for (const [at, code] of addedCodes.entries()) {
    const id = column === "place" ? at + 1 : `'${code}'`
    const [columns, values] =
      column === "place" ? ["place, code", `${id}, '${code}'`] : ["code", id]
    const state = at === 0 ? "true, false" : "false, NULL"
    await query(
      `INSERT INTO purchases (${columns}, item_id, revoked, feed_revoked, buyer, before_item, after_item, as_of)
       VALUES (${values}, 1229, ${state}, 'buyer ${at}', '{"item":', ',"date":"2026-01-0${at + 1}T00:00:00Z"}', ${at})`,
    )
    for (const [site, nth] of [
      ["one.example.com", at],
      ["two.example.com", at],
      ["released.example.com", -9],
    ]) {
      await query(
        `INSERT INTO purchase_sites (${column}, site, item_id, first_day, last_day, nth)
         VALUES (${id}, '${site}', 1229, '2026-01-01', '2026-01-02', ${nth})`,
      )
    }
    // Two releases in the same second.
    const release = `(${id}, '2026-01-03T00:00:00Z')`
    await query(`INSERT INTO site_releases (${column}, released_at) VALUES ${release}, ${release}`)
  }
}
