/** The response to any request is one of our pages with its security headers, and never a 5xx. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { propertyRuns } from "../harness/full-test-run.ts"
import { parseRaw, sendRaw } from "../harness/http/raw-http.ts"
import type { Program } from "../harness/program.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"

let program: Program
let cookie: string
let token: string
let keyId: string
beforeAll(async () => {
  program = await startSampleWorkspace({ PAZAR_TRUSTED_PROXIES: "127.0.0.1" })
  keyId = (await program.issue("elif")).key.id
})
afterAll(() => program.close())
beforeEach(async () => {
  const elif = openVisitor(program.url, { "X-Forwarded-For": nextAddress() })
  await elif.signIn("elif")
  cookie = [...elif.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  token = await elif.formToken()
})

/** A new IP range for every request, so that failures do not add up to a limit. */
let ipRanges = 0
function nextAddress(): string {
  ipRanges += 1
  return `10.${ipRanges >> 8}.${ipRanges & 255}.1`
}

const probe = `<x-probe a="'`

function expectSober({ status, headers, body }: ReturnType<typeof parseRaw>): void {
  expect(status).toBeLessThan(500)
  // The runtime rejects invalid HTTP with an empty response.
  if (body === "" && (status === 400 || status === 431)) return
  // A repeated or malformed Host is rejected before a page is selected.
  if (status === 400 && headers.get("pazar-reason") === "invalid_parameter") return
  expect(headers.get("content-security-policy")).toStartWith("default-src 'none'")
  expect(headers.get("x-content-type-options")).toBe("nosniff")
  const isRedirect = status === 303 || status === 302
  expect(headers.get("content-type")).toBe(isRedirect ? null : "text/html; charset=UTF-8")
  if (isRedirect) expect(headers.get("location")).toMatch(/^\/(login|workspace|docs)([/?][!-~]*)?$/)
  expect(body).not.toContain("<x-probe")
  expect(body).not.toContain(`"'`)
}

async function send(method: string, target: string, head: string, body = ""): Promise<void> {
  const start = `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`
  const text = `${start}X-Forwarded-For: ${nextAddress()}\r\n${head}\r\n${body}`
  expectSober(parseRaw(await sendRaw(program.url, Buffer.from(text, "latin1"))))
}

const bytes = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ..."/%?&=.;:@\\#<>\"'+-_~[]{}",
      "%00",
      "%ff",
      "%0d%0a",
      "%2e",
      "%2f",
      "<x-probe",
    ),
    fc
      .integer({ min: 0x21, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
  ),
  maxLength: 40,
})
const start = fc.constantFrom(
  ...[
    "/",
    "/login",
    "/login?next=/workspace/",
    "/invite/",
    "/docs",
    "/workspace",
    "/workspace/elif/items?q=",
  ],
  ...[
    "/workspace/elif/items?page=",
    "/workspace/elif/items/",
    "/workspace/elif/settings/keys/",
    "/assets/",
  ],
  ...["/workspace/elif/settings/", "/workspace/elif/settings/keys/new?kind=", "/?lang="],
  "/workspace/elif/settings/keys?page=",
)

test("any path and query", async () => {
  await fc.assert(
    fc.asyncProperty(start, bytes, fc.boolean(), (path, rest, isIn) =>
      send("GET", `${path}${rest}`, isIn ? `Cookie: ${cookie}\r\n` : ""),
    ),
    {
      numRuns: propertyRuns(250),
      examples: [
        ["/workspace/elif/items?q=", encodeURIComponent(probe), true],
        ["/workspace/elif/items?page=", "9", true],
      ],
    },
  )
})

test("any cookie and header", async () => {
  const name = fc.constantFrom(
    ...["Cookie: ", "Cookie: pazar=", "Cookie: pazar-visitor=", "Cookie: pazar-lang="],
    ...["Accept-Language: ", "User-Agent: ", "Referer: ", "X-Forwarded-For: ", "Origin: "],
    ...["Host: ", "X-Forwarded-Host: ", "Sec-Fetch-Site: ", "If-None-Match: ", "Accept: "],
  )
  const lines = fc.array(fc.tuple(name, bytes), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("/login", "/workspace", "/"), lines, (path, sent) =>
      send("GET", path, sent.map(([header, value]) => `${header}${value}\r\n`).join("")),
    ),
    { numRuns: propertyRuns(200) },
  )
})

/** Every form except those that sign out; password fields always have a wrong value. */
const formPaths = () => [
  ...[
    "/workspace/elif/check",
    "/workspace/elif/settings/keys",
    "/workspace/elif/settings/language",
  ],
  ...["/workspace/elif/settings/keys/find", "/workspace/elif/settings/webhooks"],
  ...["rename", "replace", "reveal", "hide", "revoke"].map(
    (action) => `/workspace/elif/settings/keys/${keyId}/${action}`,
  ),
  ...[
    "/workspace/elif/settings/security/password",
    "/workspace/elif/settings/security/sessions/none",
  ],
  ...["/login", "/invite/none", "/nowhere"],
]
const fieldNames = [
  ...["purchase_code", "form_id", "kind", "name", "scope", "items", "expiry", "overlap", "locale"],
  ...[
    "password",
    "repeat",
    "current",
    "next",
    "__proto__",
    "constructor",
    "form_token[]",
    "",
    "key",
  ],
  ...["url", "events"],
]

