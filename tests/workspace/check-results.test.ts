/** The result of a check belongs to its session, and its address has no code. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import fc from "fast-check"
import { requireAccount } from "../../src/operations/require-account.ts"
import type { Program } from "../harness/program.ts"
import { purchase } from "../harness/records.ts"
import { givePassword, startSampleWorkspace } from "../harness/sample-workspace.ts"
import { queryStore, storeText } from "../harness/stored-rows.ts"
import { openVisitor, type Visitor } from "../harness/visitor.ts"

const checkPath = "/workspace/check"
const valid = "This code is valid."
const unknown = "No purchase of your items has this code."

let program: Program
let elif: Visitor
let token: string
beforeAll(async () => {
  program = await startSampleWorkspace()
  await givePassword(program, "marcus")
})
afterAll(() => program.close())
beforeEach(async () => {
  elif = openVisitor(program.url)
  await elif.signIn("elif")
  token = await elif.formToken()
})

async function check(code: string, visitor = elif): Promise<string> {
  const sent = await visitor.submit(checkPath, { purchase_code: code })
  expect(sent.status).toBe(303)
  return sent.location ?? ""
}

test("303: to an address without the code, which shows the result every time", async () => {
  await program.load([purchase("sold-just-now", 1001)])
  const place = await check(" SOLD-JUST-NOW ")
  expect(place).toMatch(/^\/workspace\/check\/[\w-]{43}$/)
  const pages = [await elif.get(place), await elif.get(place)]
  for (const { status, text } of pages) {
    expect(status).toBe(200)
    expect(text).toContain(valid)
    expect(text).toContain('value=" SOLD-JUST-NOW "')
  }
})

test("200: the store is asked again each time: a refund shows after a reload", async () => {
  await program.load([purchase("refunded-later", 1001)])
  const place = await check("refunded-later")
  expect((await elif.get(place)).text).toContain(valid)
  await program.load([purchase("refunded-later", 1001, { revoked: true })])
  const { text } = await elif.get(place)
  expect([text.includes(valid), text.includes("refunded or charged back")]).toEqual([false, true])
})

test("200: an empty or too long code is an error beside the field", async () => {
  const texts: string[] = []
  for (const code of ["", "  ", "x".repeat(300), "x".repeat(30_000)]) {
    texts.push((await elif.get(await check(code))).text)
  }
  const said = texts.map((text) => /<p class="error"[^>]*>(.*?)<\/p>/.exec(text)?.[1])
  const [missing, long] = ["Paste a code first.", "This is too long to be a purchase code."]
  expect(said).toEqual([missing, missing, long, long])
})

test("404: another session's check, another author's and an unknown one are the same page", async () => {
  const place = await check("no-such-code")
  const elsewhere = openVisitor(program.url)
  await elsewhere.signIn("elif")
  const marcus = openVisitor(program.url)
  await marcus.signIn("marcus")
  expect((await elif.get(place)).status).toBe(200)
  for (const visitor of [elsewhere, marcus]) {
    const [theirs, none] = [await visitor.get(place), await visitor.get(`${checkPath}/none`)]
    const bare = (text: string) => text.replaceAll(/value="[^"]*"/g, "")
    expect([theirs.status, bare(theirs.text)]).toEqual([404, bare(none.text)])
  }
})

test("404: a check ends with its session", async () => {
  const place = await check("no-such-code")
  await elif.submit("/logout")
  await elif.signIn("elif")
  expect((await elif.get(place)).status).toBe(404)
})

test("a session keeps its last ten checks", async () => {
  const places: string[] = []
  for (let count = 0; count < 12; count += 1) places.push(await check(`code-${count}`))
  const statuses = await Promise.all(places.map(async (place) => (await elif.get(place)).status))
  expect(statuses).toEqual([404, 404, ...places.slice(2).map(() => 200)])
})

test("the pasted text is sealed in the store, bound to its session", async () => {
  const place = await check("a-code-nobody-may-read")
  expect(await storeText(program)).not.toContain("a-code-nobody-may-read")
  const other = openVisitor(program.url)
  await other.signIn("elif")
  const { id: accountId } = await requireAccount(program.app.store.accounts, "elif")
  const sessions = await program.app.store.sessions.list(accountId)
  const noteId = place.split("/").at(-1) ?? ""
  const isHere = await queryStore<{ session_id: string }>(
    program,
    "SELECT session_id FROM session_notes WHERE id = ?",
    noteId,
  )
  const stolen = sessions.find(({ id }) => id !== isHere[0]?.session_id)?.id ?? ""
  await queryStore(program, "UPDATE session_notes SET session_id = ? WHERE id = ?", stolen, noteId)
  const answers = [await elif.get(place), await other.get(place)]
  expect(answers.map(({ status }) => status).filter((status) => status === 200)).toEqual([])
})

test("303: any text leads to a result, and never appears in the address", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", minLength: 8, maxLength: 300 }), async (text) => {
      const sent = await elif.post(checkPath, { form_token: token, purchase_code: text })
      expect(sent.location).toMatch(/^\/workspace\/check\/[\w-]{43}$/)
      expect((await elif.get(sent.location ?? "")).status).toBe(200)
    }),
    { numRuns: 60 },
  )
})

test("200: an unknown code says so", async () => {
  expect((await elif.get(await check("no-such-code"))).text).toContain(unknown)
})
