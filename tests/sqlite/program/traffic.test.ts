/** A server writes what its threads counted to the store, and two servers add up. */
import { Database } from "bun:sqlite"
import { afterEach, beforeEach, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import { revokeKey } from "../../../src/operations/keys/change-key.ts"
import { account } from "../../contracts/records.ts"
import { openVisitor } from "../../harness/browser/visitor.ts"
import { runPazar, startServer } from "../../harness/command.ts"
import { startProgram, temporaryFolder } from "../../harness/program.ts"

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => rmSync(folder, { recursive: true }))

test("what the threads of two servers counted is in the store when they stop", async () => {
  const path = join(folder, "pazar.db")
  const env = { DATABASE_URL: `sqlite:${path}`, PAZAR_THREADS: "2" }
  await runPazar(folder, ["migrate"], { env })
  const servers = await Promise.all([startServer(folder, env), startServer(folder, env)])
  for (const { url } of servers) {
    // Each on a connection of its own, so that both threads get some. Validations are the last to be refused.
    const init = { method: "POST", headers: { Connection: "close" } }
    const ask = () => fetch(`${url}/api/purchases/validation`, init)
    for (const { status } of await Promise.all(Array.from({ length: 20 }, ask)))
      expect(status).toBe(401)
  }
  await Promise.all(servers.map(({ stop }) => stop()))
  const db = new Database(path, { readonly: true })
  const sums = db.query(
    "SELECT kind, operation, sum(total) AS total FROM traffic WHERE unit = 'day' GROUP BY 1, 2 ORDER BY 1",
  )
  expect(sums.all()).toEqual([
    { kind: "duration", operation: "validate_purchase", total: 40 },
    { kind: "request", operation: "validate_purchase", total: 40 },
  ])
  db.close()
})

test("calls with a revoked key and failed sign-ins are in the store, by key and account", async () => {
  const path = join(folder, "pazar.db")
  const program = await startProgram({ DATABASE_URL: `sqlite:${path}` })
  await program.load([account("ada")])
  const { key, secret } = await program.issue("ada")
  await revokeKey(program.app.keyServices(commandLine), key)
  const headers = { "X-Api-Key": secret }
  expect((await fetch(`${program.url}/api/account/details`, { headers })).status).toBe(401)
  for (const username of ["ada", "nobody"]) {
    await openVisitor(program.url).signIn(username, "a wrong password")
  }
  await program.close()
  const db = new Database(path, { readonly: true })
  expect(db.query("SELECT key_id, outcome, calls FROM key_rejections").all()).toEqual([
    { key_id: key.id, outcome: "revoked_key", calls: 1 },
  ])
  expect(db.query("SELECT outcome, sign_ins FROM sign_in_rejections").all()).toEqual([
    { outcome: "wrong", sign_ins: 1 },
  ])
  db.close()
})
