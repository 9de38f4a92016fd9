import { afterAll, beforeAll, expect, test } from "bun:test"
import { until } from "../../../tests/harness/command.ts"
import { createPostgres } from "../../../tests/harness/new-stores.ts"
import { type PostgresServer, startPostgres } from "../../../tests/harness/postgres.ts"
import { accountRecord, keyRecord, put } from "../../../tests/harness/store-records.ts"
import { openDatabase } from "./database.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

async function open() {
  const url = await server.createDatabase()
  const store = await createPostgres({ url, replicaUrls: [], connectionsMax: 16 })
  return { store, db: await openDatabase(url, 16) }
}

const { accountId: _, ...key } = keyRecord("key_1")

test("nodes that remember a key are told when its line changes it, and only then", async () => {
  const { store, db } = await open()
  const listChanges = () => db.read("SELECT key_id FROM key_changes")
  await put(store, accountRecord("ada"), { type: "key", key })
  await put(store, { type: "key", key })
  expect(await listChanges()).toEqual([])
  await put(store, { type: "key", key: { ...key, revokedAt: "2026-05-01T00:00:00Z" } })
  expect(await listChanges()).toEqual([{ key_id: "key_1" }])
  await Promise.all([store.close(), db.close()])
})

test("a key that is being revoked while its line comes in stays revoked", async () => {
  const { store, db } = await open()
  await put(store, accountRecord("ada"), { type: "key", key })
  const coming = await db.transact(async (client) => {
    await client.query("UPDATE api_keys SET revoked_at = '2026-05-01T00:00:00Z'")
    const verdicts = put(store, { type: "key", key })
    await until(async () => {
      const waiting = await db.read("SELECT 1 FROM pg_locks WHERE NOT granted")
      return waiting.length > 0 || undefined
    })
    return { verdicts }
  })
  expect(await coming.verdicts).toEqual([null])
  expect((await store.keys.find("key_1"))?.revokedAt).toBe("2026-05-01T00:00:00Z")
  await Promise.all([store.close(), db.close()])
})
