import { afterAll, beforeAll, expect, spyOn, test } from "bun:test"
import { tokens } from "../../src/access/token.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { inLocale, t } from "../../src/platform/t.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import {
  openSignedIn,
  openVisitor,
  type PageResponse,
  type Visitor,
} from "../harness/browser/visitor.ts"
import { inviteOwner } from "../harness/invite-owner.ts"
import type { Program } from "../harness/program.ts"
import { queryStore, storeState } from "../harness/stores/stored-rows.ts"
import { addOperator } from "../harness/test-operators.ts"

const password = "chosen by the invited"

let program: Program
beforeAll(async () => {
  program = await startSampleWorkspace({ LOG_LEVEL: "debug" })
})
afterAll(() => program.close())

async function invite(username = "marcus"): Promise<string> {
  const account = await requireAccount(program.app.store.accounts, username)
  const services = { ...program.app.store, tokens, now: program.app.now }
  return (await inviteOwner(services, account)).token
}

const accept = (visitor: Visitor, token: string, fields = { password, repeat: password }) =>
  visitor.submit(`/invite/${token}`, fields, `/invite/${token}`)

const bare = ({ status, text }: PageResponse) => ({ status, text })

test("303: the new password signs in, and the link is used up", async () => {
  const token = await invite()
  const visitor = openVisitor(program.url)
  const { status, location } = await accept(visitor, token)
  expect([status, location]).toEqual([303, "/workspace?done=welcome"])
  expect((await visitor.get("/workspace/marcus")).text).toContain("Marcus Lind")
  expect((await openVisitor(program.url).signIn("marcus", password)).status).toBe(303)
  expect((await openVisitor(program.url).get(`/invite/${token}`)).status).toBe(404)
})

test("404: a used link changes nothing, even in a form that was opened before", async () => {
  const token = await invite()
  const late = openVisitor(program.url)
  const form_token = await late.formToken(`/invite/${token}`)
  await accept(openVisitor(program.url), token)
  const before = await storeState(program)
  const other = "somebody else's choice"
  const sent = await late.post(`/invite/${token}`, { form_token, password: other, repeat: other })
  expect(sent.status).toBe(404)
  expect(await storeState(program)).toEqual(before)
})

test("404: one of two concurrent uses of a link fails", async () => {
  const token = await invite()
  const path = `/invite/${token}`
  const visitors = [openVisitor(program.url), openVisitor(program.url)]
  const forms = await Promise.all(visitors.map((visitor) => visitor.formToken(path)))
  const form = { password, repeat: password }
  const sent = await Promise.all(
    visitors.map((each, at) => each.post(path, { ...form, form_token: forms[at] ?? "" })),
  )
  expect(sent.map(({ status }) => status).toSorted()).toEqual([303, 404])
})

test.each<[whose: string, open: () => Promise<string>]>([
  ["an author's", async () => `/invite/${await invite()}`],
  ["an operator's", () => addOperator(program, "deniz", null)],
])(
  "503: concurrent hashing for %s link is limited, so that it cannot block others",
  async (_, open) => {
    const path = await open()
    const visitors = Array.from({ length: 12 }, () => openVisitor(program.url))
    const forms = await Promise.all(visitors.map((visitor) => visitor.formToken(path)))
    const { hash } = Bun.password
    const end = Promise.withResolvers<void>()
    using hashing = spyOn(Bun.password, "hash").mockImplementation(async (...args) => {
      await end.promise
      return hash(...args)
    })
    let rejected = 0
    const sent = visitors.map(async (visitor, at) => {
      const form = { form_token: forms[at] ?? "", password, repeat: password }
      const { status, headers } = await visitor.post(path, form)
      if (status === 503) rejected += 1
      if (rejected === 8) end.resolve()
      return [status, headers.has("retry-after")]
    })
    const responses = await Promise.all(sent)
    const busy = Array.from({ length: 8 }, () => [503, true])
    const late = Array.from({ length: 3 }, () => [404, false])
    expect(responses.toSorted()).toEqual([[303, false], ...late, ...busy])
    expect(hashing.mock.calls.length).toBe(4)
    expect(program.logged()).not.toContain("SignInRejected")
  },
)

