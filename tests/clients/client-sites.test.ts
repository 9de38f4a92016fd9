import { afterAll, beforeAll, expect, test } from "bun:test"
import { createPazar, type PazarOptions, type Store } from "../../sdk/src/index.ts"
import { createMemoryStore } from "../../sdk/test/fake-server.ts"
import { readKeySet } from "../harness/http/key-set.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import { type Marketplace, openMarketplace, sold } from "../harness/marketplace.ts"

const code = String(sold.purchase_code)
const dayMs = 86_400_000
let market: Marketplace
let keys: readonly string[]
beforeAll(async () => {
  market = await openMarketplace()
  keys = (await readKeySet(market.url)).map(({ x }) => x)
  await market.app.store.sites.putLimits(11, { sites: 1, byLicense: {} })
})
afterAll(() => market.close())

const open = (site: string, options: Partial<PazarOptions> = {}) =>
  createPazar({
    baseUrl: market.url,
    key: market.keys.validation,
    items: [11],
    keys,
    site,
    store: createMemoryStore(),
    fetch: openapiFetch,
    ...options,
  })

test("one site is activated and stays active; a second needs the release of the first", async () => {
  const [first, second] = [createMemoryStore(), createMemoryStore()]
  const valid = { state: "valid", source: "server" }
  const limited = { state: "invalid", reason: "site_limit" }
  expect(await open("https://www.shop.com/", { store: first }).check(code)).toMatchObject(valid)
  expect(await open("other.com", { store: second }).check(code)).toMatchObject(limited)
  expect(await open("staging.other.com").check(code)).toMatchObject(valid)
  expect(await open("").check(code)).toMatchObject(valid)
  const later = { now: () => Date.now() + dayMs }
  const shop = await open("https://www.shop.com/", { store: first, ...later }).check(code)
  expect(shop).toMatchObject(valid)

  expect(await open("other.com").release(code)).toMatchObject({ state: "absent" })
  const released = await open("other.com").release(code, "shop.com")
  expect(released).toMatchObject({ state: "released" })
  expect(await open("other.com", { store: second, ...later }).check(code)).toMatchObject(valid)
  const muchLater = { now: () => Date.now() + 2 * dayMs }
  const again = await open("https://www.shop.com/", { store: first, ...muchLater }).check(code)
  expect(again).toMatchObject({ ...limited, isActive: true })
})

test("a receipt copied to another site is invalid there", async () => {
  await open("other.com").release(code)
  const store = createMemoryStore()
  await open("shop.com", { store }).check(code)
  const copy = createMemoryStore((store.text() ?? "").replaceAll("shop.com", "evil.com"))
  const cached = (site: string, copied: Store) => open(site, { store: copied }).cached(code)
  expect(await cached("shop.com", store)).toMatchObject({ isActive: true })
  expect(await cached("evil.com", store)).toMatchObject({ isActive: false })
  expect(await cached("evil.com", copy)).toMatchObject({ isActive: false })
  expect(await open("evil.com").check(code)).toMatchObject({ reason: "site_limit" })
})

test("a release without a site, of another author's code, and too often", async () => {
  expect(await open("").release(code)).toMatchObject({ reason: "missing_parameter" })
  expect(await open("shop.com").release("no-such-code")).toMatchObject({ state: "absent" })
  const bob = open("shop.com", { key: market.keys.bob })
  expect(await bob.release(code)).toMatchObject({ state: "absent" })
  const states: string[] = []
  for (let turn = 0; turn < 6; turn += 1) {
    await open("shop.com").check(code)
    const released = await open("shop.com").release(code)
    states.push(released.state === "unknown" ? released.reason : released.state)
  }
  expect(states).toEqual([
    ...Array.from({ length: 3 }, () => "released"),
    ...Array.from({ length: 3 }, () => "rate_limited"),
  ])
})

test("the site limit of the test key", async () => {
  const key = market.keys.test
  const options = { key, items: [1] }
  expect(await open("localhost", options).check("test-site-limit")).toMatchObject({
    state: "invalid",
    reason: "site_limit",
  })
  expect(await open("", options).check("test-site-limit")).toMatchObject({ state: "valid" })
  expect(await open("a.com", options).release("test-regular")).toMatchObject({ state: "released" })
  expect(await open("a.com", options).release("test-rate-limited")).toMatchObject({
    reason: "rate_limited",
  })
})
