import { expect, test } from "bun:test"
import { killServers } from "../harness/faults/server-kills.ts"
import { tearLogs } from "../harness/faults/torn-logs.ts"
import { storeKinds } from "../harness/stores/test-stores.ts"

/** `npm run soak -- server` does the same two hundred times, on both databases. */
test("kill -9 during pushes and key changes: no acknowledged change is lost", async () => {
  const [kind] = storeKinds
  const { sales, keyChanges, problems } = await killServers({
    kind,
    kills: 1,
    seed: 1,
    onKill: () => {},
  })
  expect(problems).toEqual([])
  expect([sales > 0, keyChanges > 0]).toEqual([true, true])
})

test("a torn write-ahead log keeps all acknowledged sales, and all or nothing of a push", async () => {
  const { cut, problems } = await tearLogs(10, 1, () => {})
  expect(problems).toEqual([])
  expect(cut).toBeGreaterThan(0)
})
