import { afterAll, beforeAll, expect, test } from "bun:test"
import { addSampleRequests } from "../../src/demo/seed-demo.ts"
import type { IssuedKey } from "../../src/keys/key-operations.ts"
import { assets } from "../../src/platform/pages/assets.ts"
import { docsPaths } from "../harness/browser/docs-paths.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, type Visitor } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item } from "../harness/records.ts"

const bytesMax = 100 * 1024
let program: Program
let visitor: Visitor
let keyPath: string
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  const ids = Array.from({ length: 10_000 }, (_, index) => index + 1)
  await program.load([account("elif"), ...ids.map((id) => item("elif", id))])
  for (let count = 0; count < 149; count++) {
    const issued = await program.issue("elif")
    await use(issued)
    if (count < 50) await program.app.store.keys.revoke(issued.key.id, "2026-01-01T00:00:00Z")
  }
  const validation = await program.issue("elif", "vk", ids)
  await use(validation)
  keyPath = `/workspace/elif/settings/keys/${validation.key.id}`
  await givePassword(program, "elif")
  visitor = await openSignedIn(program.url, "elif")
})
afterAll(() => program.close())

const operations = { validate_purchase: 1 }
const items = Array.from({ length: 60 }, (_, index) => index + 1)
const calls = { days: 30, requestsPerDay: 90, ipRanges: 60, minutesApart: 1, operations, items }
const use = ({ key }: IssuedKey) => addSampleRequests(program.app, key.id, calls)

const paths = [
  ...[
    "/",
    "/activate",
    "/workspace/elif",
    "/workspace/elif/log",
    "/workspace/elif/log?error=unknown_code",
  ],
  ...["/workspace/elif/items", "/workspace/elif/items?q=1&sort=name", "/workspace/elif/sales"],
  ...["/workspace/elif?days=90", "/workspace/elif/sales?days=90", "/workspace/elif/sales?days=all"],
  ...docsPaths,
  ...["/workspace/elif/items/77", "/workspace/elif/check", "/workspace/elif/settings/keys"],
  "/workspace/elif/settings/keys?state=all&after=100",
  ...["/workspace/elif/settings/keys/new", "/workspace/elif/settings"],
  ...["/workspace/elif/settings/security", "/workspace/elif/settings/webhooks"],
]

async function expectSmall(path: string): Promise<void> {
  const { status, text } = await visitor.get(path, { "Accept-Language": "tr" })
  expect(status).toBe(200)
  expect(Buffer.byteLength(text)).toBeLessThan(bytesMax)
}

test.each(paths)("200: %s is under 100 KB with 10,000 items and 150 keys", expectSmall)

test.each(["", "/replace", "/revoke", "/leak"])(
  "200: the page of a key, %p, is under 100 KB for a key of 10,000 items",
  (ending) => expectSmall(`${keyPath}${ending}`),
)

const bytesOf = (wanted: (path: string) => boolean) =>
  assets
    .filter(({ path }) => wanted(path))
    .map(({ content }) => Bun.gzipSync(content).byteLength)
    .reduce((sum, each) => sum + each)
const isOfBuyers = (path: string) => /^\/assets\/(?:activate|license)\./.test(path)

test("the CSS and the scripts of all pages for authors are under 12 KB in total, compressed", () => {
  expect(bytesOf((path) => /\.(?:css|js)$/.test(path) && !isOfBuyers(path))).toBeLessThan(12_000)
})

test("the font is under 50 KB", () => {
  expect(bytesOf((path) => path.endsWith(".woff2"))).toBeLessThan(50_000)
})

test("the scripts of the buyers' pages are under 2 KB, compressed", () => {
  expect(bytesOf(isOfBuyers)).toBeLessThan(2_000)
})
