/** What a client sees when the database is in trouble: "cannot say", soon, and never "no". */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { type PostgresServer, startPostgres } from "../harness/postgres.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"

let server: PostgresServer
let program: Program
let key: string
beforeAll(async () => {
  server = await startPostgres()
  program = await startProgram({
    LOG_LEVEL: "silent",
    DATABASE_URL: await server.createDatabase(),
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
