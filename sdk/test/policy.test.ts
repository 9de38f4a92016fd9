/** Runs the cases of `clients/policy.json`, which both clients share. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import policy from "../../clients/policy.json"
import type { Download, PazarOptions, Release, Result } from "../src/index.ts"
import { createPazar } from "../src/index.ts"
import { isTestSite, normalizeSite } from "../src/normalize.ts"
import { hideEd25519 } from "./ed25519.ts"
import {
  createMemoryStore,
  encodeReceipt,
  type FakeServer,
  type MemoryStore,
  plain,
  purchase,
  type RequestForm,
  type Respond,
  receiptFields,
  serverMs,
  signedResponse,
  startFakeServer,
  startTruncatingServer,
  validBody,
} from "./fake-server.ts"
import { createSigner, jwk, type SignedParts, type Signer } from "./signer.ts"

type ResponseFields = Readonly<{
  status?: number
  reason?: string | null
  signed?: string | false
  item?: number
  /** `site` is null for a response that is signed for a request without a site. */
  for?: Partial<Omit<SignedParts, "site">> & Readonly<{ site?: string | null }>
  supportedFor?: number
  expiresAfter?: number
  retryAfter?: number
}>
type Kind = ResponseFields | string
type Settings = Readonly<{
  code?: string
  site?: string | null
  key?: string
  pinned?: boolean
  urls?: number
  graceDays?: number
  canVerify?: boolean
  canStore?: boolean
}>
type Step = Settings &
  Readonly<{
    call: string
    after?: number
    clock?: number
    response?: Kind | readonly Kind[]
    release?: Kind
    download?: Kind
    releaseSite?: string
    keySet?: readonly Readonly<{ key: string; endorsedBy: readonly string[] }>[]
    expect: Readonly<Record<string, unknown>>
  }>
type Row = Settings & Readonly<{ name: string; steps: readonly Step[] }>

const signers = new Map<string, Signer>()
function signerOf(name: string): Signer {
  const signer = signers.get(name) ?? createSigner()
  signers.set(name, signer)
  return signer
}

let servers: readonly FakeServer[]
let truncating: Awaited<ReturnType<typeof startTruncatingServer>>
let goneUrl: string
beforeAll(async () => {
  servers = [startFakeServer(), startFakeServer()]
  truncating = await startTruncatingServer((form) => signedResponse(signerOf("a"), form))
  const closed = startFakeServer()
  goneUrl = closed.url
  await closed.close()
})
afterAll(async () => {
  truncating.close()
  await Promise.all(servers.map((server) => server.close()))
})

/** `atMs` is the time on the server's clock. */
function respondTo(
  kind: Kind,
  form: RequestForm,
  { atMs, isPinned }: { atMs: number; isPinned: boolean },
) {
  const createdAt = atMs / 1000
  const ok = { "Pazar-Reason": "ok" }
  switch (kind) {
    case "timeout":
      return new Promise<Response>(() => {})
    case "html":
      return plain(200, "<!doctype html><title>Sign in to the network</title>", ok)
    case "redirect":
      return plain(307, "", { Location: `${servers[0]?.url}/api/purchases/validation` })
    case "plain_404":
      return plain(404, '{"error":"no route"}')
    case "download":
      return plain(200, '{"status":"success","data":{"url":"/downloads/TOKEN"}}', ok)
    case "other_json":
      return signedResponse(signerOf("a"), form, { body: '{"status":"success"}', createdAt })
  }
  const fields: ResponseFields = typeof kind === "string" ? {} : kind
  const { reason = "ok", signed = isPinned && "a", item = 7, supportedFor, retryAfter } = fields
  const status = fields.status ?? (reason === "ok" ? 200 : 404)
  const sold = { ...purchase, item: { ...purchase.item, id: item } }
  const until = new Date(atMs + (supportedFor ?? 0) * 1000).toISOString().replace(".000", "")
  const body =
    status === 200
      ? validBody(supportedFor === undefined ? sold : { ...sold, supported_until: until })
      : '{"status":"error","msg":"Invalid purchase code"}'
  const headers = {
    ...(reason !== null && { "Pazar-Reason": reason }),
    ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
  }
  if (signed === false || (status !== 200 && status !== 404)) return plain(status, body, headers)
  const key = form.api_key ?? ""
  const { site, ...changes } = fields.for ?? {}
  return signedResponse(signerOf(signed), form, {
    status,
    body,
    reason: reason ?? "",
    createdAt,
    expiresAt: createdAt + (fields.expiresAfter ?? (status === 200 ? 14 * 86_400 : 300)),
    tag: key.startsWith("pzr_tk_") ? "pazar-test" : "pazar-validation",
    ...changes,
    ...(site !== undefined && { site: site ?? undefined }),
  })
}

/** Does what the activation page does with its URL and a code. */
async function readReceipt(activationUrl: string, code: string): Promise<string> {
  const { origin, hash } = new URL(activationUrl)
  const { key = "", ...rest } = Object.fromEntries(new URLSearchParams(hash.slice(1)))
  const body = new URLSearchParams({ api_key: key, purchase_code: code, ...rest })
  const response = await fetch(`${origin}/api/purchases/validation`, { method: "POST", body })
  const keySet = await fetch(`${origin}/.well-known/pazar-keys.json`)
  const { keys }: { keys: unknown } = JSON.parse(await keySet.text())
  return encodeReceipt({ ...(await receiptFields(response)), key, code, ...rest, keys })
}

