/** Attacks on the PHP client by somebody who has the product, its key and its store, with and without sodium. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createHash, createHmac, createPrivateKey } from "node:crypto"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import attackTable from "../../clients/attacks.json"
import { propertyRuns } from "../harness/full-test-run.ts"
import {
  createSigningKey,
  endorse,
  type Script,
  type ScriptedPazar,
  type ScriptedResponse,
  signResponse,
  startScriptedPazar,
} from "../harness/http/scripted-pazar.ts"
import vector from "../harness/http/signature-vector.json"
import { openInstalledClient, type PhpClient, type Step } from "../harness/php/php-client.ts"
import old from "../harness/php/records-0.13.0.json"
import { temporaryFolder } from "../harness/program.ts"

const day = 86_400
const start = 1_800_000_000
const [key, code, site] = ["pzr_vk_KeyOfTheProduct", "GOOD-CODE-1", "shop.example.com"]
const disabled = "disable_functions=sodium_crypto_sign_verify_detached"
const wordpress = "/usr/share/wordpress/"

let pazar: ScriptedPazar
const folder = temporaryFolder()
beforeAll(async () => {
  pazar = await startScriptedPazar()
  writeFileSync(join(folder, "wordpress.php"), `<?php define('ABSPATH', '${wordpress}');`)
})
afterAll(async () => {
  await pazar.close()
  rmSync(folder, { recursive: true })
})

type Fields = Readonly<Record<string, unknown>>
type Response = Readonly<Record<string, unknown>>
type Stored = Readonly<{
  keys: readonly unknown[]
  records: Readonly<Record<string, Readonly<{ valid: Response | null; invalid: Response | null }>>>
}>

const script = (changes: Partial<Script> = {}) => pazar.url({ at: start, ...changes })
const optionsWith = (changes: Fields = {}) => ({
  base_url: script(),
  key,
  items: [7],
  site,
  timeout: 60,
  keys: [pazar.pin("a"), pazar.pin("b")],
  ...changes,
})
const check = (changes: Fields = {}, typed = code): Step => ({
  call: "check",
  arguments: [typed, true],
  now: start,
  options: optionsWith(changes),
})
const cached = (changes: Fields = {}, typed = code, now = start + 1): Step => ({
  call: "cached",
  arguments: [typed],
  now,
  options: optionsWith(changes),
})
const write = (text: string): Step => ({ call: "writeStore", arguments: [text] })
const readStore: Step = { call: "readStore" }

const nameOf = (typed: string, host: string) =>
  createHash("sha256").update(`${typed.toLowerCase()}\n${host}`).digest("hex")

async function readStored(client: PhpClient, changes: Fields = {}, typed = code): Promise<Stored> {
  const [, text] = await client.run({ steps: [check(changes, typed), readStore] })
  return JSON.parse(String(text))
}
function firstIn({ records }: Stored): Response {
  const [record] = Object.values(records)
  const response = record?.valid ?? record?.invalid
  if (!response) throw new Error("no response is stored")
  return response
}

/** A store in which this response is the valid one of a code on a site. */
const storeWith = (valid: Response, host = site, typed = code, more: Fields = {}) => {
  const times = { next: start + day, latest: start, offset: 0, isConfirmed: true }
  return JSON.stringify({ ...more, records: { [nameOf(typed, host)]: { valid, ...times } } })
}

type Forge = (client: PhpClient) => Promise<string>
type Attack = Readonly<{ attack: string; forge: Forge; options?: Fields; code?: string }>

type Endorsed = Readonly<{ key: string; by: string | null; for?: string; signedBy?: string }>
type Row = Readonly<{
  name: string
  request?: Fields
  edit?: Readonly<Record<string, string | number | readonly [string, string]>>
  isCopy?: boolean
  read?: Fields
  endorsed?: readonly Endorsed[]
}>
type ReceiptRow = Readonly<{
  name: string
  signed: string
  keys: readonly Endorsed[]
  before?: number
  keyid?: string
  edit?: Row["edit"]
  reason?: string
}>

const computeThumbprint = (name: string) => pazar.endorse(name, name).by
const renderEndorsed = ({ key: name, by, for: other = "", signedBy = by ?? "" }: Endorsed) => ({
  x: pazar.pin(name),
  endorsed: by === null ? [] : [{ ...pazar.endorse(signedBy, other), by: computeThumbprint(by) }],
})

