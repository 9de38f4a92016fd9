/** Calls: options, reads, retries and time limits. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createPazar, PazarError, type PazarOptions } from "../src/index.ts"
import {
  createMemoryStore,
  type FakeServer,
  item,
  plain,
  type Respond,
  sayYes,
  signedAnswer,
  startFakeServer,
} from "./fake-server.ts"
import { createSigner } from "./signer.ts"

let server: FakeServer
beforeAll(() => {
  server = startFakeServer()
})
afterAll(() => server.close())

const open = (changes: Partial<PazarOptions> = {}) =>
  createPazar({ baseUrl: server.url, key: "pzr_sk_secret", retries: 0, ...changes })

describe("options that cannot work are refused when the client is made", () => {
  const refused: readonly (readonly [string, Partial<PazarOptions>])[] = [
    ["an address without a scheme", { baseUrl: "licences.example.com" }],
    ["an address with a query", { baseUrl: "https://licences.example.com/?a=1" }],
    ["a blank key", { key: " " }],
    ["a validation key without items", { key: "pzr_vk_a" }],
    ["a validation key with no items", { key: "pzr_vk_a", items: [] }],
    ["an empty list of items", { items: [] }],
    ["a validation key after blanks, without items", { key: "\ufeff pzr_vk_a" }],
    ["a key of blanks that cannot be seen", { key: "\u200b\ufeff" }],
    ["an empty list of pinned keys", { keys: [] }],
    ["a pinned key that is too short", { keys: ["AAAA"] }],
    ["a pinned key as hexadecimal", { keys: ["00".repeat(32)] }],
    ["no address", { baseUrl: [] }],
    ["one wrong address of two", { baseUrl: ["https://licences.example.com", "old.example.com"] }],
    ["an item that is no id", { items: ["eleven"] }],
    ["half an item", { items: [1.5] }],
    ["no time for an answer", { timeoutMs: 0 }],
    ["a time limit that is no number", { timeoutMs: Number.NaN }],
    // `as`: JavaScript has no compiler that would refuse it.
    ["a misspelt option", { pinnedKeys: ["AAAA"] } as Partial<PazarOptions>],
  ]
  test.each(refused)("%s", (_, options) => {
    expect(() => open(options)).toThrow(TypeError)
  })
})

test("item ids are taken as digits too, as configuration files have them", async () => {
  server.respond(sayYes(server.signer))
  for (const items of [[11], ["11"], [" 11\n", "12"]]) {
    const pazar = open({ key: "pzr_vk_a", items, keys: [server.signer.x] })
    expect(await pazar.validate("CODE-11")).toMatchObject({ state: "valid" })
  }
  const other = open({ key: "pzr_vk_a", items: ["12"], keys: [server.signer.x] })
  expect(await other.validate("CODE-11")).toMatchObject({ reason: "other_item" })
})

describe("several addresses", () => {
  let second: FakeServer
  let gone: string
  beforeAll(async () => {
    second = startFakeServer(server.signer)
    const closed = startFakeServer()
    gone = closed.url
    await closed.close()
  })
  afterAll(() => second.close())

  const product = (baseUrl: readonly string[], changes: Partial<PazarOptions> = {}) =>
    open({ baseUrl, key: "pzr_vk_a", items: [11], keys: [server.signer.x], ...changes })
  const both = () => [server.url, second.url]
  const secondAsks = async (work: () => Promise<unknown>) => {
    const before = second.asked.length
    await work()
    return second.asked.length - before
  }

  const noAnswer: readonly (readonly [string, Respond])[] = [
    ["429", () => plain(429, "", { "Retry-After": "60" })],
    ["500", () => plain(500, "")],
    ["503", () => plain(503, "{}", { "Pazar-Reason": "unavailable" })],
    ["a parked domain", () => plain(200, "<html>")],
    ["a 404 of somebody else", () => plain(404, "{}")],
    ["a fake no", () => plain(404, "{}", { "Pazar-Reason": "unknown_code" })],
    ["a forged answer", sayYes(createSigner())],
    ["an answer to another key", (asked) => signedAnswer(server.signer, asked, { key: "other" })],
  ]
  test.each(noAnswer)("after %s the next one is asked", async (_, respond) => {
    server.respond(respond)
    second.respond(sayYes(server.signer))
    const outcome = await product(both()).validate("CODE-11")
    expect(outcome).toMatchObject({ state: "valid", source: "server" })
  })

  test("one that is silent takes half of the time of two", async () => {
    server.respond(() => new Promise(() => {}))
    second.respond(sayYes(server.signer))
    const outcome = await product(both(), { timeoutMs: 3_000 }).validate("CODE-11")
    expect(outcome).toMatchObject({ state: "valid", source: "server" })
  })

  const answers: readonly (readonly [string, string, Respond])[] = [
    ["a yes", "valid", (asked) => signedAnswer(server.signer, asked)],
    ["a no", "invalid", (asked) => signedAnswer(server.signer, asked, { status: 404 })],
    ["401", "unknown", () => plain(401, "{}", { "Pazar-Reason": "revoked_key" })],
    ["400", "unknown", () => plain(400, "{}", { "Pazar-Reason": "invalid_parameter" })],
  ]
  test.each(answers)("after %s none is", async (_, state, respond) => {
    server.respond(respond)
    second.respond(sayYes(server.signer))
    const asks = await secondAsks(async () =>
      expect(await product(both()).validate("CODE-11")).toMatchObject({ state }),
    )
    expect(asks).toBe(0)
  })

  test("one that is gone costs nothing but a try", async () => {
    second.respond(sayYes(server.signer))
    const pazar = product([gone, second.url])
    expect(await pazar.validate("CODE-11")).toMatchObject({ state: "valid" })
    expect(await pazar.check("CODE-11", createMemoryStore())).toMatchObject({ state: "valid" })
  })

  test("if none answers, the first one says why", async () => {
    server.respond(() => plain(429, "", { "Retry-After": "120" }))
    const outcome = await product([server.url, gone]).validate("CODE-11")
    expect(outcome).toMatchObject({ reason: "rate_limited", retryAfterMs: 120_000 })
  })

  test("a key set comes from the address whose answer needs it", async () => {
    const next = createSigner()
    const { x, kid } = next
    second.publish([{ kty: "OKP", crv: "Ed25519", x, kid, endorsed: [server.signer.endorse(kid)] }])
    second.respond(sayYes(next))
    expect(await product([gone, second.url]).validate("CODE-11")).toMatchObject({ state: "valid" })
  })

  test("reads ask the next one too", async () => {
    server.respond(() => plain(503, ""))
    second.respond(() => Response.json({ status: "success", item }))
    expect(await open({ baseUrl: both() }).item(11)).toEqual(item)
    second.respond(() => plain(404, "{}", { "Pazar-Reason": "unknown_item" }))
    expect(await open({ baseUrl: both() }).item(7)).toBeNull()
    server.respond(() => plain(401, "{}", { "Pazar-Reason": "unknown_key" }))
    const asks = await secondAsks(async () => {
      const reading = open({ baseUrl: both() }).item(7)
      await expect(reading).rejects.toMatchObject({ reason: "unknown_key" })
    })
    expect(asks).toBe(0)
  })

  test("a call that is aborted asks nobody else", async () => {
    const controller = new AbortController()
    server.respond(() => {
      controller.abort()
      return new Promise(() => {})
    })
    const { signal } = controller
    const addresses: string[] = []
    const fetch = (url: string, init: RequestInit) => {
      addresses.push(new URL(url).origin)
      return globalThis.fetch(url, init)
    }
    const outcome = await product(both(), { fetch }).validate("A", { signal })
    expect(outcome).toMatchObject({ reason: "timeout" })
    expect(addresses).toEqual([server.url])
  })
})

describe("reads", () => {
  test("send the key in a header, and the language", async () => {
    const requests: unknown[] = []
    const fetch = async (url: string, { headers }: RequestInit) => {
      requests.push([url, new Headers(headers).get("x-api-key")])
      return Response.json({ status: "success", item })
    }
    const baseUrl = "https://example.com/licences//"
    expect(await open({ lang: "tr", baseUrl, fetch }).item(11)).toEqual(item)
    const url = "https://example.com/licences/api/items/item?lang=tr&item_id=11"
    expect(requests).toEqual([[url, "pzr_sk_secret"]])
  })

  test("an answer with members that this client does not know is taken as it is", async () => {
    const data = { username: "ada", new_member: [1] }
    server.respond(() => Response.json({ status: "success", data, other: true }))
    expect<unknown>(await open().account()).toEqual(data)
  })

  test("no items are an empty list, no item is null", async () => {
    server.respond(() => plain(404, "{}", { "Pazar-Reason": "no_items" }))
    expect(await open().items()).toEqual([])
    server.respond(() => plain(404, "{}", { "Pazar-Reason": "unknown_item" }))
    expect(await open().item(7)).toBeNull()
  })

  test("any other answer is an error with reason, status and request id, and without the key", async () => {
    const headers = { "Pazar-Reason": "key_not_allowed", "Request-Id": "r7" }
    server.respond(() => plain(403, "{}", headers))
    const error = await open()
      .items()
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PazarError)
    expect(error).toMatchObject({ reason: "key_not_allowed", status: 403, requestId: "r7" })
    expect(Bun.inspect(error)).not.toContain("pzr_sk_secret")
  })

  test.each([
    ["a login page", () => plain(200, "<html>")],
    ["JSON of somebody else", () => Response.json({ status: "success" })],
    ["a list where an object should be", () => Response.json([1])],
    ["a 404 of somebody else", () => plain(404, "{}")],
    ["a redirect", () => plain(302, "", { Location: "/login" })],
  ])("%s is not_json", async (_, respond) => {
    server.respond(respond)
    await expect(open().account()).rejects.toMatchObject({ reason: "not_json" })
    await expect(open().item(1)).rejects.toMatchObject({ reason: "not_json" })
  })

  test("the error behind an error is kept", async () => {
    const cause = new Error("no route to host")
    const fetch = () => Promise.reject(cause)
    await expect(open({ fetch }).account()).rejects.toMatchObject({
      reason: "unreachable",
      status: 0,
      cause,
    })
  })
})

describe("retries", () => {
  /** Answers in turn, the last one for ever. */
  function inTurn(...responses: readonly (() => Response)[]) {
    const before = server.asked.length
    server.respond(() => {
      const at = server.asked.length - before - 1
      return (responses[at] ?? responses.at(-1) ?? fine)()
    })
    return () => server.asked.length - before
  }
  const fine = () => Response.json({ status: "success", item })
  const busy =
    (status: number, seconds = "0") =>
    () =>
      plain(status, "", { "Retry-After": seconds })

  test.each([429, 502, 503, 504])("after %d, as soon as the server allows", async (status) => {
    const asks = inTurn(busy(status), busy(status), fine)
    expect(await open({ retries: 2 }).item(11)).toEqual(item)
    expect(asks()).toBe(3)
  })

  test("after a network error, with a pause", async () => {
    let tries = 0
    const fetch = (url: string, init: RequestInit) => {
      tries += 1
      return tries === 1 ? Promise.reject(new Error("reset")) : globalThis.fetch(url, init)
    }
    inTurn(fine)
    expect(await open({ fetch, retries: 2 }).item(11)).toEqual(item)
    expect(tries).toBe(2)
  })

  test("no more often than allowed, two times by default", async () => {
    const asks = inTurn(busy(503))
    const pazar = createPazar({ baseUrl: server.url, key: "pzr_sk_secret" })
    await expect(pazar.item(1)).rejects.toMatchObject({
      reason: "unavailable",
      status: 503,
    })
    expect(asks()).toBe(3)
  })

  test.each([400, 401, 403, 404, 413, 500])("never after %d", async (status) => {
    const asks = inTurn(busy(status))
    await expect(open({ retries: 2 }).account()).rejects.toBeInstanceOf(PazarError)
    expect(asks()).toBe(1)
  })

  test("not if the server asks for more than ten seconds, or for more than is left", async () => {
    const long = inTurn(busy(503, "11"))
    await expect(open({ retries: 2, timeoutMs: 60_000 }).account()).rejects.toThrow()
    expect(long()).toBe(1)
    const left = inTurn(busy(503, "9"))
    await expect(open({ retries: 2 }).account()).rejects.toMatchObject({ reason: "unavailable" })
    expect(left()).toBe(1)
  })

  test("the outcome says when to ask again", async () => {
    inTurn(busy(429, "120"))
    expect(await open().validate("A")).toMatchObject({
      state: "unknown",
      reason: "rate_limited",
      retryAfterMs: 120_000,
    })
  })
})

describe("time limits", () => {
  test("cover the whole call, and a call may set its own", async () => {
    server.respond(() => new Promise(() => {}))
    await expect(open({ timeoutMs: 20 }).account()).rejects.toMatchObject({ reason: "timeout" })
    await expect(open().items({ timeoutMs: 20 })).rejects.toMatchObject({
      reason: "timeout",
      cause: { name: "TimeoutError" },
    })
  })

  test("a signal ends a call, and the time between two tries", async () => {
    const controller = new AbortController()
    server.respond(() => {
      controller.abort()
      return plain(503, "", { "Retry-After": "4" })
    })
    const call = open({ retries: 1 }).account({ signal: controller.signal })
    await expect(call).rejects.toMatchObject({ reason: "timeout", cause: { name: "AbortError" } })
  })
})
