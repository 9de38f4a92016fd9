/** The documentation's pages and their Markdown copies: one source, both languages, no dead link. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { publicTestSecret } from "../../../src/domain/keys/api-key.ts"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import { guides, titleOf } from "../../../src/http/docs/texts.ts"
import { catalogues } from "../../../src/http/pages/view.ts"
import { revokeKey } from "../../../src/operations/keys/change-key.ts"
import { samplesOf, textOf, unescapeHtml } from "../../harness/browser/docs-page.ts"
import { startSampleWorkspace } from "../../harness/browser/sample-workspace.ts"
import { openVisitor, type Visitor } from "../../harness/browser/visitor.ts"
import { plainEnvironment } from "../../harness/command.ts"
import type { Program } from "../../harness/program.ts"

const locales = ["en", "tr"] as const
const paths = ["/docs", ...guides.map(({ id }) => `/docs/${id}`)]

let program: Program
let visitor: Visitor
beforeAll(async () => {
  program = await startSampleWorkspace()
  visitor = openVisitor(program.url)
})
afterAll(() => program.close())

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found)

describe.each(locales)("%s", (locale) => {
  const read = async (path: string) => (await visitor.get(`${path}?lang=${locale}`)).text

  test("every page is there, in its language, with a link to its copy", async () => {
    const titles = [
      catalogues[locale].docs.heading,
      ...guides.map((guide) => titleOf(guide, locale)),
    ]
    for (const [at, path] of paths.entries()) {
      const page = await read(path)
      expect(page).toContain(`<html lang="${locale}">`)
      expect(unescapeHtml(page)).toContain(`<h1>${titles[at]}</h1>`)
      expect(page).toContain(
        `rel="alternate" type="text/markdown" href="${path}.md?lang=${locale}"`,
      )
    }
  })

  test("the guide to shipping a key quotes the choice of the form", async () => {
    const { vk } = catalogues[locale].keys.new.choices
    expect(unescapeHtml(await read("/docs/ship-a-key"))).toContain(`"${vk}"`)
  })

  test("the guide to limiting sites quotes the pages", async () => {
    const { release, releaseAll, limit } = catalogues[locale].sites
    const guide = unescapeHtml(await read("/docs/limit-sites"))
    for (const text of [limit.title, limit.preview, limit.see, release, releaseAll]) {
      expect(guide).toContain(`"${text}"`)
    }
  })

  test("the samples ask for the language of the page", async () => {
    const asked = samplesOf(await read("/docs")).flatMap(
      ({ text }) => text.match(/\blang=\w+/g) ?? [],
    )
    expect([...new Set(asked)]).toEqual([`lang=${locale}`])
  })

  test("every request gets the answer that is shown beside it", async () => {
    const sections = (await read("/docs")).split('class="operation"').slice(1)
    const shown = sections.map((section) => ({
      call: samplesOf(section).find(({ language }) => language === "curl")?.text,
      answer: textOf(/<pre[^>]*><code>(\{.*?)<\/code>/s.exec(section)?.[1] ?? ""),
    }))
    const pairs = shown.filter(({ call }) => call !== undefined)
    expect(pairs.length).toBe(5)
    for (const { call = "", answer } of pairs) {
      const shell = Bun.spawn(["sh", "-c", call], { env: plainEnvironment, stderr: "ignore" })
      const [, body = ""] = (await shell.stdout.text()).split("\r\n\r\n")
      expect(JSON.parse(body)).toEqual(JSON.parse(answer))
    }
  })

  test("a sample prints its verdict in the language of the page", async () => {
    const [sample] = samplesOf(await read("/docs")).filter(({ language }) => language === "php")
    const verdicts = { en: /"valid: .*"invalid\\n"/s, tr: /"geçerli: .*"geçersiz\\n"/s }
    expect(sample?.text).toMatch(verdicts[locale])
  })

  test("a cell of a table says its column, for phones", async () => {
    for (const path of paths) {
      for (const [row] of (await read(path)).matchAll(/<tr>(?:(?!<\/tr>).)*<td.*?<\/tr>/gs)) {
        const [, ...cells] = [...row.matchAll(/<td([^>]*)>/g)].map(
          ([, attributes = ""]) => attributes,
        )
        expect(cells.filter((each) => !each.includes("data-label="))).toEqual([])
      }
    }
  })

  test("a copy is Markdown with the same text", async () => {
    for (const guide of guides) {
      const { headers, text } = await visitor.get(`/docs/${guide.id}.md?lang=${locale}`)
      expect(headers.get("content-type")).toBe("text/markdown; charset=utf-8")
      expect(text).toBe(guide.markdown[locale].replaceAll("http://127.0.0.1:8080", program.url))
    }
  })

  test("the copy of the reference has every heading, sample and reason of the page", async () => {
    const [page, copy] = [await read("/docs"), await read("/docs.md")]
    const headings = all(unescapeHtml(page), /<h2[^>]*>(.*?)<\/h2>/g)
    expect(all(copy, /^## (.*)$/gm)).toEqual(headings)
    for (const { text } of samplesOf(page)) expect(copy).toContain(text)
    const reasons = all(page, /<td class="mono">(\w+)<\/td>/g)
    expect(all(copy, /^\| `(\w+)` +\| \d{3}.*\| \S.* \| \S/gm)).toEqual(reasons)
    const answers = all(copy, /^\*\*\d{3}\*\* (.*)$/gm).join(" ")
    expect(reasons.filter((reason) => !answers.includes(`\`${reason}\``))).toEqual(["unknown_path"])
  })

  test("every id is there once, and every link leads somewhere", async () => {
    const reference = await read("/docs")
    const ids = all(reference, / id="([^"]+)"/g)
    expect(ids).toEqual([...new Set(ids)])
    const pages = [reference, ...(await Promise.all(paths.slice(1).map(read)))]
    const links = [...new Set(pages.flatMap((page) => all(page, /<a [^>]*href="([^"]+)"/g)))]
    const anchors = links.filter((link) => /^(\/docs)?#/.test(link ?? ""))
    const missing = anchors.filter((link) => !ids.includes(link?.replace(/^.*#/, "")))
    expect([missing, anchors.length > 10]).toEqual([[], true])
    const inside = links.filter((link) =>
      /^\/(docs|llms|openapi|workspace|\.well-known)/.test(link ?? ""),
    )
    const statuses = inside.map(async (link) => [link, (await visitor.get(link ?? "")).status])
    const dead = (await Promise.all(statuses)).filter(([, status]) => status === 404)
    expect(dead).toEqual([])
  })

  test("the test codes do what their table says", async () => {
    const rows = (await read("/docs.md")).matchAll(/^\| `(test-[a-z-]+)` +\| (\d+)(?: `(\w+)`)?/gm)
    const codes = await Promise.all(
      [...rows].map(async ([, code = "", status, reason = "ok"]) => {
        const answer = await fetch(`${program.url}/api/purchases/validation`, {
          method: "POST",
          headers: { "X-Api-Key": publicTestSecret },
          body: new URLSearchParams({ purchase_code: code }),
        })
        const got = [String(answer.status), answer.headers.get("pazar-reason")]
        return [code, status === got[0], reason === got[1]]
      }),
    )
    expect(codes.map(([, ...isSo]) => isSo)).toEqual(Array.from({ length: 8 }, () => [true, true]))
  })
})

test("llms.txt lists every copy in both languages", async () => {
  const { text, headers } = await visitor.get("/llms.txt")
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8")
  const links = all(text, /\]\((.*?)\)/g)
  expect(links).toEqual([
    ...locales.flatMap((locale) => paths.map((path) => `${program.url}${path}.md?lang=${locale}`)),
    `${program.url}/openapi.json`,
  ])
})

test("404: no other guide", async () => {
  const asked = ["/docs/none", "/docs/none.md", "/docs/ship-a-key/x"].map((path) =>
    visitor.get(path),
  )
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([404, 404, 404])
})

describe("the key in the samples", () => {
  const keyIn = (page: string) => [...new Set(page.match(/pzr_tk_\w{36}/g))]

  test("is the public one where nobody is signed in, or the author has no test key", async () => {
    const elif = openVisitor(program.url)
    await elif.signIn("elif")
    expect(keyIn((await visitor.get("/docs")).text)).toEqual([publicTestSecret])
    expect(keyIn((await elif.get("/docs")).text)).toEqual([publicTestSecret])
  })

  test("is the author's own while it lives, and showing it is no event", async () => {
    const elif = openVisitor(program.url)
    await elif.signIn("elif")
    const { key, secret } = await program.issue("elif", "tk")
    const events = () =>
      program.app.store.audit.list({ accountId: key.accountId, kind: "key" }, null, 100)
    const before = await events()
    const pages = ["/docs", "/docs/ship-a-key"].map(async (path) => (await elif.get(path)).text)
    expect((await Promise.all(pages)).map(keyIn)).toEqual([[secret], [secret]])
    const others = [await elif.get("/docs.md"), await visitor.get("/docs")]
    expect(others.map(({ text }) => keyIn(text))).toEqual([[publicTestSecret], [publicTestSecret]])
    expect(await events()).toEqual(before)
    await revokeKey(program.app.keyServices(commandLine), key)
    expect(keyIn((await elif.get("/docs")).text)).toEqual([publicTestSecret])
  })
})
