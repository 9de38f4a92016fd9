import { afterAll, beforeAll, expect, test } from "bun:test"
import { samplesOf, textOf, unescapeHtml } from "../harness/browser/docs-page.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, openVisitor, type Visitor } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { plainEnvironment } from "../harness/run-pazar.ts"

const supportUrl = "https://example.com/support?from=pazar&x=1"
let program: Program
let elif: Visitor
beforeAll(async () => {
  program = await startProgram({
    LOG_LEVEL: "error",
    PAZAR_SITE_NAME: "Çarşı <b>&",
    PAZAR_SUPPORT_URL: supportUrl,
  })
  await program.load([account("elif")])
  await givePassword(program, "elif")
  elif = await openSignedIn(program.url, "elif")
})
afterAll(() => program.close())

const everywhere = ["/", "/login", "/docs", "/nowhere"]

test.each(everywhere)(
  "200: %s has the marketplace's name in its title and its logo",
  async (path) => {
    for (const visitor of [elif, openVisitor(program.url)]) {
      const { text, location } = await visitor.get(path)
      if (location !== null) continue
      const [, title = ""] = /<title>(.*?)<\/title>/.exec(text) ?? []
      expect(title).toEndWith(" · Çarşı &lt;b&gt;&amp;")
      expect(text).toMatch(/<a class="brand"[^>]*>.*?<\/svg>Çarşı &lt;b&gt;&amp;<\/a>/s)
    }
  },
)

test("support is linked on pages where an author may need it, and nowhere without the setting", async () => {
  const link = `<a href="${supportUrl}">Get help</a>`
  const stuck = ["/", "/login", "/invite/none", "/nowhere"]
  const plain = await startProgram({ LOG_LEVEL: "error" })
  for (const path of stuck) {
    const there = unescapeHtml((await openVisitor(program.url).get(path)).text)
    const without = unescapeHtml((await openVisitor(plain.url).get(path)).text)
    expect([path, there.includes(link), without.includes(`>Get help<`)]).toEqual([
      ...[path, true, false],
    ])
  }
  await plain.close()
})

test("llms.txt begins with the marketplace's name", async () => {
  const { text } = await openVisitor(program.url).get("/llms.txt")
  expect(text).toStartWith("# Çarşı <b>&\n")
})

test.each(["en", "tr"])(
  "the sample request of the start page returns the response beside it (%s)",
  async (lang) => {
    const { text } = await openVisitor(program.url, { "Accept-Language": lang }).get("/")
    const call = samplesOf(text).find(({ language }) => language === "curl")?.text ?? ""
    const [, shown = ""] = /<pre tabindex="0"><code>([{<].*?)<\/code>/s.exec(text) ?? []
    const shell = Bun.spawn(["sh", "-c", call], { env: plainEnvironment, stderr: "ignore" })
    const [, body] = (await shell.stdout.text()).split("\r\n\r\n")
    expect(JSON.parse(body ?? "")).toEqual(JSON.parse(textOf(shown)))
  },
)
