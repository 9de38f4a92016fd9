/**
 * Corrects spellings of real shops whose meaning is certain, before the record is checked;
 * docs/shop-data.md lists them.
 */
import {
  audioMediaFields,
  dropForbiddenMedia,
  otherMediaFields,
} from "../../domain/catalog/item.ts"
import { normalizePurchaseCode } from "../../domain/catalog/purchase-code.ts"
import { type Fields, isObject, type Schema, timestamp } from "../../domain/values/schema.ts"
import { trimWhitespace } from "../../domain/values/text.ts"
import { isZeroDate, type TimeZone } from "../../domain/values/time/local-time.ts"
import { isExactNumber } from "../lines/parse-json-line.ts"
import { accountLineFields, itemLineFields, purchaseLineFields } from "./feed-record.ts"

/** Changes `line` in place; true if it changed. */
export function normalizeRecord(line: Fields, timeZone: TimeZone | null): boolean {
  if (line.type === "account") return adjustAccount(line, timeZone)
  if (line.type === "item") return adjustItem(line, timeZone)
  if (line.type === "purchase") return adjustPurchase(line, timeZone)
  return false
}

/** Unlike `||`, it has every step done. */
const any = (...changes: readonly boolean[]) => changes.includes(true)

function adjustAccount(account: Fields, timeZone: TimeZone | null): boolean {
  const profile = isObject(account.profile) ? account.profile : {}
  const areTimesRead = readTimes(account, accountTimes, timeZone)
  const isObjectRead = readObject(profile, "social_links")
  const links = isObject(profile.social_links) ? profile.social_links : {}
  return any(
    areTimesRead,
    isObjectRead,
    leaveOut(account, account, accountOptional),
    leaveOut(account, links, Object.keys(links)),
    encodeUrls(links),
    isObject(profile.media) && encodeUrls(profile.media),
    readDecimal(account, "balance"),
  )
}

function adjustItem(item: Fields, timeZone: TimeZone | null): boolean {
  const { media, price } = item
  return any(
    readTimes(item, itemTimes, timeZone),
    leaveOut(item, item, itemOptional),
    completeVersion(item),
    isObject(media) && adjustMedia(item, media),
    encodeUrlAt(item, "demo_link"),
    isObject(price) && any(readDecimal(price, "regular"), readDecimal(price, "extended")),
  )
}

const adjustMedia = (item: Fields, media: Fields): boolean =>
  any(
    leaveOut(item, media, mediaOptional),
    // In a patch, null removes the preview that would make it an audio item.
    media.preview_audio !== null && dropForbiddenMedia(media),
    encodeUrls(media),
    Array.isArray(media.screenshots) && encodeUrls(media.screenshots),
  )

const adjustPurchase = (purchase: Fields, timeZone: TimeZone | null): boolean =>
  any(
    readTimes(purchase, purchaseTimes, timeZone),
    leaveOut(purchase, purchase, purchaseOptional),
    normaliseCode(purchase),
    readDecimal(purchase, "price"),
  )

type Schemas = Readonly<Record<string, Schema<unknown>>>

const isRequired = (fields: Schemas, name: string) => fields[name]?.isOptional === false
const optionalOf = (fields: Schemas) =>
  Object.keys(fields).filter((name) => !isRequired(fields, name))

/** Optional members that are not stored with the record: there is nothing to remove. */
const unstored: readonly string[] = ["api_key", "was", "was_author", "deleted", "as_of"]

type Time = Readonly<{ name: string; isOptional: boolean }>

const timesOf = (fields: Schemas): readonly Time[] =>
  Object.entries(fields)
    .filter(([, shape]) => shape.jsonSchema === timestamp.jsonSchema)
    .map(([name, { isOptional }]) => ({ name, isOptional }))

const accountTimes = timesOf(accountLineFields)
const itemTimes = timesOf(itemLineFields)
const purchaseTimes = timesOf(purchaseLineFields)
const accountOptional = optionalOf(accountLineFields)
const itemOptional = optionalOf(itemLineFields)
const purchaseOptional = optionalOf(purchaseLineFields)
/** Empty previews must go before the kind of the item is known, so all but the thumbnail are here. */
const mediaOptional = Object.keys({ ...audioMediaFields, ...otherMediaFields }).filter(
  (name) => !isRequired(audioMediaFields, name) || !isRequired(otherMediaFields, name),
)
const isEmpty = (value: unknown) =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0)

