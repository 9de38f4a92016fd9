/** A try that is refused writes nothing to the file, and expired rows go without one long write. */
import { Database } from "bun:sqlite"
import { afterEach, beforeEach, expect, test } from "bun:test"
import { createSqlite } from "../../../tests/harness/stores/new-stores.ts"
import { createSqlitePaths } from "../../../tests/harness/stores/sqlite-paths.ts"
import type { Store } from "../../domain/store.ts"
import { forgetExpired } from "../../operations/running/forget-expired.ts"

const freshPath = createSqlitePaths()

let store: Store
let onlooker: Database
beforeEach(async () => {
  const path = freshPath()
  store = await createSqlite(path, "serve")
  onlooker = new Database(path)
})
afterEach(async () => {
  onlooker.close()
  await store.close()
})

/** Changes with every commit of another connection. */
const version = () => onlooker.query("PRAGMA data_version").get()

test("a refusal commits nothing, a try that is taken does", async () => {
  const limit = { bucket: new Uint8Array(32), triesMax: 1, endsAtMs: 600 }
  const before = version()
  await store.signInFailures.take([limit], 0)
  const taken = version()
  expect(taken).not.toEqual(before)
  for (let i = 1; i <= 20; i += 1) {
    // Another name with every try, as in an attack.
    const limits = [limit, { ...limit, bucket: new Uint8Array(32).fill(i) }]
    expect(await store.signInFailures.take(limits, i)).toEqual({ isTaken: false, untilMs: 600 })
  }
  expect(version()).toEqual(taken)
})

test("a refusal does not wait for another program's write", async () => {
  const limit = { bucket: new Uint8Array(32), triesMax: 1, endsAtMs: 600 }
  await store.signInFailures.take([limit], 0)
  onlooker.run("BEGIN IMMEDIATE")
  expect(await store.signInFailures.take([limit], 1)).toEqual({ isTaken: false, untilMs: 600 })
  onlooker.run("ROLLBACK")
})

test("30,000 expired rows go in batches of a few hundred, each its own transaction", async () => {
  onlooker.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
     INSERT INTO sign_in_failures SELECT randomblob(32), 1, i FROM n`,
  )
  const removed: number[] = []
  const signInFailures = {
    async forget(nowMs: number, rowsMax: number) {
      const rows = await store.signInFailures.forget(nowMs, rowsMax)
      removed.push(rows)
      return rows
    },
  }
  let pauses = 0
  const pause = async () => {
    pauses += 1
  }
  await forgetExpired({ ...store, signInFailures }, { now: () => new Date(300_000), pause })
  expect(onlooker.query("SELECT count(*) AS rows FROM sign_in_failures").get()).toEqual({ rows: 0 })
  expect({ removed, pauses }).toEqual({
    removed: [...Array.from({ length: 100 }, () => 300), 0],
    pauses: 100,
  })
})
