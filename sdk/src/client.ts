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
import { type Download, type Release, type Result, unknownResult } from "./result.ts"
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
  /** URL of the server, such as `https://licenses.example.com`. The next URL of a list is used if one returns no verdict. */
  baseUrl: string | readonly string[]
  /** API key. Ship only a validation key (`pzr_vk_…`) in a product, never a secret key. */
  key: string
  /** Accepted item ids; all by default. Required with a validation key. */
  items?: readonly (number | string)[]
  /** Pinned public keys: `x` of the keys at `/.well-known/pazar-keys.json`. With them, unsigned responses are rejected. */
  keys?: readonly string[]
  /** Stores responses; in memory by default. Required with a validation key. */
  store?: Store
  /** The site or URL that runs the product. Requests without a site are not limited. */
  site?: string
  /** Timeout for all requests of a call together. Default: 5000. */
  timeoutMs?: number
  /** Offline grace period. Default: 14. The server may end it earlier. */
  graceDays?: number
  fetch?: Fetch
  now?: () => number
}>

export interface Pazar {
  /** Returns the stored result without sending a request. Use it on page loads. Never rejects. */
  cached(code: string): Promise<Result>
  /** Sends a request if one is due. `force` sends one now, for forms where buyers enter a code. Never rejects. */
  check(code: string, options?: Readonly<{ force?: boolean }>): Promise<Result>
  /** Frees the slot of a site, by default of this site. Never rejects. */
  release(code: string, site?: string): Promise<Release>
  /** Takes the slot back from the site that was activated last after this one, then validates. Never rejects. */
  reclaim(code: string): Promise<Result>
  /** Asks for the update: the URL of a download, or why there is none. Use it when the update runs. Never rejects. */
  download(code: string): Promise<Download>
  /** URL of the offline activation. Rejects for a secret key, or if the store is not writable. */
  activationUrl(): Promise<string>
  /** Verifies and stores the receipt that the activation page displays. Pass the returned `code` to `cached`. Never rejects. */
  importReceipt(line: string): Promise<Result & Readonly<{ code: string }>>
  /** URL of the page where buyers see the sites of a code and free slots. The code is in the fragment, which browsers do not send. */
  licenseUrl(code?: string): string
  /** Empties the store. Rejects if the store is not writable. */
  forget(): Promise<void>
}

const notWritable = "store_not_writable"

