/** What a client sees when the database is in trouble: "cannot say", soon, and never "no". */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { Client } from "pg"
import { until } from "../harness/command.ts"
import { type PostgresServer, startPostgres } from "../harness/postgres.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"

let server: PostgresServer
let url: string
let program: Program
let key: string
beforeAll(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
  program = await startProgram({
    LOG_LEVEL: "silent",
    PAZAR_OPERATOR_TOKEN: "token",
    DATABASE_URL: url,
    PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
  })
  await program.load([account("ada"), item("ada", 1), purchase("abc", 1)])
  key = (await program.issue("ada")).secret
})
afterAll(async () => {
  await program.close()
  await server.stop()
})

async function validate(): Promise<Readonly<{ status: number; seconds: number }>> {
  const startedAt = performance.now()
  const body = new URLSearchParams({ api_key: key, purchase_code: "abc" })
  const response = await fetch(`${program.url}/api/purchases/validation`, { method: "POST", body })
  await response.text()
  return { status: response.status, seconds: (performance.now() - startedAt) / 1000 }
}

const validateMany = (count: number) => Promise.all(Array.from({ length: count }, validate))

/** Asks until it is answered with 200; how long that took. */
async function secondsUntilGood(): Promise<number> {
  const startedAt = performance.now()
  while ((await validate()).status !== 200) await Bun.sleep(50)
  return (performance.now() - startedAt) / 1000
}

test("frozen: every request is answered within 2.5 s with 503; thawed, with 200 again", async () => {
  expect((await validate()).status).toBe(200)
  server.signal("SIGSTOP")
  const answers = await validateMany(50)
  server.signal("SIGCONT")
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
  expect(Math.max(...answers.map(({ seconds }) => seconds))).toBeLessThan(2.5)
  expect(await secondsUntilGood()).toBeLessThan(3)
})

test("frozen: /readyz says no within 2.5 s, /healthz does not care; thawed, ready again", async () => {
  const probe = (path: string) => fetch(`${program.url}${path}`)
  expect((await probe("/readyz")).status).toBe(200)
  server.signal("SIGSTOP")
  const startedAt = performance.now()
  const [ready, healthy] = await Promise.all([probe("/readyz"), probe("/healthz")])
  const seconds = (performance.now() - startedAt) / 1000
  server.signal("SIGCONT")
  expect([ready.status, healthy.status]).toEqual([503, 200])
  expect(await ready.json()).toEqual({ status: "unavailable" })
  expect(seconds).toBeLessThan(2.5)
  await until(async () => ((await probe("/readyz")).status === 200 ? true : undefined), 3_000)
})

test("killed under load: 200 or 503, nothing else; started again, 200 within 3 s", async () => {
  const load = (async () => {
    const seen = new Set<number>()
    for (let round = 0; round < 20; round++) {
      for (const { status } of await validateMany(20)) seen.add(status)
    }
    return seen
  })()
  await Bun.sleep(30)
  server.signal("SIGKILL")
  const seen = await load
  expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect((await validate()).status).toBe(503)
  await server.startAgain()
  expect(await secondsUntilGood()).toBeLessThan(3)
})

test("disk full: a feed is taken as far as it went, reads go on; with room again it is completed", async () => {
  const description = () => randomBytes(30_000).toString("base64")
  const lines = Array.from({ length: 800 }, (_, index) =>
    item("ada", 100 + index, { description: description() }),
  )
  const push = () =>
    fetch(`${program.url}/operator/feed`, {
      method: "POST",
      headers: { Authorization: "Bearer token" },
      body: toFeed(lines),
    })
  const listed = async () => {
    const response = await fetch(`${program.url}/api/items/all?api_key=${key}`)
    const { items }: { items: { id: number }[] } = JSON.parse(await response.text())
    return items.map(({ id }) => id).filter((id) => id >= 100)
  }
  // As long as a piece of the write-ahead log, which must go on; the items need more.
  server.limitFiles(16 * 1024 ** 2)
  expect((await push()).status).toBe(503)
  expect((await validate()).status).toBe(200)
  const kept = await listed()
  expect(kept.length).toBeLessThan(lines.length)
  expect(kept).toEqual(Array.from(kept, (_, index) => 99 + kept.length - index))
  server.limitFiles("unlimited")
  expect((await push()).status).toBe(200)
  expect((await listed()).length).toBe(lines.length)
})

test("a connection that breaks between two batches ends that import and nothing else", async () => {
  const writer = await program.app.store.feed.openWhole("test")
  await writer.put([], 1)
  const killer = new Client(url)
  await killer.connect()
  await killer.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'",
  )
  await killer.end()
  await Bun.sleep(100)
  await expect(writer.put([], 2)).rejects.toThrow()
  await writer.discard()
  expect((await validate()).status).toBe(200)
})
