import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import { checkIdentityProvider } from "../doctor/check-store.ts"
import { createIdentityProvider, type ProviderFailed } from "./identity.ts"

let answer: (path: string) => Response | Promise<Response>
let asked: string[] = []
let server: ReturnType<typeof Bun.serve>
let metadata: Readonly<Record<string, unknown>>
let settings: Parameters<typeof createIdentityProvider>[0]

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url)
      asked.push(pathname)
      return answer(pathname)
    },
  })
  const issuer = server.url.origin
  settings = { issuer, clientId: "pazar", clientSecret: "secret", accountClaim: null }
  metadata = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  }
})
beforeEach(() => {
  asked = []
  answer = () => Response.json(metadata)
})
afterAll(() => server.stop(true))

const open = () => {
  const failures: ProviderFailed[] = []
  const provider = createIdentityProvider(settings, (failure) => failures.push(failure), 100)
  const secrets = { state: "s", nonce: "n", verifier: "v".repeat(43) }
  const complete = (query: string) =>
    provider.complete(new URLSearchParams(query), secrets, "http://127.0.0.1/back")
  return { ...provider, complete, failures }
}

test("the metadata is read once for many visitors", async () => {
  const { begin } = open()
  await Promise.all([begin("http://127.0.0.1/back", false), begin("http://127.0.0.1/back", true)])
  await begin("http://127.0.0.1/back", false)
  expect(asked).toEqual(["/.well-known/openid-configuration"])
})

test("metadata that failed is read again by the next visitor", async () => {
  const { begin, failures } = open()
  answer = () => new Response("down", { status: 502 })
  await expect(begin("", false)).rejects.toMatchObject({ kind: "unavailable" })
  answer = () => Response.json(metadata)
  await begin("", false)
  expect(failures).toHaveLength(1)
})

const html = () => new Response("<p>Sign in</p>", { headers: { "Content-Type": "text/html" } })

test.each<[string, () => Response | Promise<Response>]>([
  ["is silent", () => new Promise<Response>(() => {})],
  ["is a web page", html],
  ["redirects", () => Response.redirect("http://127.0.0.1:1/", 302)],
  ["names another issuer", () => Response.json({ ...metadata, issuer: "https://evil.example" })],
  ["names no issuer", () => Response.json({ ...metadata, issuer: undefined })],
  ["is no object", () => Response.json([])],
])("unavailable: metadata that %s", async (_, respond) => {
  answer = respond
  const { begin, failures } = open()
  await expect(begin("http://127.0.0.1/back", false)).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringMatching(/^metadata: /),
  })
  expect(failures).toHaveLength(1)
})

test("unavailable: an endpoint that is no web address, or on plain HTTP with an https issuer", async () => {
  for (const authorization_endpoint of [undefined, "javascript:alert(1)", "/auth", "https://a.b"]) {
    answer = () => Response.json({ ...metadata, authorization_endpoint })
    await expect(open().begin("http://127.0.0.1/back", false)).rejects.toMatchObject({
      kind: "unavailable",
    })
  }
})

test.each<[string, () => Response | Promise<Response>, ProviderFailed["kind"]]>([
  ["is silent", () => new Promise<Response>(() => {}), "unavailable"],
  ["is a web page", html, "unavailable"],
  ["is an outage", () => new Response("", { status: 503 }), "unavailable"],
  ["knows no such client", () => failed("invalid_client", 401), "unavailable"],
  ["knows no such code", () => failed("invalid_grant", 400), "rejected"],
  ["has no ID token", () => Response.json({ access_token: "a", token_type: "bearer" }), "rejected"],
])("a token endpoint that %s", async (_, respond, kind) => {
  answer = (path) => (path === "/token" ? respond() : Response.json(metadata))
  const { complete, failures } = open()
  await expect(complete("code=secret-code&state=s")).rejects.toMatchObject({ kind })
  expect(failures.map(({ message }) => message).join()).not.toContain("secret")
})

const failed = (error: string, status: number) =>
  Response.json({ error, error_description: "the secret is secret" }, { status })

test("unsigned tokens, and those signed with the secret of the client, are rejected", async () => {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: settings.issuer,
    aud: "pazar",
    sub: "7",
    nonce: "n",
    iat: now,
    exp: now + 60,
  }
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
  for (const alg of ["none", "HS256"]) {
    const signed = `${encode({ alg })}.${encode(claims)}`
    const signature = new Bun.CryptoHasher("sha256", "secret").update(signed).digest("base64url")
    const id_token = `${signed}.${alg === "none" ? "" : signature}`
    const algorithms = { id_token_signing_alg_values_supported: ["none", "HS256", "RS256"] }
    answer = (path) =>
      path === "/token"
        ? Response.json({ access_token: "a", token_type: "bearer", id_token })
        : Response.json({ ...metadata, ...algorithms })
    await expect(open().complete("code=c&state=s")).rejects.toMatchObject({
      name: "ProviderFailed",
    })
  }
})

test("canceled: the visitor did not consent", async () => {
  const { complete, failures } = open()
  await expect(complete("error=access_denied&state=s")).rejects.toMatchObject({ kind: "canceled" })
  expect(failures).toEqual([])
  await expect(complete("error=%3Cb%3Esecret&state=s")).rejects.toMatchObject({
    message: expect.not.stringContaining("secret"),
  })
})

test("doctor: whether the provider responds", async () => {
  expect(await checkIdentityProvider({ identityProvider: null })).toEqual([])
  const check = async () =>
    (await checkIdentityProvider({ identityProvider: settings })).map(({ level }) => level)
  expect(await check()).toEqual(["ok"])
  answer = html
  expect(await check()).toEqual(["problem"])
})
