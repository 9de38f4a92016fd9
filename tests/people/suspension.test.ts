import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import { tokens } from "../../src/access/token.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { inLocale, t } from "../../src/platform/t.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { samplePassword, startQuietWorkspace } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, openVisitor } from "../harness/browser/visitor.ts"
import { inviteOwner } from "../harness/invite-owner.ts"
import type { Program } from "../harness/program.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"

let program: Program
let elif: number
beforeAll(async () => {
  program = await startQuietWorkspace({ PAZAR_SUPPORT_URL: "https://help.example.com/" })
  elif = (await requireAccount(program.app.store.accounts, "elif")).id
})
afterAll(() => program.close())
beforeEach(async () => {
  await suspend(false)
  await queryStore(program, "DELETE FROM sign_in_failures")
})

const suspend = (isSuspended = true) =>
  program.app.store.accounts.setSuspended(elif, isSuspended, new Date())

test("303: a session ends immediately, and stays ended after the account is resumed", async () => {
  const visitor = await openSignedIn(program.url, "elif")
  expect((await visitor.get("/workspace/elif")).status).toBe(200)
  await suspend()
  const { status, location } = await visitor.get("/workspace/elif")
  expect([status, location]).toEqual([303, "/login?next=%2Fworkspace%2Felif"])
  await suspend(false)
  expect((await visitor.get("/workspace/elif")).status).toBe(303)
})

test.each(["en", "tr"] as const)(
  "403: the suspension is shown only with the right password (%s)",
  async (lang) => {
    const tryAs = async (name: string, password: string) => {
      const visitor = openVisitor(program.url, { "Accept-Language": lang })
      const { status, text } = await visitor.signIn(name, password)
      // The page repeats the name, and its form has a token of its own.
      return { status, text: text.replace(/value="[^"]*"/g, "") }
    }
    const unknown = await tryAs("nobody", "not the password")
    await suspend()
    expect(await tryAs("elif", "not the password")).toEqual(unknown)
    const refused = await tryAs("elif", samplePassword)
    expect(refused.status).toBe(403)
    expect(unescapeHtml(refused.text)).toContain(
      `<h1>${inLocale(lang, () => t("Account suspended"))}</h1>`,
    )
    expect(refused.text).toContain("https://help.example.com/")
    await suspend(false)
    expect((await tryAs("elif", samplePassword)).status).toBe(303)
  },
)

test("403: the right password is not counted as an attempt", async () => {
  await suspend()
  const visitor = openVisitor(program.url)
  for (let round = 0; round < 12; round++) expect((await visitor.signIn("elif")).status).toBe(403)
})

test("403: an invitation sets no password while the account is suspended, and works afterwards", async () => {
  const { store, now } = program.app
  const account = await requireAccount(store.accounts, "elif")
  const { token } = await inviteOwner({ ...store, tokens, now }, account)
  const path = `/invite/${token}`
  const visitor = openVisitor(program.url)
  const chosen = { password: "chosen by the invited", repeat: "chosen by the invited" }
  const form_token = await visitor.formToken(path)
  await suspend()
  expect((await visitor.get(path)).status).toBe(403)
  expect((await visitor.post(path, { ...chosen, form_token })).status).toBe(403)
  await suspend(false)
  expect((await openVisitor(program.url).signIn("elif")).status).toBe(303)
  expect((await visitor.submit(path, chosen, path)).status).toBe(303)
})
