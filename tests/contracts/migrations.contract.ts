import { describe, expect, test } from "bun:test"
import type { Store } from "../../src/domain/store.ts"
import {
  type Migrated,
  type Migration,
  type MigrationSteps,
  newestOf,
  StoreTooNew,
} from "../../src/store/sql/migrate.ts"
import { accountRecord, put } from "./store-records.ts"

/** A database in which a test migrates. */
export type MigratedDatabase = Readonly<{
  migrate(steps: MigrationSteps): Promise<Migrated>
  query<Row>(sql: string): Promise<readonly Row[]>
  /** Tables and columns, in an order of their own. */
  readSchema(): Promise<readonly unknown[]>
  /** How many steps a program must know. */
  readOldest(): Promise<number>
  open(): Promise<Store>
}>

export const migrationsContract = (
  adapter: string,
  known: readonly Migration[],
  create: () => Promise<MigratedDatabase>,
) =>
  describe(`migrations on ${adapter}`, () => {
    const newest = newestOf(known)
    const stopping = known.findLastIndex(({ version, oldest }) => version === oldest)
    /** Those of 0.8.0: every later step lets it go on. */
    const older = known.slice(0, stopping + 1)
    const quietly = (steps: readonly Migration[]) => ({ known: steps, onProgress() {} })
    const next = (sql: string, rest: Partial<Migration> = {}): Migration => ({
      version: newest + 1,
      sql,
      ...rest,
    })
    /** Fails in the part after `parts`. */
    function failingAfter(parts: number, steps: readonly Migration[]): MigrationSteps {
      let left = parts
      return {
        known: steps,
        onProgress() {
          if (left === 0) throw new Error("interrupted")
          left -= 1
        },
      }
    }

    test("interrupted after each part, it continues; older programs may go on all the while", async () => {
      const whole = await create()
      await whole.migrate(quietly(older))
      await whole.migrate(quietly(known))
      const database = await create()
      await database.migrate(quietly(older))
      let interruptions = 0
      for (;;) {
        const migrating = database.migrate(failingAfter(interruptions % 3, known))
        const isDone = await migrating.then(
          () => true,
          () => false,
        )
        expect(await database.readOldest()).toBe(newestOf(older))
        if (isDone) break
        interruptions += 1
      }
      expect(interruptions).toBeGreaterThan(3)
      expect(await database.readSchema()).toEqual([...(await whole.readSchema())])
      const { from, to } = await database.migrate(quietly(known))
      expect([from, to]).toEqual([newest, newest])
      await (await database.open()).close()
    })

    test("many rows are changed in batches, each row once, also if it is interrupted", async () => {
      const database = await create()
      await database.migrate(quietly(known))
      await database.query(
        `INSERT INTO marks (name, value) WITH RECURSIVE numbers (n) AS (
           SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2500
         ) SELECT 'n' || n, '' FROM numbers`,
      )
      const change = "UPDATE marks SET value = value || 'x' WHERE name > $1 AND name <= $2"
      const fill = { table: "marks", key: "name", first: "", change }
      const steps = [...known, next("CREATE TABLE notes (id integer);", { fill })]
      await expect(database.migrate(failingAfter(2, steps))).rejects.toThrow("interrupted")
      const marked = "SELECT count(*) AS count FROM marks WHERE name LIKE 'n%' AND value = 'x'"
      const half = await database.query<{ count: number | string }>(marked)
      expect(Number(half[0]?.count)).toBeWithin(1, 2_500)
      const rows: number[] = []
      const onProgress: MigrationSteps["onProgress"] = (progress) => rows.push(progress.rows)
      await database.migrate({ known: steps, onProgress })
      expect(Math.max(...rows)).toBeWithin(1, 2_500)
      const all = await database.query<{ count: number | string }>(marked)
      expect(Number(all[0]?.count)).toBe(2_500)
    })

    test("a program goes on beside a step that only adds", async () => {
      const database = await create()
      await database.migrate(quietly(known))
      const running = await database.open()
      await database.migrate(quietly([...known, next("CREATE TABLE notes (id integer);")]))
      const started = await database.open()
      for (const store of [running, started]) {
        await store.probe()
        await put(store, accountRecord("ada"))
        await store.close()
      }
    })

    test("a program that does not know enough steps stops writing, and is not started", async () => {
      const database = await create()
      await database.migrate(quietly(known))
      const running = await database.open()
      const step = next("CREATE TABLE notes (id integer);", { oldest: newest + 1 })
      await database.migrate(quietly([...known, step]))
      await expect(put(running, accountRecord("ada"))).rejects.toThrow("it was upgraded while")
      await running.close()
      await expect(database.open()).rejects.toThrow(StoreTooNew)
    })

    test("the second of two steps stops only the programs that still need what it drops", async () => {
      const database = await create()
      await database.migrate(quietly(known))
      const first = next("CREATE TABLE notes (id integer);")
      const second = { version: newest + 2, sql: "DROP TABLE notes;", oldest: newest + 1 }
      await database.migrate(quietly([...known, first]))
      expect(await database.readOldest()).toBe(newest)
      await database.migrate(quietly([...known, first, second]))
      expect(await database.readOldest()).toBe(newest + 1)
      await expect(database.open()).rejects.toThrow(StoreTooNew)
    })
  })