/** In a patch an absent member stays as it is, and null removes it. */
function leaveOut(line: Fields, fields: Fields, names: readonly string[]): boolean {
  let isLeftOut = false
  for (const name of names) {
    if (!isEmpty(fields[name])) continue
    if (line.patch !== true || unstored.includes(name)) delete fields[name]
    else if (fields[name] === null) continue
    else fields[name] = null
    isLeftOut = true
  }
  return isLeftOut
}

/** PHP writes an empty object as an empty list. */
function readObject(fields: Fields, name: string): boolean {
  const list = fields[name]
  if (!Array.isArray(list) || list.length > 0) return false
  fields[name] = {}
  return true
}

/** MySQL's zero date counts as empty where the member is optional. */
function readTimes(fields: Fields, times: readonly Time[], timeZone: TimeZone | null): boolean {
  let isRead = false
  for (const { name, isOptional } of times) {
    const text = fields[name]
    if (typeof text !== "string") continue
    const at = timeZone?.toTimestamp(text) ?? null
    if (at === null && !(isOptional && isZeroDate(text))) continue
    fields[name] = at
    isRead = true
  }
  return isRead
}

/** All of a map, a list, or an object of links. */
function encodeUrls(links: Fields | unknown[]): boolean {
  let isEncoded = false
  for (const name of Object.keys(links)) isEncoded = encodeUrlAt(links, name) || isEncoded
  return isEncoded
}

function encodeUrlAt(links: Fields | unknown[], name: string): boolean {
  // A list is read by its indices.
  const fields = links as Fields
  const link = fields[name]
  if (typeof link !== "string") return false
  fields[name] = encodeUrl(link)
  return fields[name] !== link
}

/** As in a request. A text that cannot be a code is left to be refused. */
function normaliseCode(purchase: Fields): boolean {
  const { purchase_code: code } = purchase
  if (typeof code !== "string") return false
  purchase.purchase_code = normalizePurchaseCode(code) ?? code
  return purchase.purchase_code !== code
}

const decimal = /^-?\d+(?:\.\d+)?$/

/** A text that is no decimal, or has too many digits to keep, is left to be refused. */
function readDecimal(fields: Fields, name: string): boolean {
  const text = fields[name]
  if (typeof text !== "string" || !decimal.test(text) || !isExactNumber(text)) return false
  fields[name] = Number(text)
  return true
}

/** One to three numbers, then any more numbers, then a tail such as `-beta`, `rc1` or `+build.7`. */
const looseVersion =
  /^[vV]?(\d{1,9})(?:\.(\d{1,9})(?:\.(\d{1,9})(?:\.\d+)*)?)?(?:(?:[-+]\d|[-+._ ]?[A-Za-z])[ -~]*)?$/

function completeVersion(item: Fields): boolean {
  const { version } = item
  const parts = typeof version === "string" ? looseVersion.exec(trimWhitespace(version)) : null
  if (parts === null) return false
  const [, major, minor = "0", patch = "0"] = parts
  item.version = `${major}.${minor}.${patch}`
  return item.version !== version
}

/** Everything but white space, controls, letters beyond ASCII, and `"<>^\`{}`. */
const plain = /^[!#-;=?-\]_a-z|~]*$/

const webAddress = /^(https?:\/\/)([^/?#\\]+)([^?#]*)(.*)$/is
/** Of these sets, the second is for queries and fragments. */
const encodedInPath = /[^!-~]+|["<>^`{}]/g
const encodedAfterPath = /[^!-~]+|["<>]/g

/** A URL as a browser sends it: no path is resolved, no slash is added. A text that is no web address stays. */
export function encodeUrl(text: string): string {
  if (plain.test(text)) return text
  // Browsers leave line breaks and tabs out.
  const line = trimWhitespace(text).replaceAll(/[\t\n\r]/g, "")
  if (!line.isWellFormed() || line.includes("\0")) return text
  const [, scheme = "", authority = "", path = "", rest = ""] = webAddress.exec(line) ?? []
  const origin = encodeOrigin(scheme + authority)
  if (origin === null) return text
  const encodedPath = path.replaceAll(encodedInPath, encodeURIComponent)
  const encoded = origin + encodedPath + rest.replaceAll(encodedAfterPath, encodeURIComponent)
  return URL.canParse(encoded) ? encoded : text
}

/** Null for a host that no browser would look up, such as one with a blank. */
function encodeOrigin(origin: string): string | null {
  if (plain.test(origin) && origin !== "") return origin
  const parsed = URL.parse(`${origin}/`)
  return parsed === null ? null : parsed.href.slice(0, -"/".length)
}
