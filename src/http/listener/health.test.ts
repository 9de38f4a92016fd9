import { expect, test } from "bun:test"
import { createLog } from "../../log/log.ts"
import { openHealth } from "./health.ts"

function openLogged(ask: () => Promise<void>) {
  const lines: string[] = []
  const log = createLog("info", (text) => {
    for (const line of text.trimEnd().split("\n")) lines.push(JSON.parse(line).message)
  })
  const store = { ping: ask, isWritable: () => true, isPolled: false }
  const health = openHealth(store, log, () => {})
  const probe = async () => {
    const response = await health.routes["/readyz"](new Request("http://pazar/readyz"))
    log.flush()
    return response.status
  }
  return { ...health, ask: probe, lines }
}

test("any number of probes at once are one question to the store", async () => {
  let questions = 0
  const { ask } = openLogged(() => {
    questions++
    return Bun.sleep(20)
  })
  expect(new Set(await Promise.all(Array.from({ length: 100 }, ask)))).toEqual(new Set([200]))
  expect(questions).toBe(1)
  await ask()
  expect(questions).toBe(2)
})

test("a store that never answers is asked once, and probes are still answered", async () => {
  let questions = 0
  const { ask } = openLogged(() => {
    questions++
    return new Promise(() => {})
  })
  expect(await Promise.all([ask(), ask()])).toEqual([503, 503])
  expect(questions).toBe(1)
})

test("the log tells of changes, not of probes", async () => {
  const answers = [null, "down", "down", null, null, "down"]
  const { ask, lines } = openLogged(async () => {
    const fault = answers.shift()
    if (fault !== null) throw new Error(fault)
  })
  const statuses: number[] = []
  while (answers.length > 0) statuses.push(await ask())
  expect(statuses).toEqual([200, 503, 503, 200, 200, 503])
  const lost = "not ready: database unavailable"
  expect(lines).toEqual([lost, "ready again", lost])
})

test("a drain that begins while the store is being asked is heard", async () => {
  const { ask, drain } = openLogged(() => Bun.sleep(20))
  const asked = ask()
  drain()
  expect(await asked).toBe(503)
})
