import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { owaspCost } from "../../src/people/password.ts"
import { describeWait } from "../../src/people/password-pages.tsx"
import { assets } from "../../src/platform/pages/assets.ts"
import { errorTexts } from "../../src/platform/pages/layout.tsx"
import { inLocale, t } from "../../src/platform/t.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import {
  openSignedIn,
  openVisitor,
  type PageResponse,
  type Visitor,
} from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"

let program: Program
let elif: Visitor
let token: string
let keyId: string
beforeAll(async () => {
  program = await startSampleWorkspace()
  elif = await openSignedIn(program.url, "elif")
  token = await elif.formToken()
  keyId = (await program.issue("elif")).key.id
})
afterAll(() => program.close())

const failures: Readonly<
  Record<403 | 404 | 405 | 413 | 500 | 503, (lang: string) => Promise<PageResponse>>
> = {
  403: (lang) => elif.post("/workspace/elif/check", {}, { "Accept-Language": lang }),
  404: (lang) => elif.get("/nowhere", { "Accept-Language": lang }),
  405: (lang) => elif.sendRequest("/", { method: "DELETE", headers: { "Accept-Language": lang } }),
  413: (lang) =>
    elif.post("/workspace/elif/check", { x: "x".repeat(70_000) }, { "Accept-Language": lang }),
  async 500(lang) {
    await queryStore(
      program,
      "UPDATE api_keys SET encrypted = ? WHERE id = ?",
      new Uint8Array(64),
      keyId,
    )
    const path = `/workspace/elif/settings/keys/${keyId}/reveal`
    return elif.post(path, { form_token: token }, { "Accept-Language": lang })
  },
  async 503(lang) {
    await queryStore(program, "ALTER TABLE sessions RENAME TO gone")
    const response = await elif.get("/workspace/elif", { "Accept-Language": lang })
    await queryStore(program, "ALTER TABLE gone RENAME TO sessions")
    return response
  },
}

const guarded: Readonly<Record<string, string | null>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' https: http:; media-src https: http:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "strict-transport-security": null,
}
const guards = ({ headers }: Pick<PageResponse, "headers">) =>
  Object.fromEntries(Object.keys(guarded).map((name) => [name, headers.get(name)]))

describe("errors", () => {
  const cases = ([403, 404, 405, 413, 500, 503] as const).flatMap((status) =>
    (["en", "tr"] as const).map((lang) => ({ status, lang })),
  )
  test.each(cases)(
    "$status: in the reader's language ($lang), with the security headers of any page",
    async ({ status, lang }) => {
      const response = await failures[status](lang)
      const { title, text } = errorTexts[status]
      expect(response.status).toBe(status)
      expect(response.headers.get("content-type")).toBe("text/html; charset=UTF-8")
      expect(response.headers.get("cache-control")).toBe("private, no-store")
      expect(guards(response)).toEqual(guarded)
      expect(/<html lang="(\w+)">/.exec(response.text)?.[1]).toBe(lang)
      const page = unescapeHtml(response.text)
      expect(/<h1>(.*?)<\/h1>/.exec(page)?.[1]).toBe(inLocale(lang, () => t(title)))
      expect(page).toContain(inLocale(lang, () => t(text)))
      expect(response.headers.get("retry-after")).toBe(status === 503 ? "5" : null)
      expect(response.headers.get("allow")).toBe(status === 405 ? "GET, HEAD, POST" : null)
    },
  )

  test("404: a signed-in author keeps the navigation and gets no sign-in link", async () => {
    const paths = ["/workspace/nowhere", "/workspace/elif/items/9999", "/nowhere", "/"]
    for (const path of paths) {
      const [inside, outside] = [await elif.get(path), await openVisitor(program.url).get(path)]
      expect(inside.text).toMatch(/href="\/workspace(?:\/elif)?"/)
      expect([path, inside.text.includes('href="/login"')]).toEqual([path, false])
      expect(outside.text).not.toContain('action="/logout"')
    }
    const missing = unescapeHtml((await elif.get("/workspace/elif/settings/keys/key_none")).text)
    expect(missing).toContain(`<nav aria-label="Workspace">`)
    expect(missing).toContain('action="/logout"')
    expect(missing).toContain(`<a href="/workspace/elif">Go to the overview</a>`)
  })

  test.each(["en", "tr"] as const)("429: in the reader's language (%s)", async (lang) => {
    const other = await startSampleWorkspace()
    const visitor = openVisitor(other.url, { "Accept-Language": lang })
    const form_token = await visitor.formToken("/login")
    const fail = () => visitor.post("/login", { form_token, name: "elif", password: "wrong" })
    for (let i = 0; i < 10; i += 1) await fail()
    const response = await fail()
    await other.close()
    expect(response.status).toBe(429)
    expect(guards(response)).toEqual(guarded)
    expect(unescapeHtml(response.text)).toContain(inLocale(lang, () => describeWait(600)))
  })

  test("503: too many concurrent sign-ins get Retry-After", async () => {
    const other = await startSampleWorkspace(
      { PAZAR_TRUSTED_PROXIES: "127.0.0.1" },
      { passwordCost: owaspCost },
    )
    const visitor = openVisitor(other.url)
    const form_token = await visitor.formToken("/login")
    const sent = Array.from({ length: 80 }, (_, at) => {
      const fields = { form_token, name: `guess-${at}`, password: "wrong" }
      // Each request has its own IP range: a single one would reach its limit first.
      return visitor.post("/login", fields, { "X-Forwarded-For": `10.0.${at}.1` })
    })
    const responses = await Promise.all(sent)
    const fault = other.logged()
    await other.close()
    const kinds = responses.map(({ status, headers }) => `${status} ${headers.get("retry-after")}`)
    expect(new Set(kinds)).toEqual(new Set(["401 null", "503 5"]))
    expect(fault).not.toContain('"level":"error"')
  })
})

