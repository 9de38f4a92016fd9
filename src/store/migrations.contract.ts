import { describe, expect, test } from "bun:test"
import {
  findNewestVersion,
  type Migrated,
  type OnMigration,
  type OnProgress,
  type Schema,
  StoreOfDevelopment,
  StoreTooNew,
} from "../platform/database/schema-versions.ts"
import { translateSchema } from "./schema.ts"

export type MigratedDatabase = Readonly<{
  migrate(onMigration?: OnMigration, onProgress?: OnProgress, schema?: Schema): Promise<Migrated>
  open(): Promise<void>
  query<Row>(sql: string): Promise<readonly Row[]>
  setVersion(version: number): Promise<void>
  listColumns(): Promise<readonly Readonly<{ table: string; column: string }>[]>
}>

export type MigrationAdapter = Readonly<{
  database: "sqlite" | "postgres"
  schema: Schema
  createEmpty(): Promise<MigratedDatabase>
}>

/** A schema with two more versions, which add columns. */
export function createLaterSchema(database: MigrationAdapter["database"], schema: Schema): Schema {
  const newest = findNewestVersion(schema)
  const migrations = [
    ["boolean NOT NULL DEFAULT false", "is_featured"],
    ["text", "nickname"],
  ].map(([type, column], index) => ({
    version: newest + 1 + index,
    sql: translateSchema(
      `-- Comments end no statement;\nALTER TABLE accounts ADD COLUMN ${column} ${type};\n`,
      database,
    ),
  }))
  return { ...schema, migrations: [...schema.migrations, ...migrations] }
}

export const migrationsContract = ({ database: kind, schema, createEmpty }: MigrationAdapter) =>
  describe(`migrations on ${kind}`, () => {
    const newest = findNewestVersion(schema)
    const later = createLaterSchema(kind, schema)
    const names = ({ table, column }: Readonly<{ table: string; column: string }>) =>
      `${table}.${column}`

    async function createFilled(): Promise<MigratedDatabase> {
      const database = await createEmpty()
      await database.migrate()
      await database.query(
        "INSERT INTO accounts (username, list_version, body) VALUES ('ada', '1', '{}')",
      )
      return database
    }

    test("a migration of a new database does nothing", async () => {
      const database = await createEmpty()
      expect(await database.migrate()).toEqual({ from: 0, to: newest, copy: null })
      expect(await database.migrate()).toEqual({ from: newest, to: newest, copy: null })
      await database.open()
    })

    test("columns are added, and rows are kept", async () => {
      const database = await createFilled()
      const before = (await database.listColumns()).map(names)
      const reported: unknown[] = []
      const migrated = await database.migrate(
        (...versions) => reported.push(versions),
        (progress) => reported.push(progress),
        later,
      )
      expect(migrated).toMatchObject({ from: newest, to: newest + 2 })
      expect(reported).toEqual([
        [newest, newest + 2],
        { version: newest + 1, done: 0, of: 1 },
        { version: newest + 2, done: 0, of: 1 },
      ])
      const added = ["accounts.is_featured", "accounts.nickname"]
      expect((await database.listColumns()).map(names)).toEqual([...before, ...added].sort())
      expect(
        await database.query(
          "SELECT username, CAST(is_featured AS integer) AS featured, nickname FROM accounts",
        ),
      ).toEqual([{ username: "ada", featured: 0, nickname: null }])
      await expect(database.open()).rejects.toThrow(StoreTooNew)
    })

    test("an interrupted migration changes nothing, and the next one completes", async () => {
      const database = await createFilled()
      const before = await database.listColumns()
      for (const stop of [newest + 1, newest + 2]) {
        const interrupted = database.migrate(
          undefined,
          ({ version }) => {
            if (version === stop) throw new Error("interrupted")
          },
          later,
        )
        await expect(interrupted).rejects.toThrow("interrupted")
        expect(await database.listColumns()).toEqual([...before])
        await database.open()
      }
      expect((await database.migrate(undefined, undefined, later)).from).toBe(newest)
    })

    test.each([
      ["creates the database", createEmpty, schema],
      ["migrates it", createFilled, later],
    ])("one of two concurrent migrations %s", async (_, create, to) => {
      const database = await create()
      const migrate = () => database.migrate(undefined, undefined, to)
      const both = await Promise.all([migrate(), migrate()])
      expect(both.filter(({ from }) => from === findNewestVersion(to))).toHaveLength(1)
    })

    test("a database of a development version is rejected and not changed", async () => {
      const database = await createFilled()
      await database.setVersion(34)
      for (const use of [database.open, database.migrate]) {
        const error = await use().then(null, (reason: unknown) => reason)
        expect(error).toBeInstanceOf(StoreOfDevelopment)
        expect(String(error)).toContain("export with it, import here")
      }
      await database.setVersion(newest)
      await database.open()
    })

    test("a database of a newer version is not opened", async () => {
      const database = await createFilled()
      await database.setVersion(newest + 1)
      await expect(database.open()).rejects.toThrow(StoreTooNew)
      await expect(database.migrate()).rejects.toThrow(StoreTooNew)
    })
  })
