import { afterAll, beforeAll, expect, test } from "bun:test"
import { createPazar } from "../../sdk/src/index.ts"
import { createMemoryStore } from "../../sdk/test/fake-server.ts"
import { publicTestSecret } from "../../src/contract/operation.ts"
import { readApiResponse, sendApiRequest } from "../harness/http/api-request.ts"
import { errorBody, languages, operations } from "../harness/http/contract-messages.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import {
  ada,
  importedSecret,
  type Marketplace,
  openMarketplace,
  sold,
} from "../harness/marketplace.ts"
import { until } from "../harness/until.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace()
})
afterAll(() => market.close())

/** Waits until the key cache is updated, which takes up to a second. */
async function suspend(isSuspended: boolean): Promise<void> {
  expect((await market.load([{ ...ada, suspended: isSuspended }])).rejected).toBe(0)
  for (const key of [market.keys.secret, market.keys.validation]) {
    await until(async () =>
      ((await reasonOf(key)) === "account_suspended") === isSuspended ? true : undefined,
    )
  }
}
const reasonOf = async (key: string) =>
  (await fetch(`${market.url}/api/account/details?api_key=${key}`)).headers.get("pazar-reason")

const code = String(sold.purchase_code)
const parameters = { item_id: "11", purchase_code: code }
const request = { parameters, transport: "query", keyTransport: "X-Api-Key" } as const

test("403: every operation, key and rendering, with the operation's error body and no challenge", async () => {
  await suspend(true)
  const keys = { ...market.keys, imported: importedSecret }
  const { bob: _, empty: __, ...adaKeys } = keys
  for (const key of Object.values(adaKeys)) {
    for (const operation of operations) {
      for (const language of languages) {
        const headers = { "Accept-Language": language }
        const response = await sendApiRequest(market.url, { ...request, operation, key, headers })
        expect(response).toMatchObject({
          status: 403,
          reason: "account_suspended",
          body: errorBody(operation.message[language], language),
        })
        expect(response.headers).not.toHaveProperty("www-authenticate")
      }
    }
  }
  await suspend(false)
})

test("403: the sale in Envato's schema has its own body", async () => {
  const findSale = async () =>
    readApiResponse(
      await openapiFetch(`${market.url}/v3/market/author/sale?code=${code}`, {
        headers: { Authorization: `Bearer ${market.keys.validation}` },
      }),
    )
  await suspend(true)
  expect(await findSale()).toMatchObject({
    status: 403,
    reason: "account_suspended",
    body: '{"error":403,"description":"The key is not allowed to do this"}',
  })
  await suspend(false)
  expect((await findSale()).status).toBe(200)
})

test("401: an inactive key takes precedence; other accounts and the public test key are not affected", async () => {
  const others = [
    market.inactiveKeys.revoked,
    market.inactiveKeys.expired,
    market.keys.bob,
    publicTestSecret,
  ]
  const reasons = () => Promise.all(others.map(reasonOf))
  const before = await reasons()
  await suspend(true)
  expect(await reasons()).toEqual(before)
  expect(before).toEqual(["revoked_key", "expired_key", "ok", "ok"])
  await suspend(false)
})

test("the client returns unknown, and valid again after the account is resumed", async () => {
  const pazar = createPazar({
    baseUrl: market.url,
    key: market.keys.validation,
    items: [11],
    store: createMemoryStore(),
  })
  await suspend(true)
  expect(await pazar.check(code)).toMatchObject({
    state: "unknown",
    reason: "account_suspended",
  })
  await suspend(false)
  expect(await pazar.check(code, { force: true })).toMatchObject({ state: "valid" })
})

test("a record without the field changes nothing; an export contains it only while it is true", async () => {
  const exported = async () =>
    (await market.dump()).split("\n").find((line) => line.includes('"ada"'))
  const before = await exported()
  expect(before).not.toContain("suspended")
  await suspend(true)
  expect(await exported()).toBe(`${before?.slice(0, -1)},"suspended":true}`)
  expect((await market.load(await market.dump())).rejected).toBe(0)
  expect(await exported()).toContain('"suspended":true}')
  await market.load([ada])
  expect(await exported()).toContain('"suspended":true}')
  await suspend(false)
  expect(await exported()).toBe(before)
})
