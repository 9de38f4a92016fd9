/** Lists and numbers: the right page, the right order, and no calls of test keys. */

import { afterAll, beforeAll, expect, test } from "bun:test"
import { account, item } from "../../../src/store/contracts/records.ts"
import { addUsage } from "../../../src/store/contracts/store-records.ts"
import { givePassword } from "../../harness/browser/sample-workspace.ts"
import { openVisitor, type Visitor } from "../../harness/browser/visitor.ts"
import { type Program, startProgram } from "../../harness/program.ts"

let program: Program
let elif: Visitor
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  const ids = Array.from({ length: 60 }, (_, index) => index + 1)
  // The lower the id, the newer: as after an import of a store's latest items first.
  const publishedAt = (id: number) => new Date(Date.UTC(2026, 0, 61 - id)).toISOString()
  const items = ids.map((id) =>
    item("elif", id, { published_at: publishedAt(id).replace(".000", ""), name: `Theme ${id}` }),
  )
  await program.load([account("elif"), ...items])
  await givePassword(program, "elif")
  elif = openVisitor(program.url)
  await elif.signIn("elif")
})
afterAll(() => program.close())

const idsOn = (text: string) =>
  [...text.matchAll(/class="clamp" href="\/workspace\/items\/(\d+)[?"]/g)].map(([, id]) =>
    Number(id),
  )

test("200: newest first sorts by the published date, also in a search", async () => {
  const [browsed, searched] = await Promise.all([
    elif.get("/workspace/items?sort=newest"),
    elif.get("/workspace/items?sort=newest&q=theme"),
  ])
  const newest = Array.from({ length: 25 }, (_, index) => index + 1)
  expect([idsOn(browsed.text), idsOn(searched.text)]).toEqual([newest, newest])
})

test("302: a page after the last leads to the last", async () => {
  const beyond = await elif.get("/workspace/items?page=999&sort=name&q=theme")
  expect([beyond.status, beyond.location]).toEqual([
    302,
    "/workspace/items?q=theme&sort=name&page=3",
  ])
  const last = await elif.get(beyond.location ?? "")
  expect([last.status, idsOn(last.text).length]).toEqual([200, 10])
})

test("200: a search without a match stays where it is, whatever the page", async () => {
  const { status, text } = await elif.get("/workspace/items?page=999&q=nothing")
  expect([status, text.includes("No item matches “nothing”.")]).toEqual([200, true])
})

test("the overview leaves out calls of test keys, and says so", async () => {
  const [real, trial] = [await program.issue("elif"), await program.issue("elif", "tk")]
  const hour = `${program.app.now().toISOString().slice(0, 13)}:00:00Z`
  const call = { operation: "validate_purchase", hour } as const
  await addUsage(
    program.app.store,
    [
      { ...call, keyId: real.key.id, outcome: "ok", calls: 3 },
      { ...call, keyId: trial.key.id, outcome: "ok", calls: 70 },
      { ...call, keyId: trial.key.id, outcome: "unavailable", calls: 40 },
      { ...call, keyId: trial.key.id, outcome: "revoked_code", calls: 20 },
    ],
    [],
  )
  const { text } = await elif.get("/workspace")
  expect(text).toContain("3 calls in the last 30 days, 3 of them successful.")
  expect(text).toContain("Calls with test keys are not counted.")
})
