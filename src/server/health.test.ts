import { expect, test } from "bun:test"
import { createLog } from "../platform/log.ts"
import { openHealth } from "./health.ts"

function openLogged(ping: () => Promise<void>) {
  const lines: string[] = []
  const log = createLog("info", (text) => {
    for (const line of text.trimEnd().split("\n")) lines.push(JSON.parse(line).message)
  })
  const store = { ping, isWritable: () => true, isPolled: false }
  const health = openHealth(store, log, () => {})
  const probe = async () => {
    const response = await health.routes["/readyz"](new Request("http://pazar/readyz"))
    log.flush()
    return response.status
  }
  return { ...health, probe, lines }
}

test("200: concurrent probes share one ping", async () => {
  let pings = 0
  const { probe } = openLogged(() => {
    pings++
    return Bun.sleep(20)
  })
  expect(new Set(await Promise.all(Array.from({ length: 100 }, probe)))).toEqual(new Set([200]))
  expect(pings).toBe(1)
  await probe()
  expect(pings).toBe(2)
})

test("503: a database that never responds is pinged once", async () => {
  let pings = 0
  const { probe } = openLogged(() => {
    pings++
    return new Promise(() => {})
  })
  expect(await Promise.all([probe(), probe()])).toEqual([503, 503])
  expect(pings).toBe(1)
})

test("only changes are logged", async () => {
  const faults = [null, "down", "down", null, null, "down"]
  const { probe, lines } = openLogged(async () => {
    const fault = faults.shift()
    if (fault !== null) throw new Error(fault)
  })
  const statuses: number[] = []
  while (faults.length > 0) statuses.push(await probe())
  expect(statuses).toEqual([200, 503, 503, 200, 200, 503])
  const lost = "not ready: database unavailable"
  expect(lines).toEqual([lost, "ready again", lost])
})

test("503: a drain that starts during a ping", async () => {
  const { probe, drain } = openLogged(() => Bun.sleep(20))
  const probing = probe()
  drain()
  expect(await probing).toBe(503)
})