/** Changes fields; `input` is the header Signature-Input. */
function edit(fields: Response, changes: Row["edit"] = {}): Response {
  const edited: Record<string, unknown> = { ...fields }
  for (const [name, to] of Object.entries(changes)) {
    const before = String(edited[name])
    if (Array.isArray(to)) expect(before).toContain(to[0])
    edited[name] = Array.isArray(to) ? before.replace(to[0], to[1]) : to
  }
  return edited
}

/** The options of a product in the table of attacks. */
function productOf({ response = {}, pinned = "a", items = [7], ...fields }: Fields) {
  const { site: given = site, key: itsKey = key, code: typed = code } = fields
  const signed = typeof pinned === "string" && pinned
  const options = optionsWith({
    // `as`: the table describes responses as policy.json does.
    base_url: script({ response: response as ScriptedResponse, signed }),
    key: itsKey,
    items: items ?? [],
    site: given ?? "",
    keys: typeof pinned === "string" ? [pazar.pin(pinned)] : [],
  })
  return { options, code: String(typed) }
}

async function forgeRow({ request = {}, edit: changes, isCopy, read = {}, endorsed = [] }: Row) {
  const client = openInstalledClient()
  const from = productOf(request)
  const stored = await readStored(client, from.options, from.code)
  await client.close()
  if (isCopy) return JSON.stringify(stored)
  const response = edit(firstIn(stored), changes)
  const { options, code: typed } = productOf(read)
  return storeWith(response, options.site, typed, { keys: endorsed.map(renderEndorsed) })
}

const attacks: readonly Attack[] = [
  {
    attack: "a row that was made up with the shipped key, as versions with an HMAC accepted it",
    async forge(client) {
      const response = { ...firstIn(await readStored(client)), input: "", signature: "", keys: [] }
      const hash = createHash("sha256").update(code).digest("hex")
      const json = JSON.stringify({
        code: hash,
        verdict: "valid",
        reason: "",
        answer: response,
        offset: 0,
        latest: start,
        next_ask: start + day,
        questions: 0,
        nonce: "",
        keys: [],
        kept: null,
      })
      const secret = createHmac("sha256", key).update("pazar-validation").digest("hex")
      return `${createHmac("sha256", secret).update(json).digest("hex")} ${json}`
    },
  },
  {
    attack: "a record of version 0.13.0 on another site",
    forge: async () => old.valid,
    options: { site: "copy.example.com", keys: [old.pinned] },
  },
  {
    attack: "a record of version 0.13.0 with another purchase",
    forge: async () => old.valid.replace("Regular", "Extended"),
    options: { keys: [old.pinned] },
  },
  ...["", "null", "[]", "{", '{"records":7}', '{"records":{"x":7}}', '"valid"', "\0"].map(
    (text) => ({
      attack: `the text ${JSON.stringify(text)}`,
      forge: async () => text,
    }),
  ),
]

const nothing = { state: "unknown", isActive: false, isValid: false, mayUpdate: false }

const runtimes = [
  { runtime: "with sodium", phpArguments: () => [] },
  {
    runtime: "without sodium, with WordPress's implementation",
    phpArguments: () => ["-d", disabled, "-d", `auto_prepend_file=${folder}/wordpress.php`],
  },
].filter(({ runtime }) => runtime === "with sodium" || existsSync(wordpress))

