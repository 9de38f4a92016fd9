/** The client: reads throw `PazarError`, questions about a code end in one of three states. */

import { createActivation, type SiteCall } from "./activation.ts"
import { cleanCode, trimBlank } from "./blank.ts"
import { type CheckCall, createCheck, dayMs, graceDaysDefault } from "./check.ts"
import type { Call } from "./deadline.ts"
import { PazarError } from "./error.ts"
import { findJson, isObject } from "./json.ts"
import {
  type Failure,
  type Imported,
  isWorthAskingElsewhere,
  type Outcome,
  type Receipt,
  type Release,
  type Store,
  type Unknown,
} from "./outcome.ts"
import { judgeReceipt } from "./receipt.ts"
import { createTurns } from "./record.ts"
import { isValidationKey, tagFor } from "./signature.ts"
import { createExchange, type Fetch, failureOf, requestIdOf } from "./transport.ts"
import { createTrustedKeys, isPublicKey } from "./trusted-keys.ts"
import { createRelease, createValidate, siteOf, type ValidateCall } from "./validate.ts"
import { unknown } from "./verdict.ts"
import type { Account, Item } from "./wire.ts"

/** Options of a client. */
export type PazarOptions = Readonly<{
  /** The server's address, such as `https://licences.example.com`, or several: if one gives no answer, the next is asked. */
  baseUrl: string | readonly string[]
  /** An API key. A product that is given away holds a validation key (`pzr_vk_…`), never a secret one. */
  key: string
  /** The item ids to accept; required with a validation key. */
  items?: readonly (number | string)[]
  /** Pinned public keys: `x` of the keys at `/.well-known/pazar-keys.json`. Without them there are no receipts. */
  keys?: readonly string[]
  /** The limit of a whole call, retries included: 5000. */
  timeoutMs?: number
  /** How often a request is repeated after a network error or 429, 502, 503, 504: 2. */
  retries?: number
  /** Where the product runs, such as the address of a shop; each call may name another. Without one no limit of sites applies. */
  site?: string
  /** The language of messages. */
  lang?: "en" | "tr"
  /** Instead of the global `fetch`. */
  fetch?: Fetch
  /** Instead of `Date.now`. */
  now?: () => number
}>

/** A client of one server with one key. */
export interface Pazar {
  /** The account that owns the key. Rejects with `PazarError`. */
  account(call?: Call): Promise<Account>
  /** Every visible item of the account, newest id first; empty if there are none. Rejects with `PazarError`. */
  items(call?: Call): Promise<readonly Item[]>
  /** Null if there is no such item. Rejects with `PazarError`. */
  item(id: number, call?: Call): Promise<Item | null>
  /** Asks the server once, now. Never rejects. */
  validate(code: string, call?: ValidateCall): Promise<Outcome>
  /** Asks once a day, once an hour while there is no "yes", and remembers the answer in `store`. Never rejects. */
  check(code: string, store: Store, call?: CheckCall): Promise<Outcome>
  /** Judges a receipt without the server. Never rejects. */
  verify(
    receipt: Receipt,
    code: string,
    options?: Pick<CheckCall, "graceDays" | "site">,
  ): Promise<Outcome>
  /** Frees the place of a site, so that the code can be used on another. Never rejects. */
  release(code: string, call?: ValidateCall): Promise<Release>
  /**
   * The address of the page where a buyer gets a receipt by hand, for a product that cannot send requests. Keeps a nonce
   * in `store`. Rejects if that cannot be written, and for a key that buyers must not see.
   */
  activationUrl(store: Store, call?: SiteCall): Promise<string>
  /** Takes the line that the page showed: if it is good, `check` has its answer. Never rejects. */
  importReceipt(line: string, store: Store, call?: SiteCall): Promise<Imported>
}

/** A path, the member of its body that holds what it gives, and the reason that means "none". */
type Read = Readonly<{ path: string; member: string; absence?: Failure; bodyBytesMax?: number }>

const accountRead: Read = { path: "/api/account/details", member: "data" }
const itemRead: Read = { path: "/api/items/item", member: "item", absence: "unknown_item" }
const listRead: Read = {
  path: "/api/items/all",
  member: "items",
  absence: "no_items",
  // 100,000 items of 2 KB each are 200 MB.
  bodyBytesMax: 256 * 1024 * 1024,
}

