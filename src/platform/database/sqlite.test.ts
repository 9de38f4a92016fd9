import { Database } from "bun:sqlite"
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test"
import { rmSync, statSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { propertyRuns } from "../../../tests/harness/full-test-run.ts"
import { temporaryFolder } from "../../../tests/harness/program.ts"
import { createSqlite } from "../../../tests/harness/stores/create-stores.ts"
import { accountRecord, longItemRecord, put } from "../../../tests/harness/stores/store-records.ts"
import type { Store } from "../../store/store.ts"
import { joinSql, rawSql, sql, tuples } from "./sql.ts"
import { createStatements } from "./sqlite.ts"

const mb = 1024 ** 2

describe.each(["serve", "command"] as const)("the write-ahead log of a %s", (use) => {
  let folder: string
  let store: Store
  let reader: Database
  beforeEach(async () => {
    folder = temporaryFolder()
    store = await createSqlite(join(folder, "pazar.db"), use)
    await put(store, accountRecord("ada"))
    // An open read transaction prevents a checkpoint from truncating the log.
    reader = new Database(join(folder, "pazar.db"))
    reader.run("BEGIN")
    reader.query("SELECT count(*) FROM accounts").get()
  })
  afterEach(async () => {
    reader.close()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  let id = 0
  const write = (bytes: number) => {
    id += 1
    return put(store, longItemRecord("ada", id, bytes))
  }
  const measure = () => statSync(join(folder, "pazar.db-wal")).size

  test("is truncated by the write that exceeds the limit", async () => {
    await write(60 * mb)
    reader.run("COMMIT")
    expect(measure()).toBeGreaterThan(60 * mb)
    await write(10 * mb)
    expect(measure()).toBe(0)
  })

  test("does not stay large after a long read", async () => {
    await write(100 * mb)
    reader.run("COMMIT")
    expect(measure()).toBeGreaterThan(100 * mb)
    // After the first write SQLite checkpoints the log; the second write restarts it.
    await write(1)
    await write(1)
    expect(measure()).toBeLessThanOrEqual(64 * mb)
  })
})

const connection = new Database(":memory:", { strict: true })
afterAll(() => connection.close())
const { query } = createStatements(connection)

describe("a statement", () => {
  test("binds each value where it stands", () => {
    fc.assert(
      fc.property(fc.array(fc.uuid(), { minLength: 1, maxLength: 20 }), (values) => {
        const columns = values.map((value) => sql`${value}`)
        expect(query(tuples`SELECT ${joinSql(columns, ", ")}`)).toEqual([values])
      }),
      { numRuns: propertyRuns(100) },
    )
  })

  test("does not change a JSON path", () => {
    const body = '{"email":"ada@example.com"}'
    expect(query`SELECT json_extract(${body}, '$.email') AS found`).toEqual([
      { found: "ada@example.com" },
    ])
  })

  test("returns fields in camelCase, booleans for names such as isHidden, and null", () => {
    const columns = rawSql("1 AS is_hidden, 0 AS has_pending, NULL AS is_by_feed, 1 AS issued")
    const row = { isHidden: true, hasPending: false, isByFeed: null, issued: 1 }
    expect(query`SELECT ${columns} UNION ALL SELECT ${columns}`).toEqual([row, row])
  })

  test("returns tuples, also with columns of one name", () => {
    expect(query(tuples`SELECT 1 AS is_hidden, ${"a"} AS name, 'b' AS name`)).toEqual([
      [true, "a", "b"],
    ])
  })
})