/** Throws a TypeError for invalid options. */
export function createPazar(options: PazarOptions): Pazar {
  const {
    baseUrl,
    key: rawKey,
    items: rawItems,
    keys,
    store = createMemoryStore(),
    site: rawSite = "",
    timeoutMs = 5_000,
    graceDays = 14,
    fetch = (url, init) => globalThis.fetch(url, init),
    now = Date.now,
    ...others
  } = options
  // A misspelled `keys` would disable the verification of signatures.
  const [misspelled] = Object.keys(others)
  expect(misspelled === undefined, `unknown option ${misspelled}`)
  const baseUrls = [baseUrl].flat().map((url) => url.replace(/\/+$/, ""))
  const areUrls = baseUrls.length > 0 && baseUrls.every((url) => /^https?:\/\/[^?#\s]+$/.test(url))
  expect(areUrls, "baseUrl must be an http(s) URL, or a list of them")
  const key = trim(rawKey)
  expect(key !== "", "key must not be empty")
  const items = rawItems?.map(parseItem) ?? null
  // An empty list would reject every buyer. It may come from a build without its settings.
  expect(items?.length !== 0, "items must not be empty")
  const isComplete = !isValidationKey(key) || (items !== null && options.store !== undefined)
  expect(isComplete, "items and store are required with a validation key")
  const areKeys = keys?.length !== 0 && (keys?.every(isPublicKey) ?? true)
  expect(areKeys, "keys must be public keys, 32 bytes each, in base64url")
  expect(timeoutMs > 0 && timeoutMs < 2 ** 31, "timeoutMs must be above 0")

  const trusted = keys === undefined ? null : createTrustedKeys(keys)
  const sites = [normalizeSite(trim(rawSite)), trim(rawSite)] as const
  const [site] = sites
  const verification = { trusted, items, key, sites }
  const server = createServerClient(verification, { baseUrls, timeoutMs, fetch, now })
  const stateStore = createStateStore(store)
  const graceMs = graceDays * dayMs
  /** Requests in progress by code: concurrent calls share one. */
  const pending = new Map<string, Promise<Result>>()

  async function findErrorCode(code: string): Promise<string | null> {
    if (isTestKey(key) && site !== "" && !isTestSite(site)) return "test_key"
    if (trusted !== null && !(await trusted.canVerify())) return "cannot_verify"
    if (code === "") return "missing_parameter"
    return code.length > codeLengthMax ? "invalid_parameter" : null
  }

  async function createResult(record: StoredRecord, liveState?: string): Promise<Result> {
    const nowMs = now()
    const evaluation = await evaluateRecord(verification, record, { nowMs, graceMs })
    const { purchase, atMs, ageMs, ...rest } = evaluation
    const isValid = rest.state === "valid"
    const supportedUntil = purchase?.supported_until ? new Date(purchase.supported_until) : null
    // Without an `invalid` response, the last valid one says that the subscription ended.
    const isReceipt = isValid ? ageMs >= dayMs : rest.state === "invalid" && !record.invalid
    const storedSource = isReceipt ? "receipt" : "cache"
    return {
      ...rest,
      purchase: isValid ? purchase : null,
      item: rest.mayUpdate && purchase ? purchase.item : null,
      retryAfter: Math.ceil(dueInMs(record, evaluation, nowMs) / 1000),
      source: rest.state === liveState ? "server" : storedSource,
      isVerified: trusted !== null,
      isValid,
      isExpired: rest.reason === "expired_code",
      isSupported: isValid && Number(supportedUntil) > atMs,
      supportedUntil,
    }
  }

  const createErrorResult = (reason: string) => createResult({ ...emptyRecord, failure: reason })

  async function loadRecord(stored: StoredState, code: string): Promise<StoredRecord> {
    await trusted?.addEndorsed(stored.endorsedKeys)
    return findRecord(stored, identify(code))
  }

  const identify = (code: string) => ({ code: foldCode(code), sites })
  const listEndorsed = () => trusted && { endorsedKeys: trusted.listEndorsed() }

  async function check(code: string, force: boolean): Promise<Result> {
    const identity = identify(code)
    const { isWritten, found } = await stateStore.update(async (stored) => {
      const record = await loadRecord(stored, code)
      const nowMs = now()
      const evaluation = await evaluateRecord(verification, record, { nowMs, graceMs })
      const isDue = dueInMs(record, evaluation, nowMs) === 0 && !isClaimed(record, nowMs, timeoutMs)
      const claimed = isDue || force ? claimRecord(record, nowMs, timeoutMs) : null
      return [claimed && putRecord(stored, identity, claimed), { record, evaluation, claimed }]
    })
    const { record, evaluation, claimed } = found
    // Without a stored claim every process would send a request, so only forced checks do.
    if (claimed === null) return createResult(record)
    const report = (result: Result): Result =>
      isWritten || !["", "not_checked", "receipt_expired"].includes(result.reason)
        ? result
        : { ...result, reason: notWritable }
    if (!isWritten && !force) return report(await createResult(record))
    const live = await server.validate(code)
    const updated = updateRecord(claimed, evaluation, live, {
      nowMs: now(),
      isPinned: trusted !== null,
    })
    await stateStore.update(async (stored) => {
      // Another process claimed the record since, or the store was emptied.
      const isStale = findRecord(stored, identity).attempts !== claimed.attempts
      return [isStale ? null : { ...putRecord(stored, identity, updated), ...listEndorsed() }, null]
    })
    return report(await createResult(updated, live.state))
  }

  async function release(code: string, released: string): Promise<Release> {
    if (code === "" || released === "") return unknownResult("missing_parameter")
    const result = await server.release({ purchase_code: code, site: released })
    if (result.state !== "unknown" && released === site) {
      await stateStore.update(async (stored) => [withoutRecord(stored, identify(code)), null])
    }
    return result
  }

  async function importReceipt(line: string): Promise<Result & Readonly<{ code: string }>> {
    const receipt = parseReceipt(line)
    const code = normalizeCode(receipt?.response.code ?? "")
    const errorCode = receipt === null ? "invalid_response" : await findErrorCode(code)
    const reject = async (reason: string) => ({ ...(await createErrorResult(reason)), code })
    if (receipt === null || errorCode !== null) return reject(errorCode ?? "")
    const { response } = receipt
    if (trusted === null) return reject("unsigned")
    const { isWritten, found } = await stateStore.update<StoredRecord | string>(async (stored) => {
      const record = await loadRecord(stored, code)
      // The nonce proves that the receipt is new, whatever the local clock says.
      if (stored.nonce !== response.nonce) return [null, "replayed"]
      await trusted.addEndorsed(receipt.keys)
      const verified = await verifyResponse(verification, response, foldCode(code))
      if (typeof verified === "string") return [null, verified]
      const { state } = verified.verdict
      const nowMs = now()
      const before = await evaluateRecord(verification, record, { nowMs, graceMs })
      const updated = updateRecord(
        record,
        before,
        { ...verified, state, response },
        { nowMs, isPinned: true },
      )
      const { nonce: _, ...rest } = putRecord(stored, identify(code), updated)
      return [state === "valid" ? { ...rest, ...listEndorsed() } : null, updated]
    })
    if (typeof found === "string") return reject(found)
    if (found.valid && !isWritten) return reject(notWritable)
    return { ...(await createResult(found)), source: "receipt", code }
  }

  /** Calls `work` with the normalized code if it can be validated. JavaScript callers may pass any value. */
  async function withCode(typed: string, work: (code: string) => Promise<Result>): Promise<Result> {
    try {
      const code = normalizeCode(String(typed ?? ""))
      const errorCode = await findErrorCode(code)
      return errorCode === null ? await work(code) : await createErrorResult(errorCode)
    } catch {
      return createErrorResult("invalid_parameter")
    }
  }

  return {
    cached: (typed) =>
      withCode(typed, async (code) =>
        createResult(await loadRecord(await stateStore.read(), code)),
      ),
    check: (typed, call) =>
      withCode(typed, async (code) => {
        const running = pending.get(code)
        if (running !== undefined) return running
        const request = check(code, call?.force === true).finally(() => pending.delete(code))
        pending.set(code, request)
        return request
      }),
    async release(typed, released = site) {
      try {
        return await release(
          normalizeCode(String(typed ?? "")),
          normalizeSite(trim(String(released))),
        )
      } catch {
        return unknownResult("invalid_parameter")
      }
    },
    reclaim: (typed) =>
      withCode(typed, async (code) => {
        if (site !== "") await server.release({ purchase_code: code, for: site })
        return check(code, true)
      }),
    async download(typed) {
      try {
        const code = normalizeCode(String(typed ?? ""))
        const errorCode = await findErrorCode(code)
        if (errorCode === null) return server.download(code)
        return { ...unknownResult(errorCode), url: "" }
      } catch {
        return { ...unknownResult("invalid_parameter"), url: "" }
      }
    },
    async activationUrl() {
      expect(/^pzr_[vt]k_/.test(key), "activationUrl needs a validation key or a test key")
      const { isWritten, found: nonce } = await stateStore.update(async (stored) => {
        // The nonce stays the same until a receipt is imported: buyers may open the page again.
        const nonce = stored.nonce ?? createNonce()
        return [{ ...stored, nonce }, nonce]
      })
      if (!isWritten) throw new Error("the store is not writable")
      const fragment = new URLSearchParams({ key, nonce, ...(site && { site }) })
      return `${baseUrls[0]}/activate#${fragment}`
    },
    async importReceipt(line) {
      try {
        return await importReceipt(String(line))
      } catch {
        return { ...(await createErrorResult("invalid_parameter")), code: "" }
      }
    },
    licenseUrl(typed) {
      const code = normalizeCode(typed ?? "")
      return `${baseUrls[0]}/license${code && `#${new URLSearchParams({ code })}`}`
    },
    async forget() {
      const { isWritten } = await stateStore.update(async () => [{ records: [] }, null])
      if (!isWritten) throw new Error("the store is not writable")
    },
  }
}

function expect(isMet: boolean, rule: string): void {
  if (!isMet) throw new TypeError(rule)
}

function parseItem(item: number | string): number {
  const id = typeof item === "string" && /^\s*\d+\s*$/.test(item) ? Number(item) : item
  expect(Number.isSafeInteger(id), "items must be item ids")
  return Number(id)
}