describe("pages", () => {
  const paths = [
    ...[
      "/",
      "/docs",
      "/docs/ship-a-key",
      "/docs/validate_purchase",
      "/docs/search?q=key",
      "/docs.md",
      "/llms.txt",
      "/login",
      "/invite/none",
      "/nowhere",
      "/workspace",
      "/workspace/elif/items",
    ],
    ...["/workspace/elif/items/1001", "/workspace/elif/check", "/workspace/elif/settings"],
    ...["keys", "keys/new", "profile", "security", "language", "activity"].map(
      (tab) => `/workspace/elif/settings/${tab}`,
    ),
  ]
  test.each(paths)(
    "%s: has security headers and is never cached, signed in or not",
    async (path) => {
      for (const visitor of [elif, openVisitor(program.url)]) {
        const response = await visitor.get(path)
        expect(guards(response)).toEqual(guarded)
        expect(response.headers.get("cache-control")).toBe("private, no-store")
        expect(response.text).not.toMatch(/ style=|<style|<script>|javascript:| on[a-z]+="/)
      }
    },
  )

  test("HTTPS pages have HSTS", async () => {
    const secure = await startSampleWorkspace({ PAZAR_PUBLIC_URL: "https://api.example.com" })
    const responses = await Promise.all(
      ["/", "/workspace", "/nowhere"].map((path) => openVisitor(secure.url).get(path)),
    )
    await secure.close()
    expect(responses.map(guards)).toEqual(
      responses.map(() => ({ ...guarded, "strict-transport-security": "max-age=31536000" })),
    )
  })

  test.each(paths)("%s: HEAD returns the headers of GET without a body", async (path) => {
    const [head, get] = [await elif.sendRequest(path, { method: "HEAD" }), await elif.get(path)]
    expect([head.status, head.text, head.location]).toEqual([get.status, "", get.location])
    expect(guards(head)).toEqual(guarded)
  })

  test("405: other methods have no effect", async () => {
    const methods = ["PUT", "DELETE", "PATCH", "OPTIONS"]
    const statuses: number[] = []
    for (const path of [...paths, `/workspace/elif/settings/keys/${keyId}/revoke`]) {
      for (const method of methods) statuses.push((await elif.sendRequest(path, { method })).status)
    }
    expect(new Set(statuses)).toEqual(new Set([405]))
  })

  test("404: ids that no database can store", async () => {
    const responses = await Promise.all([
      ...["9".repeat(20), "9".repeat(400)].map((id) => elif.get(`/workspace/elif/items/${id}`)),
      elif.get("/workspace/elif/settings/keys/a%00b"),
      elif.submit("/workspace/elif/settings/security/sessions/a%00b"),
    ])
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })

  test("404: a form sent to a page that has none", async () => {
    expect((await elif.submit("/workspace/elif/items")).status).toBe(404)
  })
})

describe("assets", () => {
  test.each(assets.map((asset) => ({ ...asset })))(
    "$path: cached permanently, under a name that changes with its content",
    async ({ path, type, content }) => {
      const response = await openVisitor(program.url).get(path)
      expect(response.status).toBe(200)
      const served = await fetch(`${program.url}${path}`)
      expect(await served.bytes()).toEqual(await new Response(content).bytes())
      expect(response.headers.get("content-type")).toBe(type)
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      expect(guards(response)).toEqual(guarded)
      expect(response.headers.getSetCookie()).toEqual([])
      const head = await openVisitor(program.url).sendRequest(path, { method: "HEAD" })
      expect([head.status, head.text, head.headers.get("etag")]).toEqual([
        200,
        "",
        response.headers.get("etag"),
      ])
      const again = { "If-None-Match": response.headers.get("etag") ?? "" }
      const cached = await openVisitor(program.url).get(path, again)
      expect([cached.status, cached.text]).toEqual([304, ""])
    },
  )

  test("404: an unknown asset", async () => {
    const statuses = await Promise.all(
      ["/assets/", "/assets/style.css", "/assets/../workspace.tsx", "/assets/%2e%2e/app.ts"].map(
        async (path) => (await openVisitor(program.url).get(path)).status,
      ),
    )
    expect(statuses).toEqual([404, 404, 404, 404])
  })
})
