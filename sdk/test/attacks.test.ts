/** Attacks with an edited store, a relay or a wrong clock: none activates a product or throws. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import attackTable from "../../clients/attacks.json"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { createPazar, type PazarOptions, type Result } from "../src/index.ts"
import { hideEd25519 } from "./ed25519.ts"
import {
  createMemoryStore,
  day,
  encodeReceipt,
  errorBody,
  type FakeServer,
  openProduct,
  plain,
  purchase,
  receiptFields,
  respondValid,
  serverMs,
  signedResponse,
  startFakeServer,
  validBody,
} from "./fake-server.ts"
import { createSigner, jwk, type Signer } from "./signer.ts"

const code = "CODE-11"
const site = "shop.example.com"
let server: FakeServer
let nowMs: number
beforeAll(() => {
  server = startFakeServer()
})
afterAll(() => server.close())
beforeEach(() => {
  nowMs = serverMs
  server.respond(respondValid(server.signer))
})

const open = (changes: Partial<PazarOptions> = {}) =>
  openProduct(server, () => nowMs, { site, ...changes })
const openBlocked = (changes: Partial<PazarOptions> = {}) =>
  open({ fetch: () => Promise.reject(new Error("blocked")), ...changes })

/** Returns the stored text after a check. */
async function storeAfter(changes: Partial<PazarOptions> = {}, entered = code): Promise<string> {
  const store = createMemoryStore()
  await open({ store, ...changes }).check(entered)
  return store.text() ?? ""
}

const isInactive = ({ isActive, isValid, isSupported, mayUpdate }: Result) =>
  !isActive && !isValid && !isSupported && !mayUpdate

type Attack = Readonly<{
  name: string
  /** The text that the attacker stores. */
  text: () => Promise<string>
  /** Options of the product that reads the text. */
  options?: Partial<PazarOptions>
  entered?: string
}>

const record = (changes: object) =>
  JSON.stringify({ records: [{ code: code.toLowerCase(), site, ...changes }] })
const unsigned = { status: 200, reason: "ok", body: validBody(), code, site, nonce: "n".repeat(32) }

/**
 * A genuine response for `signedSite`, stored with the fields of another request. The server ignores sites with a line
 * feed, so no site limit applies to them.
 */
function signFor(signedSite: string, request: object) {
  const form = { api_key: "pzr_vk_test", purchase_code: code, nonce: unsigned.nonce }
  const { headers } = signedResponse(server.signer, { ...form, site: signedSite })
  const signatureInput = headers.get("signature-input")
  return { ...unsigned, signatureInput, signature: headers.get("signature"), ...request }
}

type Endorsed = Readonly<{ key: string; by: string | null; for?: string; signedBy?: string }>
type Row = Readonly<{
  name: string
  request?: Product
  edit?: Readonly<Record<string, string | number | readonly [string, string]>>
  isCopy?: boolean
  read?: Product
  endorsed?: readonly Endorsed[]
}>
type Product = Readonly<{
  code?: string
  site?: string | null
  key?: string
  items?: readonly number[] | null
  pinned?: string | false
  response?: Readonly<{ reason?: string; item?: number; signed?: string }>
}>

const signers = new Map<string, Signer>()
function signerOf(name: string): Signer {
  const signer = signers.get(name) ?? createSigner()
  signers.set(name, signer)
  return signer
}

/** The options of a product in the table of attacks, and its server's response. */
function productOf({ response = {}, pinned = "a", items = [7], ...fields }: Product) {
  const { site: given = site, key = "pzr_vk_KeyOfTheProduct", code: typed = "GOOD-CODE-1" } = fields
  const { reason = "ok", item = 7, signed = pinned } = response
  const options: PazarOptions = {
    baseUrl: server.url,
    key,
    ...(items && { items }),
    ...(given !== null && { site: given }),
    ...(pinned !== false && { keys: [signerOf(pinned).x] }),
    store: createMemoryStore(),
    now: () => nowMs,
  }
  const status = reason === "ok" ? 200 : 404
  const body =
    status === 200 ? validBody({ ...purchase, item: { ...purchase.item, id: item } }) : errorBody
  const tag = key.startsWith("pzr_tk_") ? "pazar-test" : "pazar-validation"
  server.respond((form) =>
    signed === false
      ? plain(status, body, { "Pazar-Reason": reason })
      : signedResponse(signerOf(signed), form, { status, reason, body, tag }),
  )
  return { options, code: typed }
}

