import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { tokens } from "../../src/access/token.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import type { StoredKey } from "../../src/keys/key.ts"
import { confirmationSeconds } from "../../src/people/session.ts"
import { secondsBefore } from "../../src/platform/time.ts"
import { samplePassword, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import {
  type Fields,
  openSignedIn,
  openVisitor,
  type PageResponse,
  type Visitor,
} from "../harness/browser/visitor.ts"
import { inviteOwner } from "../harness/invite-owner.ts"
import type { Program } from "../harness/program.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"

const keysPath = "/workspace/elif/settings/keys"

let program: Program
let elif: Visitor
let key: StoredKey
let secret: string

beforeAll(async () => {
  program = await startSampleWorkspace({ LOG_LEVEL: "debug" })
})
afterAll(() => program.close())
beforeEach(async () => {
  elif = await openSignedIn(program.url, "elif")
  const issued = await program.issue("elif")
  key = issued.key
  secret = issued.secret
})

const reveal = (visitor: Visitor, fields: Fields = {}): Promise<PageResponse> =>
  visitor.submit(`${keysPath}/${key.id}/reveal`, fields)

const confirm = (visitor: Visitor, password: string) => reveal(visitor, { password })
const letTimePass = (seconds: number) =>
  queryStore(program, "UPDATE sessions SET confirmed_at = ?", secondsBefore(new Date(), seconds))
async function traces(): Promise<readonly string[]> {
  const events = await program.app.store.audit.list(
    { accountId: key.accountId, kind: "key" },
    null,
    1_000,
  )
  return events.filter(({ subjectId }) => subjectId === key.id).map(({ action }) => action)
}

describe("reveal", () => {
  test("200: a key is shown after a recent sign-in, and Activity records it", async () => {
    const { status, text } = await reveal(elif)
    expect([status, text.includes(secret)]).toEqual([200, true])
    expect(await traces()).toEqual(["revealed", "created"])
    const activity = await elif.get("/workspace/elif/settings")
    const [, newest = ""] = /<tbody>(.*?)<\/tr>/s.exec(activity.text) ?? []
    expect(newest).toContain(key.id)
    expect(newest).toContain(`…${secret.slice(-4)}`)
    expect(newest).toContain("127.0.0.0/24")
  })

  test("422: the password is required if it was entered too long ago", async () => {
    await letTimePass(confirmationSeconds + 1)
    const confirmation = await reveal(elif)
    expect(confirmation.status).toBe(422)
    expect(confirmation.text).toContain('type="password"')
    expect(confirmation.text).not.toContain(secret)
    expect(await traces()).toEqual(["created"])
  })

  test("422: a wrong password shows nothing", async () => {
    await letTimePass(confirmationSeconds + 1)
    const rejected = await confirm(elif, "not this one")
    expect([rejected.status, rejected.text.includes(secret)]).toEqual([422, false])
    expect(await traces()).toEqual(["created"])
  })

  test("200: the right password shows it, for a while; the same form later requires it again", async () => {
    await letTimePass(confirmationSeconds + 1)
    expect((await confirm(elif, samplePassword)).text).toContain(secret)
    expect((await reveal(elif)).text).toContain(secret)
    await letTimePass(confirmationSeconds + 1)
    expect((await reveal(elif)).text).not.toContain(secret)
    expect(await traces()).toEqual(["revealed", "created"])
  })

  test("200: a password confirmed in another browser does not count here", async () => {
    await letTimePass(confirmationSeconds + 1)
    const other = await openSignedIn(program.url, "elif")
    expect((await reveal(elif)).text).not.toContain(secret)
    expect((await reveal(other)).text).toContain(secret)
  })

  test("503: nothing is shown if it cannot be recorded", async () => {
    await queryStore(program, "ALTER TABLE audit_events RENAME TO gone")
    const { status, text } = await reveal(elif)
    await queryStore(program, "ALTER TABLE gone RENAME TO audit_events")
    expect([status, text.includes(secret)]).toEqual([503, false])
  })

  const ended: readonly [string, string][] = [
    ["revoked", "UPDATE api_keys SET revoked_at = '2026-01-01T00:00:00Z' WHERE id = ?"],
    ["expired", "UPDATE api_keys SET expires_at = '2026-01-01T00:00:00Z' WHERE id = ?"],
  ]
  test.each(ended)(
    "303: a key that is %s stays hidden, and nothing is recorded",
    async (_, sql) => {
      await queryStore(program, sql, key.id)
      const { status, location, text } = await elif.submit(`${keysPath}/${key.id}/reveal`)
      expect([status, location, text]).toEqual([303, `${keysPath}/${key.id}`, ""])
      expect(await traces()).toEqual(["created"])
      expect((await elif.get(`${keysPath}/${key.id}`)).text).not.toContain("/reveal")
    },
  )

  test("200: only the response has the secret: no page shows it afterwards", async () => {
    const page = `${keysPath}/${key.id}`
    const { status, text } = await elif.submit(`${page}/reveal`)
    expect([status, text.includes(secret)]).toEqual([200, true])
    for (const path of [page, keysPath, `${page}?lang=tr`]) {
      expect((await elif.get(path)).text).not.toContain(secret)
    }
  })

  test("303: a URL shows nothing: revealing requires a form", async () => {
    const { location } = await elif.get(`${keysPath}/${key.id}/reveal`)
    expect((await elif.get(location ?? "")).text).not.toContain(secret)
  })

  test("no other page contains the secret", async () => {
    const paths = [keysPath, `${keysPath}/${key.id}`, "/workspace/elif/settings", "/workspace"]
    const pages = await Promise.all(paths.map((path) => elif.get(path)))
    expect(pages.filter(({ text }) => text.includes(secret))).toEqual([])
  })
})

test("no secret is in the log or in an error page", async () => {
  const visitor = openVisitor(program.url)
  const { token: invitation } = await inviteOwner(
    { ...program.app.store, tokens, now: program.app.now },
    await requireAccount(program.app.store.accounts, "elif"),
  )
  const wrongPassword = "a wrong one, but nearly right"
  await visitor.signIn("elif", wrongPassword)
  await visitor.signIn("elif")
  const form_token = await visitor.formToken()
  const session = visitor.cookies.get("pazar") ?? ""
  const secrets = [samplePassword, wrongPassword, form_token, session, secret, invitation]
  const query = new URLSearchParams(secrets.map((each, at): [string, string] => [`s${at}`, each]))
  const everything = { ...Object.fromEntries(query), password: samplePassword }
  const failures = [
    await visitor.get(`/nowhere/${secret}?${query}`, { Authorization: `Bearer ${secret}` }),
    await visitor.post(`/invite/${invitation}`, everything),
    await visitor.post(`/login?${query}`, { ...everything, form_token: "wrong" }),
    await visitor.post("/login", { ...everything, form_token, padding: "x".repeat(70_000) }),
    await visitor.sendRequest(`/login?${query}`, { method: "DELETE" }),
  ]
  await queryStore(
    program,
    "UPDATE api_keys SET encrypted = ? WHERE id = ?",
    new Uint8Array(64),
    key.id,
  )
  failures.push(await reveal(visitor, everything))
  await queryStore(program, "ALTER TABLE members RENAME TO gone")
  failures.push(await visitor.get(`/workspace/elif?${query}`))
  await queryStore(program, "ALTER TABLE gone RENAME TO members")
  expect(failures.map(({ status }) => status)).toEqual([404, 403, 403, 413, 405, 500, 503])
  // The forms of the layout contain this browser's own token, as on every page.
  const pages = failures.map(({ text }) => text.replaceAll(`value="${form_token}"`, ""))
  const output = [program.logged(), ...pages].join("\n")
  expect(program.logged()).toContain('"level":"error"')
  expect(secrets.filter((each) => output.includes(each))).toEqual([])
})