describe.each(runtimes)("$runtime", ({ phpArguments }) => {
  let client: PhpClient
  beforeAll(() => {
    client = openInstalledClient(phpArguments())
  })
  afterAll(() => client.close())

  test("a genuine record is valid", async () => {
    const text = JSON.stringify(await readStored(client))
    const again = storeWith(firstIn(JSON.parse(text)))
    const steps = [write(text), cached(), write(again), cached()]
    const valid = expect.objectContaining({ state: "valid", isActive: true })
    expect(await client.run({ steps })).toEqual([null, valid, null, valid])
  })

  test.each(attackTable.rows as readonly Row[])("a store with $name", async (row) => {
    const { options, code: typed } = productOf(row.read ?? {})
    const away = { ...options, base_url: script({ response: "refused" }) }
    const steps = [write(await forgeRow(row)), cached(options, typed), check(away, typed)]
    const [, first, later] = await client.run({ steps })
    const blind = { ...nothing, isSupported: false }
    expect([first, later]).toEqual([
      expect.objectContaining({ ...blind, reason: "not_checked" }),
      expect.objectContaining({ ...blind, reason: "unreachable" }),
    ])
  })

  test.each(attackTable.receipts as readonly ReceiptRow[])(
    "a receipt with $name",
    async ({ signed, keys, before = 0, keyid, edit: changes, reason = "unknown_signer" }) => {
      const { options, code: typed } = productOf({})
      const steps = [{ call: "activationUrl", options }, readStore]
      const [url, text] = await client.run({ steps })
      const fields = Object.fromEntries(new URLSearchParams(new URL(String(url)).hash.slice(1)))
      const response = await fetch(`${script({ signed })}/api/purchases/validation`, {
        method: "POST",
        headers: { "X-Api-Key": key },
        body: new URLSearchParams({ ...fields, purchase_code: typed }),
      })
      const headers = Object.fromEntries(response.headers)
      const { status } = response
      const strangers = Array.from({ length: before + 1 }, createSigningKey)
      const junk = strangers
        .slice(1)
        .map((one, index) => ({ x: one.x, endorsed: [endorse(strangers[index] ?? one, one)] }))
      const list = [...junk, ...keys.map(renderEndorsed)]
      const signedInput = headers["signature-input"] ?? ""
      const input = keyid
        ? signedInput.replace(/keyid="[^"]+"/, `keyid="${computeThumbprint(keyid)}"`)
        : signedInput
      const genuine = { ...fields, status, body: await response.text(), code: typed, input }
      const receipt = edit(genuine, changes)
      const json = JSON.stringify({
        ...receipt,
        headers: { ...headers, "signature-input": receipt.input },
        keys: list,
      })
      const line = `pazar1.${Buffer.from(json).toString("base64url")}`
      const paste = { call: "importReceipt", arguments: [line], options }
      const [, result, stored] = await client.run({
        steps: [write(String(text)), paste, readStore],
      })
      expect(result).toMatchObject({ ...nothing, isSupported: false, reason })
      expect(stored).toBe(String(text))
    },
  )

  test.each(attacks)("$attack", async ({ forge, options = {}, code: typed = code }) => {
    const steps = [
      write(await forge(client)),
      cached(options, typed),
      check({ ...options, base_url: script({ response: "refused" }) }, typed),
    ]
    const [, first, later] = await client.run({ steps })
    expect([first, later]).toEqual([
      expect.objectContaining({ ...nothing, reason: "not_checked" }),
      expect.objectContaining({ ...nothing, reason: "unreachable" }),
    ])
  })

  test("records of version 0.13.0 keep their buyers active, and are converted", async () => {
    const options = { keys: [old.pinned] }
    const away = { ...options, base_url: script({ response: "timeout" }) }
    const active = expect.objectContaining({ state: "valid", isActive: true, mayUpdate: true })
    const expired = expect.objectContaining({ reason: "timeout", isActive: true, mayUpdate: true })
    for (const text of [old.valid, old.keptBesideATypingError]) {
      const steps = [
        write(text),
        cached(options),
        cached({ ...options, key: "pzr_vk_rotated" }),
        check(away),
        cached(options),
        { ...check(away), now: start + 400 * day },
        cached(options, code.toLowerCase(), start + 500 * day),
      ]
      const results = await client.run({ steps })
      expect(results).toEqual([null, active, active, active, active, expired, expired])
    }
  })

  test("no text in the store, and no change of it, activates another site or breaks a page", async () => {
    const text = JSON.stringify(await readStored(client))
    const changed = fc
      .tuple(fc.constantFrom(text, old.valid), fc.nat(), fc.string({ unit: "binary-ascii" }))
      .map(([whole, place, instead]) => {
        const at = place % whole.length
        return whole.slice(0, at) + instead + whole.slice(at + 1)
      })
    const fields = fc.dictionary(
      fc.constantFrom(
        "code",
        "answer",
        "kept",
        "keys",
        "macs",
        "nonce",
        "records",
        "claim",
        "claimEnds",
      ),
      fc.anything({ maxDepth: 2 }),
    )
    const encrypted = fields.map((object) => `${"0".repeat(64)} ${JSON.stringify(object)}`)
    const plain = fields.map((object) => JSON.stringify(object))
    const texts = fc.oneof(changed, encrypted, plain, fc.json(), fc.string())
    await fc.assert(
      fc.asyncProperty(texts, async (stored) => {
        const steps = [write(stored), cached({ site: "copy.example.com" }), cached()]
        const [, elsewhere, here] = await client.run({ steps })
        expect(elsewhere).toMatchObject(nothing)
        expect(here).not.toHaveProperty("thrown")
      }),
      { numRuns: propertyRuns(300) },
    )
  })
})