async function forgeRow({ request = {}, edit = {}, isCopy, read = {}, endorsed = [] }: Row) {
  const store = createMemoryStore()
  const from = productOf(request)
  await createPazar({ ...from.options, store }).check(from.code)
  if (isCopy) return store.text() ?? ""
  const [stored] = JSON.parse(store.text() ?? "").records
  const response = { ...(stored.valid ?? stored.invalid) }
  for (const [name, to] of Object.entries(edit)) {
    const field = name === "input" ? "signatureInput" : name
    const before = String(response[field])
    if (Array.isArray(to)) expect(before).toContain(to[0])
    response[field] = Array.isArray(to) ? before.replace(to[0], to[1]) : to
  }
  const { options, code: typed } = productOf(read)
  const record = { code: typed.toLowerCase(), site: options.site ?? "", valid: response }
  return JSON.stringify({ records: [record], endorsedKeys: endorsed.map(renderEndorsed) })
}

const renderEndorsed = ({ key, by, for: other = "", signedBy = by ?? "" }: Endorsed) => ({
  x: signerOf(key).x,
  endorsed:
    by === null
      ? []
      : [{ ...signerOf(signedBy).endorse(signerOf(other).kid), by: signerOf(by).kid }],
})

// `as`: the entries of the file have different fields.
test.each(attackTable.rows as unknown as readonly Row[])("a store with $name", async (row) => {
  const store = createMemoryStore(await forgeRow(row))
  const { options, code: typed } = productOf(row.read ?? {})
  const blocked = () => Promise.reject(new Error("blocked"))
  const pazar = createPazar({ ...options, store, fetch: blocked })
  for (const reason of ["not_checked", "unreachable"]) {
    const result = await (reason === "unreachable"
      ? pazar.check(typed, { force: true })
      : pazar.cached(typed))
    expect(result).toMatchObject({ state: "unknown", reason })
    expect(isInactive(result)).toBe(true)
  }
})

type Receipt = Readonly<
  Record<string, unknown> & { headers: Readonly<Record<string, string | null>> }
>
/** Changes fields of a receipt; `input` is the header Signature-Input. */
function editReceipt({ headers, ...fields }: Receipt, edit: Row["edit"] = {}, kid?: string) {
  const signed = headers["signature-input"] ?? ""
  const input = kid === undefined ? signed : signed.replace(/keyid="[^"]+"/, `keyid="${kid}"`)
  const edited: Record<string, unknown> = { ...fields, input }
  for (const [name, to] of Object.entries(edit)) {
    const before = String(edited[name])
    if (Array.isArray(to)) expect(before).toContain(to[0])
    edited[name] = Array.isArray(to) ? before.replace(to[0], to[1]) : to
  }
  return { ...edited, headers: { ...headers, "signature-input": edited.input } }
}

type ReceiptRow = Readonly<{
  name: string
  signed: string
  keys: readonly Endorsed[]
  before?: number
  keyid?: string
  edit?: Row["edit"]
  reason?: string
}>
test.each(attackTable.receipts as readonly ReceiptRow[])(
  "a receipt with $name",
  async ({ signed, keys, before = 0, keyid, edit = {}, reason = "unknown_signer" }) => {
    const store = createMemoryStore()
    const { options, code: typed } = productOf({})
    const pazar = createPazar({ ...options, store })
    const url = new URL(await pazar.activationUrl())
    const fields = Object.fromEntries(new URLSearchParams(url.hash.slice(1)))
    const form = { ...fields, api_key: fields.key ?? "", purchase_code: typed }
    const sold = { ...purchase, item: { ...purchase.item, id: 7 } }
    const response = signedResponse(signerOf(signed), form, { body: validBody(sold) })
    const strangers = Array.from({ length: before + 1 }, () => createSigner())
    const junk = strangers.slice(1).map((one, index) => jwk(one, strangers[index] ?? one))
    const list = [...junk, ...keys.map(renderEndorsed)]
    const receipt = { ...fields, ...(await receiptFields(response)), code: typed, keys: list }
    const line = encodeReceipt(editReceipt(receipt, edit, keyid && signerOf(keyid).kid))
    const stored = store.text()
    const result = await pazar.importReceipt(line)
    expect(result).toMatchObject({ state: "unknown", reason })
    expect(isInactive(result)).toBe(true)
    expect(store.text()).toBe(stored)
  },
)

