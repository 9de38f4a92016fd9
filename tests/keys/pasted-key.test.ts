import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { publicTestSecret } from "../../src/contract/operation.ts"
import { formatSecret, type StoredKey } from "../../src/keys/key.ts"
import { t } from "../../src/platform/t.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, type PageResponse, type Visitor } from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { storeState } from "../harness/stores/stored-rows.ts"

const keysPath = "/workspace/elif/settings/keys"
const unknown = formatSecret("sk", "0".repeat(30))

let program: Program
let elif: Visitor
let key: StoredKey
let secret: string
let secretOfMarcus: string
beforeAll(async () => {
  program = await startSampleWorkspace({ LOG_LEVEL: "debug" })
  elif = await openSignedIn(program.url, "elif")
  const issued = await program.issue("elif")
  key = issued.key
  secret = issued.secret
  secretOfMarcus = (await program.issue("marcus")).secret
})
afterAll(() => program.close())

const find = (pasted: string) => elif.submit(keysPath, { q: pasted }, keysPath)
const bare = ({ status, headers, text }: PageResponse) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== "date"),
})

describe("303: an own key leads to the page where it can be revoked", () => {
  test.each([
    ["alone", () => secret],
    ["with blanks around it", () => `  ${secret}\n`],
    ["in a line of a program", () => `$key = '${secret}'; // from the theme`],
  ])("%s", async (_, pasted) => {
    const { status, location, text } = await find(pasted())
    expect([status, location, text]).toEqual([303, `${keysPath}/${key.id}/leak?done=found`, ""])
    const page = unescapeHtml((await elif.get(location ?? "")).text)
    expect(page).toContain(t("This is your key “{name}”.", { name: key.name }))
  })
})

test("303: another author's key is indistinguishable from an unknown one", async () => {
  const [theirs, other] = [await find(secretOfMarcus), await find(unknown)]
  expect(bare(theirs)).toEqual(bare(other))
  const { text } = await elif.get(theirs.location ?? "")
  expect(unescapeHtml(text)).toContain(
    "This key is not yours. If you found it in public, report it to your marketplace.",
  )
})

test("303: the public test key is not a leak", async () => {
  const responses = [
    await find(`key = "${publicTestSecret}"`),
    await elif.submit("/workspace/elif/search", { q: publicTestSecret }),
  ]
  for (const { location } of responses) {
    const { text } = await elif.get(location ?? "")
    expect(unescapeHtml(text)).toContain(
      "This is the public test key of the docs. It does not belong to an account.",
    )
    expect(unescapeHtml(text)).not.toContain(
      "This key is not yours. If you found it in public, report it to your marketplace.",
    )
  }
})

test("a pasted key is not stored, not logged and not shown again", async () => {
  const before = await storeState(program)
  const pasted = [secret, secretOfMarcus, unknown]
  const responses = await Promise.all(pasted.map(find))
  const pages = await Promise.all(responses.map(({ location }) => elif.get(location ?? keysPath)))
  const output = [program.logged(), ...[...responses, ...pages].map(({ text }) => text)].join("\n")
  expect(pasted.filter((each) => output.includes(each))).toEqual([])
  expect(await storeState(program)).toEqual(before)
})
