/** A try that is refused writes nothing to the database, not even a lock. */
import { beforeAll, expect, test } from "bun:test"
import { createPostgres } from "../../../tests/harness/stores/new-stores.ts"
import {
  askPostgres,
  type PostgresServer,
  sharePostgres,
} from "../../../tests/harness/stores/postgres.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await sharePostgres()
})

test("a refusal leaves every row version as it was, a try that is taken does not", async () => {
  const url = await server.createMigratedDatabase()
  const store = await createPostgres({ url, connectionsMax: 4 })
  // An update moves the row, and a lock changes its xmax.
  const versions = () =>
    askPostgres(url, "SELECT bucket, ctid, xmin, xmax FROM sign_in_failures ORDER BY bucket")
  const [home, ada] = [1, 2].map((byte) => new Uint8Array(32).fill(byte))
  if (home === undefined || ada === undefined) throw new Error("two buckets")
  const limits = [
    { bucket: home, triesMax: 5, endsAtMs: 600 },
    { bucket: ada, triesMax: 2, endsAtMs: 600 },
  ]
  await store.signInFailures.take(limits, 0)
  const first = await versions()
  await store.signInFailures.take(limits, 0)
  const second = await versions()
  expect(second).not.toEqual(first)
  for (let i = 3; i <= 20; i += 1) {
    // Another name with every try, as in an attack.
    const more = [...limits, { bucket: new Uint8Array(32).fill(i), triesMax: 2, endsAtMs: 600 }]
    expect(await store.signInFailures.take(more, i)).toEqual({ isTaken: false, untilMs: 600 })
  }
  expect(await versions()).toEqual(second)
  await store.close()
})