/** Throws a TypeError for options that cannot work. */
export function createPazar(options: PazarOptions): Pazar {
  const {
    baseUrl,
    key: pasted,
    items: given,
    keys,
    timeoutMs = 5_000,
    retries = 2,
    site: ownSite = "",
    lang,
    fetch = globalThis.fetch,
    now = Date.now,
    ...others
  } = options
  // A misspelt `keys` would turn signatures off.
  const [misspelt] = Object.keys(others)
  expect(misspelt === undefined, `there is no option ${misspelt}`)
  const baseUrls = [baseUrl].flat()
  const areUrls = baseUrls.every((url) => /^https?:\/\/[^?#]+$/.test(url))
  // As the server does, so that a key that was pasted with a blank has the same kind here and there.
  const key = trimBlank(pasted)
  const items = given?.map(parseItem) ?? null
  expect(baseUrls.length > 0 && areUrls, "baseUrl must be an http(s) address, or a list of them")
  expect(key !== "", "key must not be empty")
  expect(!isValidationKey(key) || items !== null, "items is required with a validation key")
  // An empty list is a mistake, such as a build without its settings; it must not refuse every buyer.
  expect(items?.length !== 0, "items must not be empty")
  // The same; it must not mean "unsigned".
  const areKeys = keys?.length !== 0 && (keys?.every(isPublicKey) ?? true)
  expect(areKeys, "keys must be public keys, 32 bytes each, in base64url")
  expect(timeoutMs > 0, "timeoutMs must be above 0")
  const exchange = createExchange({ baseUrls, timeoutMs, retries, fetch })
  const parameters: Record<string, string> = lang === undefined ? {} : { lang }
  const trusted = keys === undefined ? null : createTrustedKeys(keys)
  const terms = { trusted, items, key, tag: tagFor(key) }
  const asking = { exchange, parameters, now }
  const validate = createValidate(asking, terms)
  const release = createRelease(asking, key)
  const takeTurn = createTurns()
  const check = createCheck({ validate, takeTurn, timeoutMs, now }, terms)
  const [pageUrl = ""] = baseUrls
  const activation = createActivation({ pageUrl, takeTurn, now }, terms)
  const placed = <Given extends SiteCall>(call: Given | undefined) => ({
    ...call,
    // A call that names no site may still have the member.
    site: call?.site ?? ownSite,
  })

  /** Undefined if there is none. */
  async function read(
    { path, member, absence, bodyBytesMax }: Read,
    query: Readonly<Record<string, string>>,
    call: Call = {},
  ): Promise<unknown> {
    const search = new URLSearchParams({ ...parameters, ...query }).toString()
    const target = search === "" ? path : `${path}?${search}`
    // In a header: addresses end up in logs.
    const init = { headers: { "X-Api-Key": key } }
    const result = await exchange<Readonly<{ found: unknown }> | PazarError>(call, {
      async work(send) {
        const answer = await send(target, init, bodyBytesMax)
        const body = findJson(answer.body)
        const found = isObject(body) ? body[member] : undefined
        if (answer.status === 200 && isObject(found)) return { found }
        const reason = failureOf(answer)
        if (reason === absence) return { found: undefined }
        return new PazarError(reason, { status: answer.status, requestId: requestIdOf(answer) })
      },
      fail: (reason, cause) => new PazarError(reason, { cause }),
      isAnswer: (read) => !(read instanceof PazarError && isWorthAskingElsewhere(read.reason)),
    })
    if (result instanceof PazarError) throw result
    return result.found
  }

  return {
    // `as`: the members are not checked, because a newer server may send others.
    account: async (call) => (await read(accountRead, {}, call)) as Account,
    items: async (call) => ((await read(listRead, {}, call)) ?? []) as readonly Item[],
    item: async (id, call) =>
      ((await read(itemRead, { item_id: String(id) }, call)) ?? null) as Item | null,
    validate: (code, call) => settle(() => validate(code, placed(call))),
    check: (code, store, call) => settle(() => check(code, store, placed(call))),
    verify: (receipt, code, call = {}) =>
      settle(() => {
        const graceMs = (call.graceDays ?? graceDaysDefault) * dayMs
        const asked = { code: cleanCode(code), site: siteOf(placed(call)) }
        return judgeReceipt(terms, receipt, asked, { atMs: now(), graceMs })
      }),
    release: (code, call) => settle(() => release(code, placed(call))),
    activationUrl: (store, call) => activation.createLink(store, placed(call)),
    importReceipt: async (line, store, call) => ({
      code: "",
      ...(await settle(() => activation.importReceipt(line, store, placed(call)))),
    }),
  }
}

/** In JavaScript a question may be asked with anything; no product breaks by it. */
async function settle<Result>(question: () => Promise<Result>): Promise<Result | Unknown> {
  try {
    return await question()
  } catch (cause) {
    return unknown("invalid_parameter", { cause })
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
