/** Everything works behind a pooler that takes no settings with a connection. */
import { expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { openPooler } from "../harness/pooler.ts"
import { addressOf, startPostgres } from "../harness/postgres.ts"
import { startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"

test("a pooler that refuses settings gets none", async () => {
  const server = await startPostgres()
  const database = new URL(await server.createDatabase()).pathname.slice(1)
  const pooler = await openPooler(server.port)
  const program = await startProgram({
    LOG_LEVEL: "silent",
    DATABASE_URL: addressOf(pooler.port, database),
    PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
  })
  const feed = [account("ada"), item("ada", 1), purchase("abc", 1)]
  expect(await program.load(feed, "strict")).toMatchObject({ accepted: 3, rejected: 0 })
  expect((await program.dump()).split("\n")).toHaveLength(4)
  const body = new URLSearchParams({
    api_key: (await program.issue("ada")).secret,
    purchase_code: "abc",
  })
  const answer = await fetch(`${program.url}/api/purchases/validation`, { method: "POST", body })
  expect(answer.status).toBe(200)
  expect(pooler.turnedAway()).toBeGreaterThan(0)
  await program.close()
  pooler.close()
  await server.stop()
})
