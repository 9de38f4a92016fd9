import { afterAll, beforeAll, expect, test } from "bun:test"
import { createPazar, type PazarOptions } from "../../sdk/src/index.ts"
import { createMemoryStore } from "../../sdk/test/fake-server.ts"
import {
  bodies,
  type Marketplace,
  openMarketplace,
  plain,
  revoked,
  sold,
} from "../harness/marketplace.ts"
import { runPazar } from "../harness/run-pazar.ts"
import { until } from "../harness/until.ts"

let market: Marketplace
let keys: readonly string[]
beforeAll(async () => {
  market = await openMarketplace()
  const response = await fetch(`${market.url}/.well-known/pazar-keys.json`)
  keys = JSON.parse(await response.text()).keys.map(({ x }: { x: string }) => x)
})
afterAll(() => market.close())

const open = (key: string, options: Partial<PazarOptions> = {}) =>
  createPazar({ baseUrl: market.url, key, keys, store: createMemoryStore(), ...options })
const product = (options: Partial<PazarOptions> = {}) =>
  open(market.keys.validation, { items: [11], ...options })
const code = String(sold.purchase_code)

test("200: a sold code is active in every notation", async () => {
  for (const pasted of [code, ` ${code}\n`, code.toUpperCase(), code.replaceAll("-", "–")]) {
    expect(await product().check(pasted)).toMatchObject({
      isActive: true,
      isVerified: true,
      state: "valid",
      source: "server",
      purchase: JSON.parse(bodies.purchase("en", sold, plain)).data.purchase,
    })
  }
})

test("404: an unknown, a refunded and another item's code get a signed invalid response", async () => {
  const check = async (pasted: unknown, items = [11]) => product({ items }).check(String(pasted))
  expect(await check("no-such-code")).toMatchObject({ state: "invalid", reason: "unknown_code" })
  expect(await check(revoked.purchase_code)).toMatchObject({ reason: "revoked_code" })
  expect(await check(code, [12])).toMatchObject({ state: "invalid", reason: "other_item" })
})

test("a stored response is valid without the server, for its own code only", async () => {
  const store = createMemoryStore()
  await product({ store }).check(code)
  const fetch = () => Promise.reject(new Error("offline"))
  expect(await product({ store, fetch }).cached(code)).toMatchObject({ isActive: true })
  expect(await product({ store, fetch }).check("another")).toMatchObject({ isActive: false })
})

/** Forwards requests to the real server after `change`, and returns its responses unchanged. */
const openRelay = (change: (form: URLSearchParams) => void) =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = new URLSearchParams(await request.text())
      change(body)
      const { pathname } = new URL(request.url)
      return fetch(`${market.url}${pathname}`, { method: "POST", body })
    },
  })

test("a relay that changes the request gets a genuine invalid response, which has no effect", async () => {
  const site = "shop.com"
  const changes: readonly ((form: URLSearchParams) => void)[] = [
    // The key of another author: the same code and nonce, and a signed 404.
    (form) => form.set("api_key", market.keys.bob),
    (form) => form.set("purchase_code", "no-such-code"),
    (form) => {
      form.set("purchase_code", `${code}\n${site}`)
      form.delete("site")
    },
  ]
  for (const change of changes) {
    const store = createMemoryStore()
    expect(await product({ store, site }).check(code)).toMatchObject({ source: "server" })
    const relay = openRelay(change)
    const { href: baseUrl } = relay.url
    expect(await product({ site, baseUrl }).check(code)).toMatchObject({ state: "unknown" })
    const result = await product({ store, site, baseUrl }).check(code, { force: true })
    expect(result).toMatchObject({ isActive: true, state: "valid", source: "cache" })
    await relay.stop(true)
  }
})

test("a relay that changes nothing has no effect", async () => {
  const relay = openRelay(() => {})
  const { href: baseUrl } = relay.url
  expect(await product({ baseUrl, site: "a.example" }).check(code)).toMatchObject({
    isActive: true,
  })
  expect(await product({ baseUrl }).check("no-such-code")).toMatchObject({ state: "invalid" })
  await relay.stop(true)
})

/** The id of the signing key, or null if a product that pins only `x` rejects the response. */
async function findSigner(x: string): Promise<string | null> {
  const store = createMemoryStore()
  const { isActive } = await product({ keys: [x], store }).check(code)
  return isActive ? (/keyid=\\"(.+?)\\"/.exec(store.text() ?? "")?.[1] ?? null) : null
}

test("a product that pins one key follows the server through two rotations", async () => {
  const signers = await Promise.all(keys.map(findSigner))
  const current = signers.findIndex((signer) => signer !== null)
  for (const _ of ["once", "again"]) {
    const rotated = await runPazar(market.folder, ["signing-key", "rotate"])
    expect(rotated.status).toBe(0)
  }
  const signer = await until(async () => {
    const found = await findSigner(keys[current] ?? "")
    return found === signers[current] ? undefined : found
  })
  expect(signer).not.toBeNull()
})

test("the response to a test key is valid only for a test key", async () => {
  const store = createMemoryStore()
  await open(market.keys.test, { store }).check("test-regular")
  const cached = (key: string) => open(key, { store, items: [1] }).cached("test-regular")
  expect(await cached(market.keys.test)).toMatchObject({ isActive: true })
  expect(await cached(market.keys.validation)).toMatchObject({ isActive: false })
})
