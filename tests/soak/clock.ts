/**
 * `npm run soak -- clock`: the clock of a running server's machine is set back by an hour, and then ahead by two. What
 * was promised to last must last, and nothing may last longer.
 */
import { rmSync } from "node:fs"
import { account, item, purchase, toFeed } from "../contracts/records.ts"
import { until } from "../contracts/until.ts"
import { samplePassword } from "../harness/browser/sample-workspace.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { killTree, runPazar, startServer } from "../harness/command.ts"
import { prepareFaults } from "../harness/faults/fault-injection.ts"
import { temporaryFolder } from "../harness/program.ts"

const token = "an-operator-token-of-some-length-0123"
const folder = temporaryFolder()
const faults = prepareFaults(folder)
const keySeconds = 8
const problems: string[] = []
const expect = (what: string, found: unknown, expected: unknown) => {
  const isSo = found === expected
  console.log(`${isSo ? "ok" : "NO"}  ${what}: ${found}`)
  if (!isSo) problems.push(what)
}

await runPazar(folder, ["migrate"])
const input = toFeed([account("ada"), item("ada", 1), purchase("abc", 1)])
await runPazar(folder, ["import", "-"], { input })
await runPazar(folder, ["account", "password", "ada"], { input: samplePassword })
async function createKey(seconds: number): Promise<string> {
  const expires = new Date(Date.now() + seconds * 1000).toISOString().replace(/\.\d+/, "")
  return (await runPazar(folder, ["key", "create", "ada", "--expires", expires])).stdout.trim()
}
const server = await startServer(folder, {
  ...faults.env,
  PAZAR_THREADS: "2",
  PAZAR_OPERATOR_TOKEN: token,
})
const reasonOf = async (secret: string) => {
  const headers = { Connection: "close" }
  const url = `${server.url}/api/account/details?api_key=${secret}`
  return (await fetch(url, { headers })).headers.get("pazar-reason")
}
async function isLinkGood(): Promise<boolean> {
  const headers = { Authorization: `Bearer ${token}` }
  const init = { method: "POST", headers, body: '{"username":"ada"}' }
  const made = await (await fetch(`${server.url}/operator/links`, init)).text()
  const { pathname } = new URL(JSON.parse(made).url)
  return (await openVisitor(server.url).get(pathname)).status === 200
}
const author = openVisitor(server.url)
await author.signIn("ada")
const isSignedIn = async () => (await author.get("/workspace")).status === 200
const [short, hour, day] = [
  await createKey(keySeconds),
  await createKey(3_600),
  await createKey(86_400),
]
expect("before: the short key", await reasonOf(short), "ok")

faults.setClock(-3_600)
expect("an hour back: the session", await isSignedIn(), true)
expect("an hour back: the key of a day", await reasonOf(day), "ok")
expect("an hour back: a new link", await isLinkGood(), true)
await until(async () => ((await reasonOf(short)) === "expired_key" ? true : undefined))
expect("an hour back: the short key, on time", await reasonOf(short), "expired_key")
await until(() => server.stderr().includes("the clock was set back") || undefined)
expect("an hour back: the log says so", true, true)

faults.setClock(7_200)
expect("two hours ahead: the session", await isSignedIn(), true)
expect("two hours ahead: the key of an hour", await reasonOf(hour), "expired_key")
expect("two hours ahead: the key of a day", await reasonOf(day), "ok")
expect("two hours ahead: a new link", await isLinkGood(), true)

// Waits of the runtime end by the kernel's clock, which was not set.
faults.setClock(0)
const { status } = await server.stop()
await killTree(server)
expect("the server stops", status, 0)
const { stdout } = await runPazar(folder, ["usage", "--by", "operation", "--json"])
expect("usage was written", /read_account|account/.test(stdout), true)
rmSync(folder, { recursive: true })
console.log(`${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)