describe("without any implementation of Ed25519", () => {
  test.each(["signed responses", "unsigned responses"])("%s are never valid", async (kind) => {
    const client = openInstalledClient()
    const stored = JSON.stringify(await readStored(client))
    await client.close()
    const crippled = openInstalledClient(["-d", disabled])
    const base_url = script({ response: kind.startsWith("un") ? { signed: false } : {} })
    const steps = [check({ base_url }), write(stored), cached(), write(old.valid), cached()]
    const results = await crippled.run({ steps })
    await crippled.close()
    const blind = expect.objectContaining({ ...nothing, reason: "cannot_verify" })
    expect(results).toEqual([blind, null, blind, null, blind])
  })
})

describe.each(vector.answers)("the manually computed response $status", (expected) => {
  const { status, body, nonce, api_key: apiKey, purchase_code: purchaseCode, headers } = expected
  const response = {
    status,
    body,
    nonce,
    key: apiKey,
    code: purchaseCode,
    site: expected.site ?? "",
    reason: headers["Pazar-Reason"],
    created: 0,
    expires: 0,
    input: headers["Signature-Input"],
    signature: headers.Signature,
  }
  let client: PhpClient
  beforeAll(() => {
    client = openInstalledClient()
  })
  afterAll(() => client.close())
  const findFault = async (changed: Fields, product = "pzr_vk_another") => {
    const options = optionsWith({ key: product, keys: [vector.public_jwk.x] })
    const [fault] = await client.run({ options, steps: [{ call: "fault", arguments: [changed] }] })
    return fault
  }

  test("verifies, and the signer of these tests creates the same one", async () => {
    expect(await findFault(response)).toBeNull()
    const seed = Buffer.from(`302e020100300506032b657004220420${vector.private_seed_hex}`, "hex")
    const privateKey = createPrivateKey({ key: seed, format: "der", type: "pkcs8" })
    const times = /created=(\d+);expires=(\d+)/.exec(headers["Signature-Input"]) ?? []
    const { "Pazar-Reason": reason, ...signature } = headers
    expect(
      signResponse(
        { privateKey, x: vector.public_jwk.x, kid: vector.public_jwk.kid },
        {
          status,
          reason,
          body,
          key: apiKey,
          code: purchaseCode,
          site: expected.site ?? null,
          nonce,
          tag: "pazar-validation",
          created: Number(times[1]),
          expires: Number(times[2]),
        },
      ),
    ).toEqual(signature)
  })

  test("verifies without its key for the product that requested it, and for no other", async () => {
    const stored = { ...response, key: "" }
    expect([await findFault(stored, apiKey), await findFault(stored)]).toEqual([null, "forged"])
  })

  test("does not verify if one of its characters is changed", async () => {
    const names = ["body", "reason", "input", "signature", "nonce", "key", "code"] as const
    const changed = fc
      .tuple(
        fc.constantFrom(...names),
        fc.nat({ max: 40 }),
        fc.string({ unit: "binary-ascii", maxLength: 2 }),
      )
      .map(([name, at, instead]) => {
        const text = response[name]
        const position = at % text.length
        return { name, text: text.slice(0, position) + instead + text.slice(position + 1) }
      })
      .filter(({ name, text }) => text !== response[name])
    await fc.assert(
      fc.asyncProperty(changed, async ({ name, text }) => {
        const fault = await findFault({ ...response, [name]: text })
        expect(fault).toMatch(/^(unsigned|unknown_signer|forged|replayed)$/)
      }),
      { numRuns: propertyRuns(300) },
    )
  })
})
