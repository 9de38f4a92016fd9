/** Where the descriptions of the API are served. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import manifest from "../../../package.json"
import { createDocument } from "../../../src/http/openapi/document.ts"
import { createOperatorDocument } from "../../../src/http/openapi/operator-document.ts"
import { languages } from "../../both-stores/api/messages.ts"
import { type Program, startProgram } from "../../harness/program.ts"

const token = "operator-token-of-this-test-1234"
const publicUrl = "https://market.invalid"
let program: Program
beforeAll(async () => {
  program = await startProgram({ PAZAR_OPERATOR_TOKEN: token, PAZAR_PUBLIC_URL: publicUrl })
})
afterAll(() => program.close())

const documents = [
  { path: "/openapi.json", create: createDocument, headers: {} },
  {
    path: "/operator/openapi.json",
    create: createOperatorDocument,
    headers: { Authorization: `Bearer ${token}` },
  },
]
const { version } = manifest
const options = { version, baseUrl: publicUrl, locale: "en" } as const

describe.each(documents)("$path", ({ path, create, headers }) => {
  const ask = (more: Record<string, string> = {}, query = "", method = "GET") =>
    fetch(`${program.url}${path}${query}`, { method, headers: { ...headers, ...more } })

  test("200: the document, with the address that links are built from", async () => {
    const response = await ask()
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8")
    expect(await response.text()).toBe(JSON.stringify(await create(options)))
  })

  test("200: in the language that was asked for", async () => {
    const turkish = JSON.stringify(await create({ ...options, locale: "tr" }))
    for (const response of [await ask({}, "?lang=tr"), await ask({ "Accept-Language": "tr" })]) {
      expect(response.headers.get("content-language")).toBe("tr")
      expect(await response.text()).toBe(turkish)
    }
  })

  test("304: to a client that has it; the other language is another document", async () => {
    const tag = (await ask()).headers.get("etag") ?? ""
    const again = await ask({ "If-None-Match": tag })
    expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, tag, ""])
    expect((await ask({ "If-None-Match": tag }, "?lang=tr")).status).toBe(200)
  })

  test("200: HEAD without the body; 405: any other method", async () => {
    const head = await ask({}, "", "HEAD")
    expect([head.status, await head.text()]).toEqual([200, ""])
    const posted = await ask({}, "", "POST")
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })

  test("both languages differ in their texts only", async () => {
    const structures = await Promise.all(
      languages.map(async (locale) =>
        JSON.stringify(await create({ ...options, locale }), (name, value) =>
          typeof value === "string" && /^(title|summary|description)$/.test(name) ? "" : value,
        ),
      ),
    )
    expect(structures[1]).toBe(structures[0] ?? "")
  })
})

test("401: the operator's document needs the token", async () => {
  const response = await fetch(`${program.url}/operator/openapi.json`)
  expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"])
})
