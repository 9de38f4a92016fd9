import { afterAll, beforeAll, expect, test } from "bun:test"
import { until } from "../../../tests/harness/command.ts"
import { type PostgresServer, startPostgres } from "../../../tests/harness/postgres.ts"
import { accountRecord, keyRecord, put } from "../../../tests/harness/store-records.ts"
import { openDatabase } from "./database.ts"
import { openPostgres } from "./store.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

test("a key that is being revoked while its line comes in stays revoked", async () => {
  const url = await server.createDatabase()
  const [store, db] = await Promise.all([openPostgres(url), openDatabase(url)])
  const { accountId: _, ...key } = keyRecord("key_1")
  await put(store, accountRecord("ada"), { type: "key", key })
  const coming = await db.transact(async (client) => {
    await client.query("UPDATE api_keys SET revoked_at = '2026-05-01T00:00:00Z'")
    const fates = put(store, { type: "key", key })
    await until(async () => {
      const waiting = await db.read("SELECT 1 FROM pg_locks WHERE NOT granted")
      return waiting.length > 0 || undefined
    })
    return { fates }
  })
  expect(await coming.fates).toEqual([null])
  expect((await store.keys.find("key_1"))?.revokedAt).toBe("2026-05-01T00:00:00Z")
  await Promise.all([store.close(), db.close()])
})