describe("any form", () => {
  const field = fc.tuple(
    fc.constantFrom(...fieldNames),
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.constantFrom(
        probe,
        "\0",
        "sk",
        "vk",
        "some",
        "1001",
        "key_0000000000000000",
        "9".repeat(400),
      ),
    ),
  )
  const fields = fc.array(field, { maxLength: 6 })

  test("urlencoded", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fields, async (at, fields) => {
        await queryStore(program, "UPDATE api_keys SET revoked_at = NULL")
        const pairs = fields.map(([name, value]): [string, string] => [name, value.toWellFormed()])
        const body = String(new URLSearchParams([["form_token", token], ...pairs]))
        const paths = formPaths()
        const head = `Cookie: ${cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`
        await send("POST", paths[at % paths.length] ?? "/", head, body)
      }),
      { numRuns: propertyRuns(150) },
    )
  })

  test("any bytes with any content type", async () => {
    const type = fc.constantFrom(
      ...["application/x-www-form-urlencoded", "multipart/form-data", "application/json", "x"],
      ...["multipart/form-data; boundary=x", 'multipart/form-data; boundary="', "text/plain"],
    )
    const part = fc.oneof(
      fc.constantFrom(
        "--x\r\n",
        "--x--",
        "\r\n\r\n",
        'Content-Disposition: form-data; name="',
        "&",
      ),
      fc.constantFrom("form_token", "=", "%", '"; filename="', "\0"),
      bytes,
    )
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        type,
        fc.array(part, { maxLength: 10 }),
        async (at, kind, parts) => {
          const body = parts.join("")
          const paths = formPaths()
          const head = `Cookie: ${cookie}\r\nContent-Type: ${kind}\r\nContent-Length: ${body.length}\r\n`
          await send("POST", paths[at % paths.length] ?? "/", head, body)
        },
      ),
      { numRuns: propertyRuns(150) },
    )
  })

  test.each(["%00", "a%00b", "%ED%A0%80", "%ED%B0%80x", "%FF%FE", "%", "%zz", "%F0%9F%98"])(
    "%s in every field of every form",
    async (value) => {
      for (const path of formPaths()) {
        await queryStore(program, "UPDATE api_keys SET revoked_at = NULL")
        const fields = fieldNames.map((name) => `${name}=${value}`).join("&")
        for (const form of [fields, `${fields}&kind=vk&scope=some&form_id=5555555555555555`]) {
          const body = `form_token=${token}&${form}`
          const head = `Cookie: ${cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`
          await send("POST", path, head, body)
        }
      }
    },
  )

  test("entered text is escaped", async () => {
    const elif = openVisitor(program.url, { "X-Forwarded-For": nextAddress() })
    await elif.signIn("elif")
    const escaped = "&lt;x-probe a=&quot;&#39;"
    const checked = await elif.submit("/workspace/elif/check", { purchase_code: probe })
    const searched = await elif.get(`/workspace/elif/items?${new URLSearchParams({ q: probe })}`)
    const tried = await openVisitor(program.url).signIn(probe, "not this one")
    const rename = `/workspace/elif/settings/keys/${keyId}/rename`
    await elif.submit(rename, { name: probe })
    const renamed = await elif.get(`/workspace/elif/settings/keys/${keyId}`)
    for (const { text } of [checked, searched, tried, renamed]) {
      expect(text).toContain(escaped)
      expect(text).not.toContain("<x-probe")
    }
  })
})

describe("413: a form of more than 64 KB", () => {
  const sized = (bytes: number) => {
    const start = `form_token=${token}&purchase_code=`
    return start + "x".repeat(bytes - start.length)
  }
  const post = (body: string) =>
    openVisitor(program.url).sendRequest("/workspace/elif/check", {
      method: "POST",
      headers: { Cookie: cookie, "Content-Type": "application/x-www-form-urlencoded" },
      body,
    })

  test("is rejected, and one of exactly 64 KB is not", async () => {
    const [fits, tooLong] = [await post(sized(65_536)), await post(sized(65_537))]
    expect([fits.status, tooLong.status]).toEqual([200, 413])
  })

  test("is rejected without a Content-Length too", async () => {
    const head = `POST /workspace/elif/check HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: ${cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n`
    const body = `form_token=${token}`
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const response = parseRaw(await sendRaw(program.url, head, chunk))
    expect([response.status, response.headers.get("content-type")]).toEqual([
      413,
      "text/html; charset=UTF-8",
    ])
  })
})

describe("links and redirects are never built from the Host of a request", () => {
  const heads: readonly string[] = [
    "HTTP/1.1\r\nHost: evil.example\r\n",
    "HTTP/1.1\r\nHost: x\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\n",
    "HTTP/1.1\r\nHost: \r\n",
    "HTTP/1.0\r\n",
  ]
  test.each(heads)("%j", async (head) => {
    const sendRequest = async (target: string) =>
      parseRaw(await sendRaw(program.url, `GET ${target} ${head}Connection: close\r\n\r\n`))
    const [inside, docs, login] = [
      await sendRequest("/workspace/elif/items?q=1"),
      await sendRequest("/docs"),
      await sendRequest("/login"),
    ]
    expect([inside.status, inside.headers.get("location")]).toEqual([
      303,
      "/login?next=%2Fworkspace%2Felif%2Fitems%3Fq%3D1",
    ])
    expect([docs.status, login.status]).toEqual([200, 200])
    expect(docs.body + login.body).not.toContain("evil")
    expect(docs.body).toContain(program.url)
  })

  test.each(["evil.example/@x", "evil example<>"])("400: %j is not a host", async (host) => {
    const head = `GET /workspace HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    const { status, headers, body } = parseRaw(await sendRaw(program.url, head))
    expect([status, headers.get("location")]).toEqual([400, null])
    expect(body).not.toContain("evil")
  })
})
