import { beforeAll, expect, test } from "bun:test"
import { createPostgres } from "../../tests/harness/stores/create-stores.ts"
import {
  type PostgresServer,
  retryLockTimeouts,
  sharePostgres,
} from "../../tests/harness/stores/postgres-server.ts"
import {
  accountId,
  accountRecord,
  addOwner,
  itemRecord,
  put,
} from "../../tests/harness/stores/store-records.ts"
import { until } from "../../tests/harness/until.ts"
import { openDatabase } from "../platform/database/postgres.ts"
import { postgresSchema } from "../store/schema.ts"
import { createSignInStores } from "./sign-in-store.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await sharePostgres()
})

async function open() {
  const url = await server.createMigratedDatabase()
  const store = await createPostgres({ url, connectionsMax: 4 })
  const db = await openDatabase(url, postgresSchema, 4)
  await put(store, accountRecord("ada"))
  const ada = await accountId(store, "ada")
  const owner = await addOwner(store, ada, "ada")
  await store.passwords.put(owner, "the hash before")
  const at = "2026-06-01T08:00:00Z"
  const times = { createdAt: at, lastSeenAt: at, confirmedAt: at }
  const session = {
    id: "one",
    personId: owner,
    ...times,
    ipRange: "192.0.2.0/24",
    device: "",
    isByPasskey: false,
  }
  return { store, db, ada: owner, session }
}

test("a sign-in that waits for a concurrent password change is rejected", async () => {
  const { store, db, ada, session } = await open()
  const { inserting } = await db.transaction(async (tx) => {
    const { passwords } = createSignInStores({ ...db, transaction: (work) => work(tx) })
    await passwords.put(ada, "another hash")
    const inserting = retryLockTimeouts(() =>
      store.sessions.insert(new Uint8Array([1]), session, "the hash before"),
    )
    await until(async () => {
      const blocked = await db.read`SELECT 1 FROM pg_locks WHERE NOT granted`
      return blocked.length > 0 || undefined
    })
    return { inserting }
  })
  expect(await inserting).toBe(false)
  expect(await store.sessions.list(ada)).toEqual([])
  await Promise.all([store.close(), db.close()])
})

test("the activation of two-factor authentication waits for a concurrent sign-in, and ends its session", async () => {
  const { store, db, ada, session } = await open()
  const { putting } = await db.transaction(async (tx) => {
    const { sessions } = createSignInStores({ ...db, transaction: (work) => work(tx) })
    await sessions.insert(new Uint8Array([1]), session, "the hash before")
    const putting = retryLockTimeouts(async () => {
      await store.twoFactor.put(ada, "", {
        encrypted: new Uint8Array([1]),
        usedStep: 0,
        recoveryDigests: [],
      })
      return true
    })
    await until(async () => {
      const blocked = await db.read`SELECT 1 FROM pg_locks WHERE NOT granted`
      return blocked.length > 0 || (await store.twoFactor.find(ada)) !== null || undefined
    })
    return { putting }
  })
  await putting
  expect(await store.sessions.list(ada)).toEqual([])
  await Promise.all([store.close(), db.close()])
})

test("a dry run does not block sign-ins", async () => {
  const { store, db, session } = await open()
  const dryRun = await store.feed.openDryRun()
  await dryRun.put(new Date(), [itemRecord("ada", 1), accountRecord("ada", "{}")], 1)
  expect(await store.sessions.insert(new Uint8Array([1]), session, "the hash before")).toBe(true)
  await dryRun.close()
  await Promise.all([store.close(), db.close()])
})
