import { afterAll, beforeAll, expect, test } from "bun:test"
import { until } from "../../../tests/harness/command.ts"
import { type PostgresServer, startPostgres } from "../../../tests/harness/postgres.ts"
import { accountId, accountRecord, put } from "../../../tests/harness/store-records.ts"
import { openDatabase } from "./database.ts"
import { putPassword } from "./passwords.ts"
import { openPostgres } from "./store.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

test("a session comes after a change of the password that is under way, not beside it", async () => {
  const url = await server.createDatabase()
  const store = await openPostgres({ url, replicaUrls: [], connectionsMax: 4 }, "command")
  const db = await openDatabase(url, 4)
  await put(store, accountRecord("ada"))
  const ada = await accountId(store, "ada")
  const at = "2026-06-01T08:00:00Z"
  const times = { createdAt: at, lastSeenAt: at, confirmedAt: at }
  const session = { id: "one", accountId: ada, ...times, network: "192.0.2.0/24", device: "" }
  const { inserting } = await db.transact(async (client) => {
    await putPassword(client, ada, "another hash")
    const inserting = store.sessions.insert(new Uint8Array([1]), session)
    await until(async () => {
      const waiting = await db.read("SELECT 1 FROM pg_locks WHERE NOT granted")
      return waiting.length > 0 || undefined
    })
    return { inserting }
  })
  await inserting
  expect(await store.sessions.list(ada)).toEqual([session])
  await Promise.all([store.close(), db.close()])
})