/** Runs the steps of a row on one store, each with a new client. */
async function run({ steps, ...row }: Omit<Row, "name">) {
  const store = createMemoryStore()
  let atMs = serverMs
  let clockMs = 0
  for (const [index, fields] of steps.entries()) {
    const step = { ...row, ...fields }
    atMs += (step.after ?? 0) * 1000
    clockMs = step.clock === undefined ? clockMs : step.clock * 1000
    const result = await runStep(step, store, { atMs, nowMs: atMs + clockMs })
    const { requests, ...expected } = step.expect
    expect([index, result]).toEqual([index, expect.objectContaining({ requests, ...expected })])
    const { isValid, reason } = result
    const implied = { isValid: expected.state === "valid", reason: expected.reason ?? "" }
    expect<unknown>({ index, isValid, reason }).toEqual({ index, ...implied })
  }
}

async function runStep(
  step: Step,
  store: MemoryStore,
  { atMs, nowMs }: { atMs: number; nowMs: number },
) {
  const { code = "GOOD-CODE-1", site = "shop.example.com", pinned = true, graceDays } = step
  const kinds: readonly Kind[] = [step.response ?? []].flat()
  const forms: RequestForm[] = []
  let requests = 0
  for (const [index, server] of servers.entries()) {
    const respond: Respond = (form, request) => {
      if (request.url.endsWith("/release") || request.url.endsWith("/download")) {
        forms.push(form)
        return respondTo(step.release ?? step.download ?? "", form, { atMs, isPinned: false })
      }
      return respondTo(kinds[index] ?? "no response", form, { atMs, isPinned: pinned })
    }
    server.respond(respond)
    server.publish(
      (step.keySet ?? []).map(({ key, endorsedBy }) =>
        jwk(signerOf(key), ...endorsedBy.map(signerOf)),
      ),
    )
  }
  const urlOf = (index: number) => {
    if (kinds[index] === "refused" || step.download === "refused") return goneUrl
    return kinds[index] === "cut_off" ? truncating.url : (servers[index]?.url ?? "")
  }
  // Two servers share the timeout, and the first needs enough time to respond.
  const hangs = step.release === "timeout" || kinds.includes("timeout")
  const pazar = createPazar({
    baseUrl: Array.from({ length: step.urls ?? 1 }, (_, index) => urlOf(index)),
    key: step.key ?? "pzr_vk_KeyOfTheProduct",
    items: [7],
    store:
      step.canStore === false ? { ...store, set: () => Promise.reject(new Error("full")) } : store,
    timeoutMs: !hangs ? 60_000 : kinds.length > 1 ? 1_000 : 20,
    now: () => nowMs,
    fetch(url, init) {
      if (url.endsWith("/validation")) requests += 1
      return fetch(url, init)
    },
    ...(site !== null && { site }),
    ...(pinned && { keys: [signerOf("a").x, signerOf("b").x] }),
    ...(graceDays !== undefined && { graceDays }),
  } satisfies PazarOptions)
  const calls: Readonly<Record<string, () => Promise<Result | Release | Download>>> = {
    cached: () => pazar.cached(code),
    check: () => pazar.check(code),
    force: () => pazar.check(code, { force: true }),
    reclaim: () => pazar.reclaim(code),
    release: () => pazar.release(code, step.releaseSite),
    download: () => pazar.download(code),
    import: async () => pazar.importReceipt(await readReceipt(await pazar.activationUrl(), code)),
  }
  const restore = step.canVerify === false ? hideEd25519() : () => {}
  const result = await calls[step.call]?.()
  restore()
  const [{ api_key: _, purchase_code: __, ...form } = {}] = forms
  const until = result && "supportedUntil" in result ? result.supportedUntil : null
  return {
    ...(result ?? { state: "no call", reason: "" }),
    isValid: result && "isValid" in result && result.isValid,
    requests,
    releaseForm: form,
    downloadForm: form,
    ...(result && "url" in result && { url: result.url.replace(urlOf(0), "") }),
    ...(result && "item" in result && { item: result.item?.id ?? null }),
    supportedFor: until && (until.getTime() - atMs) / 1000,
  }
}

// `as`: the entries of the file have different fields.
const rows = policy.rows as unknown as readonly Row[]
const noVerdict = policy.noVerdict as unknown as Readonly<{
  steps: readonly Step[]
  responses: readonly Readonly<{ name: string; response: Kind; reason: string }>[]
}>

test.each(rows)("$name", ({ name: _, ...row }) => run(row))

test.each(noVerdict.responses)("no verdict: $name", ({ response, reason }) =>
  run({
    steps: noVerdict.steps.map((step) => ({
      ...step,
      ...(step.response === "$response" && { response }),
      expect: { ...step.expect, ...(step.expect.reason === "$reason" && { reason }) },
    })),
  }),
)

describe("test sites", () => {
  const isTest = (site: string) => isTestSite(normalizeSite(site))
  test.each(policy.testSites.test)("%s is a test site", (site) => expect(isTest(site)).toBe(true))
  test.each(policy.testSites.other)("%s is not a test site", (site) =>
    expect(isTest(site)).toBe(false),
  )
})
