/** The pages of the documentation and their Markdown: one source, both languages, no broken link. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { publicTestSecret } from "../../src/contract/operation.ts"
import { describeClients, readClientFiles } from "../../src/docs/clients/clients.ts"
import { markdownPages, pathOf } from "../../src/docs/pages.ts"
import { revokeKey } from "../../src/keys/key-operations.ts"
import { testCodes } from "../../src/purchases/test-catalog.ts"
import { samplesOf, textOf, unescapeHtml } from "../harness/browser/docs-page.ts"
import {
  docsPages,
  docsPaths,
  listDocsPages,
  operationPaths,
} from "../harness/browser/docs-paths.ts"
import { startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, openVisitor, type Visitor } from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { plainEnvironment } from "../harness/run-pazar.ts"
import { openNewOperator } from "../harness/test-operators.ts"

const locales = ["en", "tr"] as const

let program: Program
let visitor: Visitor
beforeAll(async () => {
  program = await startSampleWorkspace()
  visitor = openVisitor(program.url)
})
afterAll(() => program.close())

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found)

test("an operator without a team reads the documentation", async () => {
  const operator = await openNewOperator(program, "deniz")
  const page = await operator.get("/docs")
  expect(page.status).toBe(200)
  expect(page.text).toContain(publicTestSecret)
})

describe.each(locales)("%s", (locale) => {
  const read = async (path: string) => (await visitor.get(`${path}?lang=${locale}`)).text

  test("every page exists in its language and links to its Markdown", async () => {
    const pages = await listDocsPages(locale)
    const titles = [pages[0]?.title, ...pages.map(({ title }) => title)]
    for (const [at, path] of docsPaths.entries()) {
      const page = await read(path)
      expect(page).toContain(`<html lang="${locale}">`)
      expect(unescapeHtml(page)).toContain(`<h1>${titles[at]}</h1>`)
      const copy = path === "/docs" ? "/docs/quickstart" : path
      expect(page).toContain(
        `rel="alternate" type="text/markdown" href="${copy}.md?lang=${locale}"`,
      )
    }
  })

  test("every sample request returns the response beside it", async () => {
    const pages = await Promise.all(["/docs", ...operationPaths].map(read))
    const shown = pages.map((page) => ({
      request: samplesOf(page).find(({ language }) => language === "curl")?.text,
      response: textOf(/role="status".*?<code>([{[].*?)<\/code>/s.exec(page)?.[1] ?? ""),
    }))
    const pairs = shown.filter(({ request }) => request !== undefined)
    expect(pairs.length).toBe(9)
    for (const { request = "", response } of pairs) {
      const shell = Bun.spawn(["sh", "-c", request], { env: plainEnvironment, stderr: "ignore" })
      const [, body = ""] = (await shell.stdout.text()).split("\r\n\r\n")
      // Envato's item has the host of the server.
      const host = new URL(program.url).hostname
      expect(JSON.parse(body.replaceAll(host, "market.example.com"))).toEqual(JSON.parse(response))
    }
  })

  test("every page exists as Markdown", async () => {
    const clients = await readClientFiles()
    const here = (markdown: string) =>
      describeClients(markdown, clients).replaceAll("http://127.0.0.1:8080", program.url)
    const whole = await read("/docs.md")
    for (const { id, markdown } of Object.values(markdownPages).flat()) {
      const { headers, text } = await visitor.get(`/docs/${id}.md?lang=${locale}`)
      expect(headers.get("content-type")).toBe("text/markdown; charset=utf-8")
      // Generated parts are in place of a name in braces.
      for (const part of here(markdown[locale]).split(/^\{\w+\}$/m)) expect(text).toContain(part)
      expect(whole).toContain(`#${text.slice(0, text.indexOf("\n"))}\n`)
    }
    expect(whole).not.toMatch(/^\{\w+\}$/m)
  })

  test("ids are unique, and every link resolves", async () => {
    const pages = new Map(
      await Promise.all(docsPaths.map(async (path) => [path, await read(path)] as const)),
    )
    const idsOf = (page: string) => all(page, / id="([^"]*)"/g)
    for (const page of pages.values()) expect(idsOf(page)).toEqual([...new Set(idsOf(page))])
    const links = [...pages].flatMap(([path, page]) =>
      all(page, /<a [^>]*href="([^"]+)"/g).map((link = "") =>
        link.startsWith("#") ? `${path}${link}` : link,
      ),
    )
    const anchors = [...new Set(links.filter((link) => /^\/docs.*#/.test(link)))]
    const missing = anchors.filter((link) => {
      const [path = "", id = ""] = link.split("#")
      return !idsOf(pages.get(path) ?? "").includes(id)
    })
    expect([missing, anchors.length > 50]).toEqual([[], true])
    const inside = [...new Set(links)].filter((link) =>
      /^\/(docs|llms|openapi|workspace|\.well-known)/.test(link),
    )
    const statuses = inside.map(async (link) => [link, (await visitor.get(link)).status])
    const dead = (await Promise.all(statuses)).filter(([, status]) => status === 404)
    expect([dead, inside.length > 50]).toEqual([[], true])
  })

  test("the search lists pages, best first", async () => {
    const { status, text } = await visitor.get(`/docs/search?q=nonce&lang=${locale}`)
    const found = all(text, /<li><a href="(\/docs\/[a-z_-]+)">[^<]+<\/a><p/g)
    expect([status, found.slice(0, 2).includes("/docs/verify-signatures")]).toEqual([200, true])
    expect(text).toContain('name="q" value="nonce"')
  })

  test("the test codes return the responses in their table", async () => {
    const rows = (await read("/docs.md")).matchAll(/^\| `(test-[a-z-]+)` +\| (\d+)(?: `(\w+)`)?/gm)
    const codes = await Promise.all(
      [...rows].map(async ([, code = "", status, reason = "ok"]) => {
        const response = await fetch(`${program.url}/api/purchases/validation`, {
          method: "POST",
          headers: { "X-Api-Key": publicTestSecret },
          body: new URLSearchParams({ purchase_code: code }),
        })
        const got = [String(response.status), response.headers.get("pazar-reason")]
        return [code, status === got[0], reason === got[1]]
      }),
    )
    expect(codes.toSorted()).toEqual(testCodes.map((code) => [code, true, true]).toSorted())
  })
})

test("llms.txt lists the pages for products in both languages", async () => {
  const { text, headers } = await visitor.get("/llms.txt")
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8")
  const links = all(text, /\]\((.*?)\)/g)
  const productPages = docsPages.filter(({ group }) => group !== "operators")
  expect(links).toEqual([
    ...locales.flatMap((locale) =>
      ["/docs", ...productPages.map(pathOf)].map(
        (path) => `${program.url}${path}.md?lang=${locale}`,
      ),
    ),
    `${program.url}/openapi.json`,
  ])
})

test("a query is escaped, and cut at its longest", async () => {
  const read = async (query: string) =>
    (await visitor.get(`/docs/search?${new URLSearchParams({ q: query })}`)).text
  expect(await read('"><script>alert(1)</script>')).not.toContain("<script>alert")
  const long = await read("x".repeat(5_000))
  expect(long).toContain(`value="${"x".repeat(100)}"`)
  expect(await read("")).toContain("docs-index")
  expect((await visitor.get("/docs/search?q=%00&q=b")).status).toBe(200)
})

test("404: unknown pages", async () => {
  const requests = ["/docs/none", "/docs/none.md", "/docs/ship-a-key/x", "/docs/"].map((path) =>
    visitor.get(path),
  )
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([404, 404, 404, 404])
})

describe("the key in the samples", () => {
  const keyIn = (page: string) => [...new Set(page.match(/pzr_tk_\w{36}/g))]

  test("is the public test key for visitors and for authors without a test key", async () => {
    const elif = await openSignedIn(program.url, "elif")
    expect(keyIn((await visitor.get("/docs")).text)).toEqual([publicTestSecret])
    expect(keyIn((await elif.get("/docs")).text)).toEqual([publicTestSecret])
  })

  test("is the author's own valid test key; showing it is not recorded", async () => {
    const elif = await openSignedIn(program.url, "elif")
    const { key, secret } = await program.issue("elif", "tk")
    const events = () =>
      program.app.store.audit.list({ accountId: key.accountId, kind: "key" }, null, 100)
    const before = await events()
    const pages = ["/docs", "/docs/move-from-envato", "/docs/read_item"].map(
      async (path) => (await elif.get(path)).text,
    )
    expect((await Promise.all(pages)).map(keyIn)).toEqual([[secret], [secret], [secret]])
    const others = [await elif.get("/docs.md"), await visitor.get("/docs")]
    expect(others.map(({ text }) => keyIn(text))).toEqual([[publicTestSecret], [publicTestSecret]])
    expect(await events()).toEqual(before)
    await revokeKey(program.app.keyServices(commandLine), key)
    expect(keyIn((await elif.get("/docs")).text)).toEqual([publicTestSecret])
  })
})

describe("the language of an author", () => {
  const languageOf = (page: string) => /<html lang="(\w+)">/.exec(page)?.[1]

  test("changes on any page and returns to it", async () => {
    const elif = await openSignedIn(program.url, "elif")
    for (const path of ["/docs", "/docs/read_item"]) {
      for (const locale of ["tr", "en"]) {
        const { text } = await elif.get(path)
        expect(text).toContain(`<input type="hidden" name="next" value="${path}"/>`)
        expect(text).toContain('action="/workspace/elif/settings/language"')
        const fields = { locale, next: path }
        const { status, location } = await elif.submit("/workspace/elif/settings/language", fields)
        expect([status, location]).toEqual([303, path])
        expect(languageOf((await elif.get(path)).text)).toBe(locale)
        expect(languageOf((await elif.get("/workspace/elif")).text)).toBe(locale)
      }
    }
  })

  test.each(["https://evil.example", "//evil.example", "/docs\\evil", "/docsevil", "/logout"])(
    "never redirects outside of the pages: %s",
    async (next) => {
      const elif = await openSignedIn(program.url, "elif")
      const fields = { locale: "en", next }
      const { location } = await elif.submit("/workspace/elif/settings/language", fields)
      expect(location).toBe(next.startsWith("/docs") ? "/docs" : "/workspace")
    },
  )
})
