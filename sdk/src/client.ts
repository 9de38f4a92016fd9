/** The client of a product. One result for each code, from the store or from the server. */
import { parseReceipt } from "./activation.ts"
import {
  codeLengthMax,
  foldCode,
  isTestSite,
  normalizeCode,
  normalizeSite,
  trim,
} from "./normalize.ts"
import { claimRecord, dayMs, dueInMs, evaluateRecord, isClaimed, updateRecord } from "./policy.ts"
import type { Fetch } from "./request.ts"
import { type Release, type Result, unknown } from "./result.ts"
import { createNonce, createServerClient } from "./server-client.ts"
import { createMemoryStore, createStateStore, type Store } from "./store.ts"
import {
  emptyRecord,
  findRecord,
  putRecord,
  type StoredRecord,
  type StoredState,
  withoutRecord,
} from "./stored-record.ts"
import { createTrustedKeys, isPublicKey } from "./trusted-keys.ts"
import { isTestKey, isValidationKey, verifyResponse } from "./verify-response.ts"

export type PazarOptions = Readonly<{
  /** The server's URL, such as `https://licenses.example.com`, or several: the next one if one gives no verdict. */
  baseUrl: string | readonly string[]
  /** A product that is given away contains a validation key (`pzr_vk_…`), never a secret one. */
  key: string
  /** The item ids to accept. Required with a validation key. */
  items?: readonly (number | string)[]
  /** Pinned public keys: `x` of the keys at `/.well-known/pazar-keys.json`. Only signed responses count then. */
  keys?: readonly string[]
  /** Where responses are kept. Required with a validation key; otherwise they are kept in memory. */
  store?: Store
  /** Where the product runs, such as the URL of a shop. Without it no site limit applies. */
  site?: string
  /** For all requests of a call together: 5000. */
  timeoutMs?: number
  /** The offline grace period: 14 days, and never longer than the server allows. */
  graceDays?: number
  /** Instead of the global `fetch`. */
  fetch?: Fetch
  /** Instead of `Date.now`. */
  now?: () => number
}>

export interface Pazar {
  /** The result from the store. Never sends a request: for page loads. Never rejects. */
  cached(code: string): Promise<Result>
  /** Sends a request if one is due, otherwise as `cached`. `force` sends one now: for a form where a buyer enters the code. Never rejects. */
  check(code: string, options?: Readonly<{ force?: boolean }>): Promise<Result>
  /** Frees the slot of a site: the own one, or another. Never rejects. */
  release(code: string, site?: string): Promise<Release>
  /** "Use it here again": takes the slot back from a younger site, then checks. Never rejects. */
  reclaim(code: string): Promise<Result>
  /** The URL for an offline activation. Rejects for a secret key, and if the store cannot be written. */
  activationUrl(): Promise<string>
  /** Takes the line that the page of `activationUrl` displays. `code` is for `cached` and `check`. Never rejects. */
  importReceipt(line: string): Promise<Result & Readonly<{ code: string }>>
  /** The page where a buyer sees the sites of a code and releases them. The code is in the fragment, which no browser sends. */
  licenseUrl(code?: string): string
  /** Empties the store. Rejects if it cannot be written. */
  forget(): Promise<void>
}

