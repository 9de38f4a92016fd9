import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startSampleWorkspace } from "../../harness/browser/sample-workspace.ts"
import {
  openVisitor,
  type PageResponse,
  type Visitor,
  withoutFormTokens,
} from "../../harness/browser/visitor.ts"
import type { Program } from "../../harness/program.ts"
import { queryStore } from "../../harness/stores/stored-rows.ts"
import { addOperator, openOperator } from "../../harness/test-operators.ts"

let program: Program
let author: Visitor
let operator: Visitor
let authorId: number
beforeAll(async () => {
  program = await startSampleWorkspace()
  await addOperator(program, "deniz")
  author = openVisitor(program.url)
  await author.signIn("elif")
  operator = await openOperator(program.url, "deniz")
  authorId = (await program.app.store.accounts.findByUsername("elif"))?.id ?? 0
})
afterAll(() => program.close())

const pages = () => [
  ...["", "/authors", `/authors/${authorId}`, `/authors/${authorId}/suspend`, "/audit"],
  ...["/traffic", "/purchases", "/purchases/items/1001", "/keys", "/imports", "/imports/1"],
  ...[`/authors/${authorId}/log`, `/authors/${authorId}/webhooks/ep_0000000000000000`],
  ...["/webhooks", "/webhooks/new", "/webhooks/ep_0000000000000000"],
  ...["/settings", "/security", "/security/second-factor", "/security/codes", "/none"],
]
const forms = () => [
  ...["invite", "sign-in-link", "suspend", "resume"].map((each) => `/authors/${authorId}/${each}`),
  ...["/purchases", "/purchases/codes/x/refund", "/keys", "/security/password", "/webhooks"],
  ...[
    "/security/second-factor",
    "/security/second-factor/off",
    "/settings/signing-keys/rotate",
    "/none",
  ],
]
const comparable = ({ status, location, text, headers }: PageResponse) => ({
  status,
  location: location?.replace(/next=.*/, ""),
  cookies: headers.getSetCookie(),
  text: withoutFormTokens(text),
})
const auditCount = async () =>
  (await queryStore<{ id: number }>(program, "SELECT id FROM audit_events")).length

/** Visitors with the other role's token under their own cookie name, and under both names. */
function holdersOf(token: string): readonly Visitor[] {
  return [["pazar"], ["pazar-console"], ["pazar", "pazar-console"]].map((names) => {
    const visitor = openVisitor(program.url)
    for (const name of names) visitor.cookies.set(name, token)
    return visitor
  })
}

test("303: an author's session is invalid on every path of the console, known or unknown", async () => {
  const stranger = openVisitor(program.url)
  const thieves = holdersOf(author.cookies.get("pazar") ?? "")
  for (const path of pages()) {
    const expected = comparable(await stranger.get(`/console${path}`))
    expect(expected.status).toBe(303)
    for (const visitor of [author, ...thieves]) {
      expect(comparable(await visitor.get(`/console${path}`))).toEqual(expected)
    }
  }
})

describe("303: a form", () => {
  test("of the console sent by an author is rejected on known and unknown paths, and changes nothing", async () => {
    const before = await auditCount()
    const tokens = [await author.formToken(), await author.formToken("/console/login")]
    const [known] = await Promise.all([
      author.post("/console/none", { form_token: tokens[0] ?? "" }),
    ])
    for (const path of forms()) {
      for (const form_token of tokens) {
        const response = await author.post(`/console${path}`, { form_token })
        expect(response.location).toStartWith("/console/login")
        // The token of the sign-in page is valid, but the visitor has no session.
        if (form_token === tokens[0]) expect(comparable(response)).toEqual(comparable(known))
      }
    }
    expect(await auditCount()).toBe(before)
  })

  test("of the workspace sent by an operator is rejected", async () => {
    const before = await auditCount()
    const form_token = await operator.formToken("/console/security")
    for (const path of ["/workspace/settings/keys/new", "/workspace/settings/security/password"]) {
      const { status, location } = await operator.post(path, { form_token })
      expect([status, location]).toEqual([303, "/login?done=session_ended"])
    }
    expect(await auditCount()).toBe(before)
  })
})

test("303: an operator's session is invalid in the workspace", async () => {
  const stranger = openVisitor(program.url)
  const thieves = holdersOf(operator.cookies.get("pazar-console") ?? "").slice(0, 1)
  for (const path of [
    "/workspace",
    "/workspace/items",
    "/workspace/settings/keys",
    "/workspace/x",
  ]) {
    const expected = comparable(await stranger.get(path))
    for (const visitor of [operator, ...thieves]) {
      expect(comparable(await visitor.get(path))).toEqual(expected)
    }
  }
})

test("a removed operator is signed out immediately, and an operator's pages show no secret", async () => {
  await addOperator(program, "cem")
  const cem = await openOperator(program.url, "cem")
  const { operators } = program.app.store
  await operators.remove((await operators.findByName("cem"))?.id ?? 0)
  expect((await cem.get("/console")).status).toBe(303)
  const { secret } = await program.issue("elif")
  for (const path of pages().slice(0, 7)) {
    const { text } = await operator.get(`/console${path}`)
    expect(text).not.toContain(secret)
    expect(text).not.toMatch(/argon2|pzr_sk_[0-9A-Za-z]{10}/)
  }
})
