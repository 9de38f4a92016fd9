/**
 * `npm run soak -- sqlmap [LEVEL [PATH]]`: Debian's `sqlmap` on every parameter of the API, and on those of the
 * workspace and the console that reach the store. PAZAR_TEST_STORE=postgres tests PostgreSQL. Prints what it found, and
 * exits with 1 if that is anything.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openMarketplace, sold } from "../both-stores/api/marketplace.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openVisitor, type Visitor } from "../harness/browser/visitor.ts"
import { addOperator, openOperator } from "../harness/operators.ts"

const [level = "5", chosenPath = "/"] = process.argv.slice(2)
const program = Bun.which("sqlmap")
if (program === null) {
  console.error("sqlmap is not installed: apt-get install sqlmap")
  process.exit(2)
}
const token = "operator-token-of-this-test-1234"
const market = await openMarketplace({ LOG_LEVEL: "silent", PAZAR_OPERATOR_TOKEN: token })
await givePassword(market, "ada")
const visitor = openVisitor(market.url)
await visitor.signIn("ada")
const formToken = await visitor.formToken()
await addOperator(market, "deniz")
const operator = await openOperator(market.url, "deniz")
const cookieOf = ({ cookies }: Visitor) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
const [cookie, operatorCookie] = [cookieOf(visitor), cookieOf(operator)]

const key = market.keys.secret
const code = String(sold.purchase_code)
/** An asterisk marks what is attacked; without one it is every parameter. */
const targets: readonly (readonly [string, ...string[]])[] = [
  [`/api/account/details?api_key=${key}&lang=en`],
  [`/api/items/item?api_key=${key}&item_id=11`],
  ["/api/items/item?item_id=11", "--headers", `X-Api-Key: ${key}*\nAccept-Language: en*`],
  ["/api/purchases/validation", "--data", `api_key=${key}&purchase_code=${code}&lang=en`],
  ["/api/purchases/validation", "--data", JSON.stringify({ api_key: key, purchase_code: code })],
  [`/v3/market/author/sale?code=${code}`, "--headers", `Authorization: Bearer ${key}`],
  [
    "/operator/links",
    "--data",
    '{"username":"ada*"}',
    "--headers",
    `Authorization: Bearer ${token}`,
  ],
  ["/workspace/items?q=a&order=name&page=1", "--cookie", cookie],
  ["/workspace/items/11*", "--cookie", cookie],
  ["/workspace/settings/keys/key_0000000000000000*", "--cookie", cookie],
  [
    "/workspace/check",
    "--cookie",
    cookie,
    "--data",
    `form_token=${formToken}&purchase_code=${code}*`,
  ],
  ["/console/authors?q=ada&page=1", "--cookie", operatorCookie],
  ["/console/authors/1*", "--cookie", operatorCookie],
  ["/console/audit?account=ada&kind=key", "--cookie", operatorCookie],
  ["/console/traffic?span=day", "--cookie", operatorCookie],
  ["/console/purchases/items/11*", "--cookie", operatorCookie],
  ["/console/keys/key_0000000000000000*", "--cookie", operatorCookie],
  ["/console/imports/1*", "--cookie", operatorCookie],
]
const options = [
  ...[
    "--batch",
    `--level=${level}`,
    "--risk=2",
    "--flush-session",
    "--disable-coloring",
    "-v",
    "0",
  ],
  // Tests by time would only measure how busy the machine is; the answers of both stores are compared instead.
  ...[
    "--technique=BEU",
    "--threads=2",
    "--ignore-code=401,403,404,422",
    "--skip-waf",
    "--drop-set-cookie",
  ],
]
const folder = mkdtempSync(join(tmpdir(), "pazar-sqlmap-"))
let findings = 0
for (const [path, ...extra] of targets.filter(([path]) => path.startsWith(chosenPath))) {
  const startedAt = performance.now()
  const url = `${market.url}${path}`
  const child = Bun.spawn([program, "-u", url, ...extra, ...options, "--output-dir", folder], {
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
  })
  const said = await new Response(child.stdout).text()
  await child.exited
  const isFound = /Parameter: .*\n\s+Type: /.test(said)
  const isDone = /do not appear to be injectable|is not injectable|not seem to be injectable/.test(
    said,
  )
  if (isFound || !isDone) {
    findings += 1
    console.log(said.slice(-2_000))
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const verdict = isFound ? "INJECTABLE" : isDone ? "no finding" : "DID NOT RUN"
  console.log(`${path.replaceAll(key, "KEY")} ${extra[0] ?? ""}: ${verdict}, ${seconds} s`)
}
rmSync(folder, { recursive: true })
await market.close()
process.exit(findings > 0 ? 1 : 0)
