import { expect, test } from "bun:test"
import { runRequestStorm } from "../harness/faults/request-storm.ts"

test("random requests: no 5xx, no hang, no second response, a JSON object under /api", async () => {
  const { statuses, findings, logged } = await runRequestStorm({ requests: 700, seed: 18 })
  expect(findings).toEqual([])
  expect(logged).toBe("")
  for (const status of [200, 400, 401, 403, 404, 405, 413, 505])
    expect(statuses.has(status)).toBe(true)
})
