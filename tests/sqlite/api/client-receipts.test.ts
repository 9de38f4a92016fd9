/** Signed answers of the real server, as the TypeScript client judges them. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { createPazar, type PazarOptions } from "../../../sdk/src/index.ts"
import {
  bodies,
  type Marketplace,
  openMarketplace,
  plain,
  revoked,
  sold,
} from "../../both-stores/api/marketplace.ts"
import { until } from "../../contracts/until.ts"
import { runPazar } from "../../harness/command.ts"

let market: Marketplace
let keys: readonly string[]
beforeAll(async () => {
  market = await openMarketplace()
  const response = await fetch(`${market.url}/.well-known/pazar-keys.json`)
  keys = JSON.parse(await response.text()).keys.map(({ x }: { x: string }) => x)
})
afterAll(() => market.close())

const open = (key: string, options: Partial<PazarOptions> = {}) =>
  createPazar({ baseUrl: market.url, key, keys, retries: 0, ...options })
const product = (options: Partial<PazarOptions> = {}) =>
  open(market.keys.validation, { items: [11], ...options })
const code = String(sold.purchase_code)

async function receive(key: string, pasted: string) {
  const outcome = await open(key, { items: [1, 11] }).validate(pasted)
  if (outcome.state !== "valid" || outcome.receipt === undefined) throw new Error("no receipt")
  return outcome.receipt
}

test("200: a code that was sold gives a receipt, however it was pasted", async () => {
  const body = bodies.purchase("en", sold, plain)
  for (const pasted of [code, ` ${code}\n`, code.toUpperCase(), code.replaceAll("-", "–")]) {
    expect(await product().validate(pasted)).toMatchObject({
      state: "valid",
      source: "server",
      receipt: { status: 200, body },
    })
  }
})

test("404: an unknown, a refunded and another item's code are a signed no", async () => {
  const ask = async (pasted: unknown, items = [11]) => product({ items }).validate(String(pasted))
  expect(await ask("no-such-code")).toMatchObject({ state: "invalid", reason: "unknown_code" })
  expect(await ask(revoked.purchase_code)).toMatchObject({ reason: "revoked_code" })
  expect(await ask(code, [12])).toMatchObject({ state: "invalid", reason: "other_item" })
})

test("a receipt holds without the server, for its own code only", async () => {
  const receipt = await receive(market.keys.validation, code)
  const fetch = () => Promise.reject(new Error("offline"))
  expect(await product({ fetch }).verify(receipt, code)).toMatchObject({ state: "valid" })
  expect(await product({ fetch }).verify(receipt, "another")).toMatchObject({ reason: "forged" })
})

/** Passes questions on to the real server after `change`, and its answers back as they are. */
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

test("a relay that asks in another way gets a genuine no, which ends no receipt", async () => {
  const site = "shop.example"
  const questions: readonly ((form: URLSearchParams) => void)[] = [
    // The key that another author ships: the same code and nonce, and a signed 404.
    (form) => form.set("api_key", market.keys.bob),
    (form) => form.set("purchase_code", "no-such-code"),
    (form) => {
      form.set("purchase_code", `${code}\n${site}`)
      form.delete("site")
    },
  ]
  for (const change of questions) {
    let nowMs = Date.now()
    let text: string | null = null
    const store = {
      get: async () => text,
      set: async (next: string) => {
        text = next
      },
    }
    const options = { now: () => nowMs }
    expect(await product(options).check(code, store, { site })).toMatchObject({ source: "server" })
    nowMs += 25 * 3_600_000
    const relay = openRelay(change)
    const relayed = product({ ...options, baseUrl: relay.url.href })
    expect((await relayed.validate(code, { site })).state).toBe("unknown")
    const kept = { state: "valid", source: "receipt" }
    expect(await relayed.check(code, store, { site })).toMatchObject(kept)
    await relay.stop(true)
  }
})

test("a relay that changes nothing changes nothing", async () => {
  const relay = openRelay(() => {})
  const relayed = product({ baseUrl: relay.url.href })
  expect(await relayed.validate(code, { site: "a.example" })).toMatchObject({ state: "valid" })
  expect(await relayed.validate("no-such-code")).toMatchObject({ state: "invalid" })
  await relay.stop(true)
})

/** The id of the key that signed; null if a product that pins `x` alone does not believe the answer. */
async function findSigner(x: string): Promise<string | null> {
  const outcome = await product({ keys: [x] }).validate(code)
  const input = outcome.state === "valid" ? outcome.receipt?.signatureInput : undefined
  return /keyid="(.+?)"/.exec(input ?? "")?.[1] ?? null
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

test("a test key's answers count for a test key alone", async () => {
  const receipt = await receive(market.keys.test, "test-regular")
  const tester = open(market.keys.test)
  expect(await tester.verify(receipt, "test-regular")).toMatchObject({ state: "valid" })
  expect(await product({ items: [1] }).verify(receipt, "test-regular")).toMatchObject({
    reason: "forged",
  })
})
