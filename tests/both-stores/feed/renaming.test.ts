import { afterEach, beforeEach, expect, test } from "bun:test"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import { requireAccount } from "../../../src/operations/catalog/account-operations.ts"
import { revealKey } from "../../../src/operations/keys/key-operations.ts"
import { account, item, purchase, toFeed } from "../../contracts/records.ts"
import { givePassword } from "../../harness/browser/sample-workspace.ts"
import { openVisitor } from "../../harness/browser/visitor.ts"
import { type Program, startProgram } from "../../harness/program.ts"

const token = "operator-token-of-the-renaming-test"
let program: Program
beforeEach(async () => {
  program = await startProgram({ LOG_LEVEL: "silent", PAZAR_OPERATOR_TOKEN: token })
  await program.load([account("ada"), account("bob"), item("ada", 1), item("ada", 2)])
  await program.load([purchase("code-1", 1), purchase("code-2", 2)])
})
afterEach(() => program.close())

async function sendRequest(method: "GET" | "POST", path: string, key: string): Promise<string> {
  const headers = { "X-Api-Key": key }
  const response = await fetch(`${program.url}/api/${path}`, { method, headers })
  const [, found = ""] = /"(?:username|purchase_code)":"([^"]+)"/.exec(await response.text()) ?? []
  return `${response.status} ${response.headers.get("Pazar-Reason")} ${found}`.trim()
}
const readUsername = (key: string) => sendRequest("GET", "account/details", key)
const validate = (code: string, key: string) =>
  sendRequest("POST", `purchases/validation?purchase_code=${code}`, key)
const push = async (...lines: Parameters<typeof toFeed>[0][number][]) => {
  const headers = { Authorization: `Bearer ${token}` }
  const init = { method: "POST", headers, body: toFeed(lines) }
  return (await fetch(`${program.url}/operator/feed`, init)).status
}

test("a refund that is pushed as a patch takes effect immediately", async () => {
  const { secret } = await program.issue("ada")
  expect(await validate("code-1", secret)).toBe("200 ok code-1")
  const refund = { type: "purchase", purchase_code: "code-1", patch: true, revoked: true }
  expect(await push(refund)).toBe(200)
  expect(await validate("code-1", secret)).toBe("404 revoked_code")
})

test("a renamed author's keys, password and session stay valid, under the new name", async () => {
  const { app } = program
  const { secret, key } = await program.issue("ada")
  await givePassword(program, "ada")
  const author = openVisitor(program.url)
  await author.signIn("ada")
  expect(await readUsername(secret)).toBe("200 ok ada")
  const renaming = account("Eve", { was: "ada" })
  expect([await push(renaming), await push(renaming)]).toEqual([200, 200])
  expect(await readUsername(secret)).toBe("200 ok Eve")
  expect(await validate("code-1", secret)).toBe("200 ok code-1")
  const stored = await app.store.keys.find(key.id)
  const shown = stored && (await revealKey(app.keyServices(commandLine), stored))
  expect(shown).toBe(secret)
  expect((await author.get("/workspace")).status).toBe(200)
  expect((await openVisitor(program.url).signIn("Eve")).status).toBe(303)
  expect(await program.dump()).not.toContain('"ada"')
  await program.issue("Eve")
  await expect(requireAccount(app.store.accounts, "ada")).rejects.toThrow()
})

test("a moved item's codes are valid for the new author's keys only", async () => {
  const [adas, bobs] = [await program.issue("ada"), await program.issue("bob")]
  const shipped = await program.issue("ada", "vk", [1])
  const secrets = [adas.secret, shipped.secret, bobs.secret]
  const responses = () => Promise.all(secrets.map((secret) => validate("code-1", secret)))
  expect(await responses()).toEqual(["200 ok code-1", "200 ok code-1", "404 unknown_code"])
  expect(await push(item("bob", 1, { was_author: "ada" }))).toBe(200)
  expect(await responses()).toEqual(["404 unknown_code", "404 unknown_code", "200 ok code-1"])
  expect(await validate("code-2", adas.secret)).toBe("200 ok code-2")
  expect(await program.dump()).not.toContain("was_author")
})
