/** The client: reads throw `PazarError`, questions about a code end in one of three states. */

import { trimBlank } from "./blank.ts"
import { type CheckCall, createCheck, dayMs, graceDaysDefault } from "./check.ts"
import type { Call } from "./deadline.ts"
import { PazarError } from "./error.ts"
import { findJson, isObject } from "./json.ts"
import type { Failure, Outcome, Receipt, Store } from "./outcome.ts"
import { judgeReceipt } from "./receipt.ts"
import { tagFor } from "./signature.ts"
import { type Answer, createExchange, type Fetch, failureOf, requestIdOf } from "./transport.ts"
import { createTrustedKeys, isPublicKey } from "./trusted-keys.ts"
import { createValidate } from "./validate.ts"
import type { Account, Item } from "./wire.ts"

/** Options of a client. */
export type PazarOptions = Readonly<{
  /** The server's address, such as `https://licences.example.com`. */
  baseUrl: string
  /** An API key. A product that is given away holds a validation key (`pzr_vk_…`), never a secret one. */
  key: string
  /** The item ids to accept; required with a validation key. */
  items?: readonly number[]
  /** Pinned public keys: `x` of the keys at `/.well-known/pazar-keys.json`. Without them there are no receipts. */
  keys?: readonly string[]
  /** The limit of a whole call, retries included: 5000. */
  timeoutMs?: number
  /** How often a request is repeated after a network error or 429, 502, 503, 504: 2. */
  retries?: number
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
  /** All items of the account, newest first; empty if there are none. Rejects with `PazarError`. */
  items(call?: Call): Promise<readonly Item[]>
  /** Null if there is no such item. Rejects with `PazarError`. */
  item(id: number, call?: Call): Promise<Item | null>
  /** Asks the server once, now. Never rejects. */
  validate(code: string, call?: Call): Promise<Outcome>
  /** Asks at most once a day and remembers the answer in `store`. Never rejects. */
  check(code: string, store: Store, call?: CheckCall): Promise<Outcome>
  /** Judges a receipt without the server. Never rejects. */
  verify(
    receipt: Receipt,
    code: string,
    options?: Readonly<{ graceDays?: number }>,
  ): Promise<Outcome>
}

/** Throws a TypeError for options that cannot work. */
export function createPazar(options: PazarOptions): Pazar {
  // As the server does, so that a key that was pasted with a blank has the same kind here and there.
  const key = trimBlank(options.key)
  assertOptions({ ...options, key })
  const { baseUrl, items = null, keys, lang, now = Date.now } = options
  const { timeoutMs = 5_000, retries = 2, fetch = globalThis.fetch } = options
  const exchange = createExchange({ baseUrl, timeoutMs, retries, fetch })
  const parameters: Record<string, string> = lang === undefined ? {} : { lang }
  const trusted = keys === undefined ? null : createTrustedKeys(keys)
  const terms = { trusted, items, tag: tagFor(key) }
  const validate = createValidate({ exchange, key, parameters, now }, terms)

  /** One member of the body; undefined if `absence` is the reason. */
  async function read(
    [path, member, absence]: readonly [path: string, member: string, absence?: Failure],
    query: Readonly<Record<string, string>>,
    call: Call = {},
  ): Promise<unknown> {
    const search = new URLSearchParams({ ...parameters, ...query }).toString()
    // In a header: addresses end up in logs.
    const init = { headers: { "X-Api-Key": key } }
    const answer = await exchange<Answer>(
      call,
      (send) => send(search === "" ? path : `${path}?${search}`, init),
      (reason, cause) => {
        throw new PazarError(reason, { cause })
      },
    )
    const body = findJson(answer.body)
    const found = isObject(body) ? body[member] : undefined
    if (answer.status === 200 && isObject(found)) return found
    const reason = failureOf(answer)
    if (reason === absence) return undefined
    throw new PazarError(reason, { status: answer.status, requestId: requestIdOf(answer) })
  }

  return {
    // `as`: the members are not checked, because a newer server may send others.
    account: async (call) => (await read(["/api/account/details", "data"], {}, call)) as Account,
    items: async (call) =>
      ((await read(["/api/items/all", "items", "no_items"], {}, call)) ?? []) as readonly Item[],
    item: async (id, call) => {
      const query = { item_id: String(id) }
      const found = await read(["/api/items/item", "item", "unknown_item"], query, call)
      return (found ?? null) as Item | null
    },
    validate,
    check: createCheck({ validate, timeoutMs, now }, terms),
    verify: (receipt, code, { graceDays = graceDaysDefault } = {}) =>
      judgeReceipt(terms, receipt, trimBlank(code), { atMs: now(), graceMs: graceDays * dayMs }),
  }
}

function assertOptions({ baseUrl, key, items, keys }: PazarOptions): void {
  if (!/^https?:\/\/[^?#]+$/.test(baseUrl))
    throw new TypeError("baseUrl must be an http(s) address")
  if (key === "") throw new TypeError("key must not be empty")
  if (key.startsWith("pzr_vk_") && (items ?? []).length === 0)
    throw new TypeError("items is required with a validation key")
  // An empty list is a mistake, such as a build without its settings; it must not mean "unsigned".
  if (keys?.length === 0 || keys?.some((x) => !isPublicKey(x)))
    throw new TypeError("keys must be public keys, 32 bytes each, in base64url")
}
