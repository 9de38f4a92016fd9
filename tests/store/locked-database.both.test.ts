import { afterAll, beforeAll, expect, test } from "bun:test"
import { withTimeout } from "../../src/platform/timers.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import { lockStore } from "../harness/stores/stored-rows.ts"

const token = "operator-token-of-32-characters-or-more"
const headers = { Authorization: `Bearer ${token}` }
const codes = Array.from({ length: 20 }, (_, at) => `locked-code-${at}`)
let program: Program
let key: string
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "silent", PAZAR_OPERATOR_TOKEN: token })
  const purchases = codes.map((code) => purchase(code, 1))
  await program.load([account("ada"), item("ada", 1), ...purchases])
  await program.app.store.sites.putLimits(1, { sites: 2, byLicense: {} })
  key = (await program.issue("ada", "vk")).secret
})
afterAll(() => program.close())

async function send(path: string, body: string | URLSearchParams) {
  const response = await fetch(`${program.url}${path}`, { method: "POST", body, headers })
  await response.text()
  return response.status
}
const sendCode = (path: string, code: string) => {
  const parameters = { api_key: key, purchase_code: code, site: `${code}.com` }
  return send(path, new URLSearchParams(parameters))
}
const validate = (code: string) => sendCode("/api/purchases/validation", code)
const push = (code: string) => send("/operator/feed", toFeed([purchase(code, 1)]))

test("requests are answered while an administrator locks the database for long", async () => {
  expect(await validate("locked-code-0")).toBe(200)
  const tables = "purchases, purchase_sites, site_releases, sign_in_links, sign_in_failures"
  const unlock = await lockStore(program, tables)
  // A push waits longer, as it does for an import. Nothing waits for the push.
  const pushing = push("locked-sale")
  const validations = Promise.all(codes.slice(1).map(validate))
  const release = (code: string) => sendCode("/api/purchases/release", code)
  const releases = Promise.all(codes.map(release))
  const others = Promise.all([
    send("/operator/links", '{"username":"ada"}'),
    openVisitor(program.url)
      .signIn("ada", "wrong password")
      .then(({ status }) => status),
  ])
  const all = Promise.all([validations, releases, others])
  const responses = await withTimeout(all, 5_000, () => null)
  await unlock()
  const [validated = [], released = [], statuses = []] = responses ?? []
  const among = (given: readonly number[], ...expected: readonly number[]) =>
    given.filter((status) => expected.includes(status)).length
  // A database that cannot be written says nothing about a code: 200 if it was read in time.
  expect([among(validated, 200, 503), among(released, 404, 503)]).toEqual([19, 20])
  expect(statuses).toEqual([503, 503])
  await pushing
  expect([await validate("locked-code-1"), await push("locked-sale")]).toEqual([200, 200])
})