test("404: using one link invalidates the account's others", async () => {
  const [first, second] = [await invite(), await invite()]
  await accept(openVisitor(program.url), first)
  expect((await openVisitor(program.url).get(`/invite/${second}`)).status).toBe(404)
})

test("404: expired, modified, and invented links get the same page", async () => {
  const visitor = openVisitor(program.url)
  const invented = bare(await visitor.get("/invite/none"))
  expect(invented.status).toBe(404)
  const token = await invite()
  const swapped = token.startsWith("A") ? `B${token.slice(1)}` : `A${token.slice(1)}`
  const changed = [swapped, `${token}x`, token.slice(0, -1), token.toUpperCase(), `${token}%00`]
  for (const each of changed) expect(bare(await visitor.get(`/invite/${each}`))).toEqual(invented)
  expect((await visitor.get(`/invite/${token}`)).status).toBe(200)
  await queryStore(program, "UPDATE invitations SET expires_at = '2020-01-01T00:00:00Z'")
  expect(bare(await visitor.get(`/invite/${token}`))).toEqual(invented)
  const form_token = await visitor.formToken("/login")
  const sent = await visitor.post(`/invite/${token}`, { form_token, password, repeat: password })
  expect(bare(sent)).toEqual(invented)
})

test("422: a rejected password leaves the link valid", async () => {
  const token = await invite()
  const before = await storeState(program)
  const visitor = openVisitor(program.url)
  const poor = ["short", "x".repeat(257), ""].map((each) => ({ password: each, repeat: each }))
  const statuses: number[] = []
  for (const fields of [...poor, { password, repeat: `${password}!` }]) {
    statuses.push((await accept(visitor, token, fields)).status)
  }
  expect(statuses).toEqual([422, 422, 422, 422])
  expect(await storeState(program)).toEqual(before)
  expect((await accept(visitor, token)).status).toBe(303)
})

test.each(["en", "tr"] as const)(
  "422: a common password, or one's own name, is rejected with an explanation (%s)",
  async (lang) => {
    const token = await invite()
    const visitor = openVisitor(program.url, { "Accept-Language": lang })
    const choose = async (chosen: string) => {
      const { status, text } = await accept(visitor, token, { password: chosen, repeat: chosen })
      return [status, /<p class="error"[^>]*>(.*?)<\/p>/.exec(unescapeHtml(text))?.[1]]
    }
    expect(await choose("Password1234")).toEqual([
      422,
      inLocale(lang, () => t("This password is easy to guess. Use a few unrelated words instead.")),
    ])
    expect(await choose("marcus@example.com")).toEqual([
      422,
      inLocale(lang, () =>
        t("Your name and e-mail address are easy to guess. Use a few unrelated words instead."),
      ),
    ])
    expect((await accept(visitor, token)).status).toBe(303)
  },
)

test("303: an earlier session of this browser ends", async () => {
  const visitor = await openSignedIn(program.url, "elif")
  const before = openVisitor(program.url)
  before.cookies.set("pazar", visitor.cookies.get("pazar") ?? "")
  await accept(visitor, await invite())
  expect((await visitor.get("/workspace/marcus")).text).toContain("Marcus Lind")
  expect((await before.get("/workspace/marcus")).status).toBe(303)
})

test("the token is neither in the database nor in the log", async () => {
  const token = await invite()
  const visitor = openVisitor(program.url)
  await visitor.get(`/invite/${token}`)
  await visitor.get(`/invite/${token}/x`)
  await visitor.post(`/invite/${token}`, {})
  const sql = "SELECT * FROM invitations"
  const rows = await queryStore<{ token_digest: Uint8Array }>(program, sql)
  const digests = rows.map(({ token_digest }) => Buffer.from(token_digest).toString("base64url"))
  expect(digests).not.toContain(token)
  expect(digests).toContain(Buffer.from(tokens.digest(token)).toString("base64url"))
  await accept(visitor, token)
  const log = program.logged()
  expect(log).toContain('"route":"page"')
  expect(log).not.toContain(token)
  expect(log).not.toContain("/invite/")
})