const attacks: readonly Attack[] = [
  {
    name: "an unsigned record of version 0.13",
    text: async () => JSON.stringify({ code, site, answeredAtMs: serverMs, body: validBody() }),
  },
  {
    name: "a record of the PHP client",
    text: async () => `${"0".repeat(64)} {"code":"","verdict":"valid","answer":{},"kept":null}`,
  },
  {
    name: "a line feed that moves a part of the site into the code",
    text: async () =>
      record({ code: "code-11x", valid: signFor(`x\n${site}`, { code: `${code}\nx` }) }),
    entered: `${code}x`,
  },
  {
    name: "a line feed that moves the code into the key",
    text: async () => {
      const valid = signFor(`x\n${site}`, { code: "x", key: `pzr_vk_test\n${code}` })
      return record({ code: "x", valid })
    },
    entered: "x",
  },
]

test.each(attacks)("a store with $name", async ({ text, options = {}, entered = code }) => {
  const content = await text()
  const read = () => openBlocked({ store: createMemoryStore(content), ...options })
  expect(isInactive(await read().cached(entered))).toBe(true)
  expect(isInactive(await read().check(entered, { force: true }))).toBe(true)
})

test("the store of these attacks activates the product before it is edited", async () => {
  const store = createMemoryStore(await storeAfter())
  expect(await openBlocked({ store }).cached(code)).toMatchObject({ isActive: true, isValid: true })
})

describe("a stored response", () => {
  test("is not accepted if the runtime cannot verify its signature", async () => {
    const content = await storeAfter()
    const restore = hideEd25519()
    const result = await openBlocked({ store: createMemoryStore(content) }).cached(code)
    const live = await open().check(code, { force: true })
    restore()
    for (const each of [result, live]) {
      expect(each).toMatchObject({ isActive: false, state: "unknown", reason: "cannot_verify" })
    }
  })

  test("is not accepted with any character changed", async () => {
    const content = await storeAfter()
    const { valid } = JSON.parse(content).records[0]
    const fields = [
      "body",
      "reason",
      "nonce",
      "signatureInput",
      "signature",
      "code",
      "key",
    ] as const
    const changes = fc
      .tuple(fc.constantFrom(...fields), fc.nat(), fc.integer({ min: 0x20, max: 0x7e }))
      .map(([field, at, unit]) => {
        const text = String(valid[field])
        const index = at % text.length
        const other = text.slice(0, index) + String.fromCharCode(unit) + text.slice(index + 1)
        return { field, text: other, isSame: other === text }
      })
      .filter(({ isSame }) => !isSame)
    await fc.assert(
      fc.asyncProperty(changes, async ({ field, text }) => {
        const store = createMemoryStore(record({ valid: { ...valid, [field]: text } }))
        expect(isInactive(await openBlocked({ store }).cached(code))).toBe(true)
      }),
      { numRuns: propertyRuns(200) },
    )
  })

  test("is not accepted if the stored text is truncated", async () => {
    const content = await storeAfter()
    for (let end = 0; end < content.length; end += 23) {
      const store = createMemoryStore(content.slice(0, end))
      expect(isInactive(await openBlocked({ store }).cached(code))).toBe(true)
    }
  })

  test("does not stay valid longer if the clock is set back", async () => {
    const store = createMemoryStore(await storeAfter())
    nowMs += 15 * day * 1000
    await openBlocked({ store }).check(code)
    for (const backMs of [1, day * 1000, 400 * day * 1000]) {
      nowMs = serverMs - backMs
      const result = await openBlocked({ store }).check(code)
      expect(result).toMatchObject({ isActive: true, isValid: false, isSupported: false })
    }
  })
})

