import { expect, test } from "bun:test"
import { killSenders } from "../harness/faults/webhook-kills.ts"
import { storeKinds } from "../harness/stores/test-stores.ts"

const [embedded, postgres] = storeKinds

/** `npm run soak -- webhooks` does the same two hundred times. */
test("kill -9 of sender and feed: exactly the stored sales are delivered", async () => {
  const kind = process.env.PAZAR_TEST_STORE === "postgres" ? postgres : embedded
  const { sales, problems } = await killSenders({ kind, kills: 2, seed: 1, onKill: () => {} })
  expect(problems).toEqual([])
  expect(sales).toBeGreaterThan(0)
})