/** Throws a TypeError for options that cannot work. */
export function createPazar(options: PazarOptions): Pazar {
  const {
    baseUrl,
    key: pastedKey,
    items: givenItems,
    keys,
    store = createMemoryStore(),
    site: givenSite = "",
    timeoutMs = 5_000,
    graceDays = 14,
    fetch = (url, init) => globalThis.fetch(url, init),
    now = Date.now,
    ...others
  } = options
  // A misspelled `keys` would disable signatures.
  const [misspelled] = Object.keys(others)
  expect(misspelled === undefined, `unknown option ${misspelled}`)
  const baseUrls = [baseUrl].flat().map((url) => url.replace(/\/+$/, ""))
  const areUrls = baseUrls.length > 0 && baseUrls.every((url) => /^https?:\/\/[^?#\s]+$/.test(url))
  expect(areUrls, "baseUrl must be an http(s) URL, or a list of them")
  const key = trim(pastedKey)
  expect(key !== "", "key must not be empty")
  const items = givenItems?.map(parseItem) ?? null
  // An empty list is a mistake, such as a build without its settings: it must not refuse every buyer.
  expect(items?.length !== 0, "items must not be empty")
  const isComplete = !isValidationKey(key) || (items !== null && options.store !== undefined)
  expect(isComplete, "items and store are required with a validation key")
  const areKeys = keys?.length !== 0 && (keys?.every(isPublicKey) ?? true)
  expect(areKeys, "keys must be public keys, 32 bytes each, in base64url")
  expect(timeoutMs > 0 && timeoutMs < 2 ** 31, "timeoutMs must be above 0")

  const trusted = keys === undefined ? null : createTrustedKeys(keys)
  const sites = [normalizeSite(trim(givenSite)), trim(givenSite)] as const
  const [site] = sites
  const terms = { trusted, items, key, sites }
  const server = createServerClient(terms, { baseUrls, timeoutMs, fetch, now })
  const texts = createStateStore(store)
  const graceMs = graceDays * dayMs
  /** By code, so that concurrent calls send one request. */
  const pending = new Map<string, Promise<Result>>()

  /** The error code of a code that is not validated at all. */
  async function findFault(code: string): Promise<string | null> {
    if (isTestKey(key) && site !== "" && !isTestSite(site)) return "test_key"
    if (trusted !== null && !(await trusted.canVerify())) return "cannot_verify"
    if (code === "") return "missing_parameter"
    return code.length > codeLengthMax ? "invalid_parameter" : null
  }

  async function describe(record: StoredRecord, liveState?: string): Promise<Result> {
    const nowMs = now()
    const judgment = await evaluateRecord(terms, record, { nowMs, graceMs })
    const { purchase, atMs, ageMs, ...rest } = judgment
    const isValid = rest.state === "valid"
    const supportedUntil = purchase?.supported_until ? new Date(purchase.supported_until) : null
    const storedSource = isValid && ageMs >= dayMs ? "receipt" : "cache"
    return {
      ...rest,
      purchase: isValid ? purchase : null,
      retryAfter: Math.ceil(dueInMs(record, judgment, nowMs) / 1000),
      source: rest.state === liveState ? "server" : storedSource,
      isVerified: trusted !== null,
      isValid,
      isSupported: isValid && Number(supportedUntil) > atMs,
      supportedUntil,
    }
  }

  const describeFault = (reason: string) => describe({ ...emptyRecord, failure: reason })

  async function recall(stored: StoredState, code: string): Promise<StoredRecord> {
    await trusted?.addEndorsed(stored.endorsedKeys)
    return findRecord(stored, identify(code))
  }

  const identify = (code: string) => ({ code: foldCode(code), sites })
  const listFollowed = () => trusted && { endorsedKeys: trusted.listEndorsed() }

  async function check(code: string, force: boolean): Promise<Result> {
    const identity = identify(code)
    const { isWritten, found } = await texts.update(async (stored) => {
      const record = await recall(stored, code)
      const nowMs = now()
      const judgment = await evaluateRecord(terms, record, { nowMs, graceMs })
      const isDue = dueInMs(record, judgment, nowMs) === 0 && !isClaimed(record, nowMs, timeoutMs)
      const claimed = isDue || force ? claimRecord(record, nowMs, timeoutMs) : null
      return [claimed && putRecord(stored, identity, claimed), { record, judgment, claimed }]
    })
    const { record, judgment, claimed } = found
    // If the claim cannot be written, every process would send a request. A buyer who waits for the result does.
    if (claimed === null || (!isWritten && !force)) return describe(record)
    const live = await server.validate(code)
    const learned = updateRecord(claimed, judgment, live, {
      nowMs: now(),
      isPinned: trusted !== null,
    })
    await texts.update(async (stored) => {
      // Another process has sent a request since, or the store was emptied.
      const isLate = findRecord(stored, identity).attempts !== claimed.attempts
      return [isLate ? null : { ...putRecord(stored, identity, learned), ...listFollowed() }, null]
    })
    return describe(learned, live.state)
  }

  async function release(code: string, released: string): Promise<Release> {
    if (code === "" || released === "") return unknown("missing_parameter")
    const result = await server.release({ purchase_code: code, site: released })
    if (result.state !== "unknown" && released === site) {
      // The next check would use the slot again.
      await texts.update(async (stored) => [withoutRecord(stored, identify(code)), null])
    }
    return result
  }

  async function importReceipt(line: string): Promise<Result & Readonly<{ code: string }>> {
    const response = parseReceipt(line)
    const code = normalizeCode(response?.code ?? "")
    const fault = response === null ? "invalid_response" : await findFault(code)
    const refuse = async (reason: string) => ({ ...(await describeFault(reason)), code })
    if (response === null || fault !== null) return refuse(fault ?? "")
    if (trusted === null) return refuse("unsigned")
    const { isWritten, found } = await texts.update<StoredRecord | string>(async (stored) => {
      const record = await recall(stored, code)
      // The nonce proves that the response is new, so no clock is compared.
      if (stored.nonce !== response.nonce) return [null, "replayed"]
      const proof = await verifyResponse(terms, response, foldCode(code))
      if (typeof proof === "string") return [null, proof]
      const { state } = proof.verdict
      const nowMs = now()
      const before = await evaluateRecord(terms, record, { nowMs, graceMs })
      const learned = updateRecord(
        record,
        before,
        { ...proof, state, response },
        { nowMs, isPinned: true },
      )
      const { nonce: _, ...rest } = putRecord(stored, identify(code), learned)
      return [state === "valid" ? { ...rest, ...listFollowed() } : null, learned]
    })
    if (typeof found === "string") return refuse(found)
    if (found.good && !isWritten) return refuse("not_checked")
    return { ...(await describe(found)), source: "receipt", code }
  }

  /** Callers in JavaScript pass anything. `work` gets the code in normal form, if it can be validated. */
  async function settle(typed: string, work: (code: string) => Promise<Result>): Promise<Result> {
    try {
      const code = normalizeCode(String(typed ?? ""))
      const fault = await findFault(code)
      return fault === null ? await work(code) : await describeFault(fault)
    } catch {
      return describeFault("invalid_parameter")
    }
  }

  return {
    cached: (typed) =>
      settle(typed, async (code) => describe(await recall(await texts.read(), code))),
    check: (typed, call) =>
      settle(typed, async (code) => {
        const running = pending.get(code)
        if (running !== undefined) return running
        const request = check(code, call?.force === true).finally(() => pending.delete(code))
        pending.set(code, request)
        return request
      }),
    async release(typed, given = site) {
      try {
        return await release(normalizeCode(String(typed ?? "")), normalizeSite(trim(String(given))))
      } catch {
        return unknown("invalid_parameter")
      }
    },
    reclaim: (typed) =>
      settle(typed, async (code) => {
        if (site !== "") await server.release({ purchase_code: code, for: site })
        return check(code, true)
      }),
    async activationUrl() {
      expect(/^pzr_[vt]k_/.test(key), "activationUrl needs a validation key or a test key")
      const { isWritten, found: nonce } = await texts.update(async (stored) => {
        // The same until a receipt was imported: the buyer may open the page again.
        const nonce = stored.nonce ?? createNonce()
        return [{ ...stored, nonce }, nonce]
      })
      if (!isWritten) throw new Error("the store cannot be written")
      const fragment = new URLSearchParams({ key, nonce, ...(site && { site }) })
      return `${baseUrls[0]}/activate#${fragment}`
    },
    async importReceipt(line) {
      try {
        return await importReceipt(String(line))
      } catch {
        return { ...(await describeFault("invalid_parameter")), code: "" }
      }
    },
    licenseUrl(typed) {
      const code = normalizeCode(typed ?? "")
      return `${baseUrls[0]}/license${code && `#${new URLSearchParams({ code })}`}`
    },
    async forget() {
      const { isWritten } = await texts.update(async () => [{ records: [] }, null])
      if (!isWritten) throw new Error("the store cannot be written")
    },
  }
}

function expect(isGood: boolean, rule: string): void {
  if (!isGood) throw new TypeError(rule)
}

function parseItem(given: number | string): number {
  const id = typeof given === "string" && /^\s*\d+\s*$/.test(given) ? Number(given) : given
  expect(Number.isSafeInteger(id), "items must be ids of items")
  return Number(id)
}