describe("any text in the store", () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record(
        {
          records: fc.oneof(
            fc.anything(),
            fc.array(
              fc.record({
                code: fc.constant(code.toLowerCase()),
                site: fc.constant(site),
                valid: fc.oneof(fc.constant(unsigned), fc.anything()),
                invalid: fc.anything(),
                attempts: fc.oneof(fc.double(), fc.anything()),
                nextAtMs: fc.oneof(fc.double(), fc.anything()),
                latestMs: fc.oneof(fc.double(), fc.anything()),
              }),
            ),
          ),
          endorsedKeys: fc.anything(),
          nonce: fc.anything(),
        },
        { requiredKeys: ["records"] },
      )
      .map((stored) =>
        JSON.stringify(stored, (_, value) => (typeof value === "bigint" ? 1 : value)),
      ),
  )

  test("neither throws nor activates", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const pazar = openBlocked({ store: createMemoryStore(text) })
        expect(isInactive(await pazar.cached(code))).toBe(true)
        expect(isInactive(await pazar.check(code))).toBe(true)
      }),
      { numRuns: propertyRuns(100) },
    )
  })
})

describe("a relay", () => {
  test("cannot change any character of a response", async () => {
    const names = ["status", "body", "pazar-reason", "signature-input", "signature"] as const
    const way = fc.record({
      part: fc.constantFrom(...names),
      at: fc.nat(10_000),
      unit: fc.integer({ min: 0x21, max: 0x7e }),
      status: fc.constantFrom(404, 201, 400),
    })
    await fc.assert(
      fc.asyncProperty(way, async ({ part, at, unit, status }) => {
        let isChanged = true
        const change = (text: string) => {
          const index = at % text.length
          const other = text.slice(0, index) + String.fromCharCode(unit) + text.slice(index + 1)
          isChanged = other !== text
          return other
        }
        const fetch = async (url: string, init: RequestInit) => {
          if (url.endsWith("/pazar-keys.json")) return Response.json({ keys: [] })
          const form = Object.fromEntries(new URLSearchParams(String(init.body)))
          const response = signedResponse(server.signer, form)
          const { headers } = response
          if (part !== "status" && part !== "body")
            headers.set(part, change(headers.get(part) ?? ""))
          const body = await response.text()
          return new Response(part === "body" ? change(body) : body, {
            status: part === "status" ? status : 200,
            headers,
          })
        }
        const { state } = await open({ fetch }).check(code)
        expect(state).toBe(isChanged ? "unknown" : "valid")
      }),
      { numRuns: propertyRuns(200) },
    )
  })

  test("cannot activate another installation with a recorded response", async () => {
    const responses: Response[] = []
    const fetch = async (url: string, init: RequestInit) => {
      const response = await globalThis.fetch(url, init)
      responses.push(response)
      return new Response(response.clone().body, response)
    }
    expect(await open({ fetch }).check(code)).toMatchObject({ isActive: true })
    const replay = async () => new Response(responses[0]?.body, responses[0])
    expect(await open({ fetch: replay }).check(code)).toMatchObject({
      isActive: false,
      reason: "replayed",
    })
  })

  test("cannot remove the site from the request: the site is signed", async () => {
    server.respond((form) => signedResponse(server.signer, form, { site: undefined }))
    expect(await open().check(code)).toMatchObject({ isActive: false, reason: "forged" })
  })

  test("cannot deactivate a product with an unsigned or malformed `invalid`", async () => {
    const store = createMemoryStore(await storeAfter())
    nowMs += day * 1000
    for (const status of [200, 400, 403, 404, 410]) {
      server.respond(() => plain(status, errorBody, { "Pazar-Reason": "revoked_code" }))
      const result = await open({ store }).check(code, { force: true })
      expect([status, result.isActive, result.isValid]).toEqual([status, true, true])
    }
  })
})
