import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openVisitor } from "../harness/browser/visitor.ts"
import { pickFreePort } from "../harness/free-port.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { plainEnvironment } from "../harness/run-pazar.ts"
import { until, workMsMax } from "../harness/until.ts"

const token = "operator-token-of-32-characters-or-more"
const manual = join(import.meta.dir, "../../docs/authors.md")
let program: Program
let site: Bun.Subprocess
let siteUrl: string

beforeAll(async () => {
  program = await startProgram({ PAZAR_OPERATOR_TOKEN: token })
  await program.load([account("ada"), account("bob", { suspended: true })])
  const [, sample = ""] = /^```php\n<\?php\n(.*?)^```$/ms.exec(readFileSync(manual, "utf8")) ?? []
  const page = sample.replaceAll("http://127.0.0.1:8080", program.url)
  writeFileSync(join(program.folder, "site.php"), `<?php\n$username = $_GET['as'];\n${page}`)
  const address = `127.0.0.1:${pickFreePort()}`
  siteUrl = `http://${address}`
  site = Bun.spawn(["php", "-S", address, "site.php"], {
    cwd: program.folder,
    env: { ...plainEnvironment, PAZAR_OPERATOR_TOKEN: token },
    stdio: ["ignore", "ignore", "ignore"],
  })
  await until(async () => (await visitSite("nobody").catch(() => undefined)) && true, workMsMax)
})
afterAll(async () => {
  site.kill()
  await site.exited
  await program.close()
})

const visitSite = (username: string) => fetch(`${siteUrl}/?as=${username}`, { redirect: "manual" })

test("a signed-in author is redirected to the workspace", async () => {
  const { status, headers } = await visitSite("ada")
  const { origin, pathname } = new URL(headers.get("location") ?? "")
  expect([status, origin]).toEqual([303, program.url])
  const visitor = openVisitor(program.url)
  const linkToken = pathname.split("/").at(-1) ?? ""
  const entered = await visitor.submit("/login/link", { token: linkToken }, pathname)
  expect([entered.status, entered.location]).toEqual([303, "/workspace"])
})

test.each(["bob", "nobody"])(
  "an author who cannot sign in, %s, gets an explanation",
  async (username) => {
    const response = await visitSite(username)
    expect([response.status, await response.text()]).toEqual([503, expect.stringMatching(/./)])
  },
)
