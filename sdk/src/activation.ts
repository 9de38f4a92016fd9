/**
 * Activation by hand, for a product that cannot send requests: a link to the server's page, and the line with the
 * receipt that the buyer pastes from there.
 */
import { parseBase64 } from "./base64.ts"
import { cleanCode } from "./blank.ts"
import { dayMs } from "./check.ts"
import { isObject } from "./json.ts"
import type { Imported, Receipt, Store } from "./outcome.ts"
import { judgeReceipt, type Terms } from "./receipt.ts"
import { findObject, nonceOf, readStored, readText, type TakeTurn, writeText } from "./record.ts"
import { isReceiptKey, isShippedKey } from "./signature.ts"
import { createNonce, siteOf, type ValidateCall } from "./validate.ts"
import { unknown } from "./verdict.ts"

/** Where the product runs; otherwise as the client's option says. */
export type SiteCall = Pick<ValidateCall, "site">

export type Activation = Readonly<{
  createLink(store: Store, call: SiteCall): Promise<string>
  importReceipt(line: string, store: Store, call: SiteCall): Promise<Imported>
}>

type ActivationOptions = Readonly<{ pageUrl: string; takeTurn: TakeTurn; now: () => number }>

export function createActivation(options: ActivationOptions, terms: Terms): Activation {
  const { pageUrl, takeTurn, now } = options

  async function createLink(store: Store, call: SiteCall): Promise<string> {
    if (!isShippedKey(terms.key)) throw new TypeError("a link holds a validation key or a test key")
    const kept = findObject(await readText(store))
    // The same until a receipt with it was imported: the buyer may open the page again.
    const nonce = nonceOf(kept) ?? createNonce()
    await store.set(JSON.stringify({ ...kept, nonce }))
    const site = siteOf(call)
    const fragment = new URLSearchParams({ key: terms.key, nonce, ...(site !== null && { site }) })
    return `${pageUrl.replace(/\/+$/, "")}/activate#${fragment}`
  }

  async function importReceipt(line: string, store: Store, call: SiteCall): Promise<Imported> {
    const site = siteOf(call)
    const atMs = now()
    const found = findReceipt(line, site, atMs)
    if (found === null) return { ...unknown("not_json"), code: "" }
    const { code, receipt } = found
    const stored = readStored(await readText(store), code, site)
    if (stored.nonce !== receipt.nonce) return { ...unknown("replayed"), code }
    // Rejects where there is no Ed25519: then no receipt counts.
    await terms.trusted?.follow(stored.endorsedKeys).catch(() => {})
    // The nonce proves that it is new, as with an answer of the server; its age counts from now on.
    const outcome = await judgeReceipt(terms, receipt, { code, site }, { atMs, graceMs: dayMs })
    if (outcome.state === "valid") {
      const times = { seenAtMs: atMs, answeredAtMs: atMs, nextAskAtMs: 0, refusedAtMs: 0 }
      const endorsedKeys = terms.trusted?.listFollowed()
      await writeText(store, { code, site, ...times, failure: null, endorsedKeys, receipt })
    }
    return { ...outcome, code }
  }

  return {
    createLink: (store, call) => takeTurn(store, () => createLink(store, call)),
    importReceipt: (line, store, call) => takeTurn(store, () => importReceipt(line, store, call)),
  }
}

/** Null if the line is not of this form. Nothing in it is trusted yet. */
function findReceipt(
  line: string,
  site: string | null,
  atMs: number,
): Readonly<{ code: string; receipt: Receipt }> | null {
  const [, encoded] = /^pazar1\.([\w-]+)$/.exec(String(line).replace(/\s/g, "")) ?? []
  if (encoded === undefined) return null
  try {
    const { status, body, headers, nonce, key, code } = findObject(
      new TextDecoder().decode(parseBase64(encoded)),
    )
    if (!isObject(headers)) return null
    const signatureInput = String(headers["signature-input"])
    const [, created] = /;created=(\d+);/.exec(signatureInput) ?? []
    return {
      code: cleanCode(String(code)),
      receipt: {
        status: Number(status),
        body: String(body),
        reason: String(headers["pazar-reason"]),
        nonce: String(nonce),
        signatureInput,
        signature: String(headers.signature),
        clockOffsetMs: Number(created) * 1000 - atMs,
        ...(isReceiptKey(String(key)) && { key: String(key) }),
        ...(site !== null && { site }),
      },
    }
  } catch {
    return null
  }
}
