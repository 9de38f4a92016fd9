import { afterAll, beforeAll, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { commandLine } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { renameKey, revokeKey, rotateKey } from "../../src/keys/key-operations.ts"
import type { Environment } from "../../src/platform/cli/command.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { rotateSigningKey } from "../../src/signing/signing-key-operations.ts"
import { givePassword, samplePassword } from "../harness/browser/sample-workspace.ts"
import { keyIdOn, openVisitor } from "../harness/browser/visitor.ts"
import { type Program, startProgram, temporaryFolder } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { spawnPazar } from "../harness/run-pazar.ts"
import { type PostgresServer, sharePostgres } from "../harness/stores/postgres-server.ts"
import { until, workMsMax } from "../harness/until.ts"

let server: PostgresServer
let env: Environment
let one: Program
let two: Program
beforeAll(async () => {
  server = await sharePostgres()
  env = {
    LOG_LEVEL: "silent",
    DATABASE_URL: await server.createMigratedDatabase(),
    PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
  }
  one = await startProgram(env)
  two = await startProgram(env)
  await one.load([account("ada"), item("ada", 1), purchase("abc", 1)])
})
afterAll(async () => {
  await one.close()
  await two.close()
})

async function validate(url: string, secret: string, code = "abc") {
  const body = new URLSearchParams({ api_key: secret, purchase_code: code })
  const response = await fetch(`${url}/api/purchases/validation`, { method: "POST", body })
  await response.text()
  return response.headers.get("pazar-reason")
}

test("a key revoked, rotated or deleted on one node is rejected by the other within a second", async () => {
  const [revoked, replaced, active] = [
    await one.issue("ada"),
    await one.issue("ada"),
    await one.issue("ada"),
  ]
  await one.load([account("bob")])
  const deleted = await one.issue("bob")
  for (const { secret } of [revoked, replaced, active]) {
    expect(await validate(two.url, secret)).toBe("ok")
  }
  expect(await validate(two.url, deleted.secret)).toBe("unknown_code")
  const services = one.app.keyServices(commandLine)
  await revokeKey(services, revoked.key)
  await rotateKey(services, replaced.key, "0")
  await renameKey(services, active.key, "Kept")
  await one.load([{ type: "account", username: "bob", deleted: true }])
  for (const { secret } of [revoked, replaced, deleted]) {
    await until(async () =>
      /_key$/.test((await validate(two.url, secret)) ?? "") ? true : undefined,
    )
  }
  expect(await validate(two.url, revoked.secret)).toBe("revoked_key")
  expect(await validate(two.url, replaced.secret)).toBe("expired_key")
  expect(await validate(two.url, deleted.secret)).toBe("unknown_key")
  expect(await validate(two.url, active.secret)).toBe("ok")
})

test("an account suspended or resumed on one node is so on the other within a second", async () => {
  const { secret } = await one.issue("ada")
  const untilStatus = (reason: string) =>
    until(async () => ((await validate(two.url, secret)) === reason ? true : undefined))
  await untilStatus("ok")
  const { id } = await requireAccount(one.app.store.accounts, "ada")
  await one.app.store.accounts.setSuspended(id, true, new Date())
  await untilStatus("account_suspended")
  await one.app.store.accounts.setSuspended(id, false, new Date())
  await untilStatus("ok")
  await one.load([account("ada", { suspended: true })])
  await untilStatus("account_suspended")
  await one.load([account("ada", { suspended: false })])
  await untilStatus("ok")
})

test("a rotation of the signing keys on one node is applied by the other", async () => {
  const readIds = async ({ url }: Program) =>
    [
      ...(await (await fetch(`${url}/.well-known/pazar-keys.json`)).text()).matchAll(
        /"kid":"[^"]+"/g,
      ),
    ]
      .flat()
      .join()
  expect(await readIds(one)).toBe(await readIds(two))
  const before = await readIds(two)
  await rotateSigningKey(one.app.signingKeyServices(commandLine))
  await until(async () => ((await readIds(two)) === before ? undefined : true))
  await until(async () => ((await readIds(one)) === (await readIds(two)) ? true : undefined))
})

test("a created key and a form that waits for the password are the same on both nodes", async () => {
  await givePassword(one, "ada")
  const [here, there] = [openVisitor(one.url), openVisitor(two.url)]
  await here.signIn("ada")
  for (const [name, value] of here.cookies) there.cookies.set(name, value)
  const keysPath = "/workspace/ada/settings/keys"

  const created = await here.submit(`${keysPath}/new`, {
    form_id: "made-on-the-first-node",
    kind: "sk",
    name: "First",
  })
  const [secret = ""] = /pzr_sk_\w{36}/.exec(created.text) ?? []
  const path = `${keysPath}/${keyIdOn(created.text)}`
  expect(await validate(two.url, secret)).toBe("ok")

  const ada = await one.app.store.people.findByName("ada")
  const [session] = await one.app.store.sessions.list(ada?.id ?? 0)
  await one.app.store.sessions.confirm(session?.id ?? "", "2026-01-01T00:00:00Z")
  const confirmation = await here.submit(`${path}/revoke`)
  expect(confirmation.status).toBe(422)
  const revoked = await there.submit(`${path}/revoke`, { password: samplePassword })
  expect(revoked.location).toBe(`${keysPath}?done=revoke`)
  expect((await here.get(path)).text).toContain("<dt>Revoked</dt>")
})

test("the counts of both nodes are added up", async () => {
  const { secret, key } = await one.issue("ada")
  await Promise.all(
    Array.from({ length: 100 }, (_, index) => validate((index % 2 ? one : two).url, secret)),
  )
  const calls = async () => {
    const usage = await one.app.store.usage.findByKey(key.id, formatTimestamp(new Date()))
    return usage?.days.at(-1) ?? 0
  }
  await until(async () => ((await calls()) >= 100 ? true : undefined))
  expect(await calls()).toBe(100)
})

test("a killed node loses nothing: the other one responds, and the node can be restarted", async () => {
  const { secret } = await one.issue("ada")
  const folder = temporaryFolder()
  for (let round = 0; round < 2; round++) {
    const running = await spawnPazar(folder, ["serve"], { ...env, PORT: "0" })
    const url = await until(() => /listening on (\S+)/.exec(running.stdout())?.[1], workMsMax)
    expect(await validate(url, secret)).toBe("ok")
    process.kill(-(running.child.pid ?? 0), "SIGKILL")
    await running.ended
    expect(await validate(one.url, secret)).toBe("ok")
  }
  rmSync(folder, { recursive: true })
})
