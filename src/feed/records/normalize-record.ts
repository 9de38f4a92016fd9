/** Corrects common formats whose meaning is certain, before the record is validated. docs/shop-data.md lists them. */
import {
  audioMediaFields,
  dropForbiddenMedia,
  otherMediaFields,
} from "../../domain/catalog/item.ts"
import { normalizePurchaseCode } from "../../domain/catalog/purchase-code.ts"
import { type Fields, isObject, type Schemas, timestamp } from "../../domain/values/schema.ts"
import { trimWhitespace } from "../../domain/values/text.ts"
import { isZeroDate, type TimeZone } from "../../domain/values/time/timestamp.ts"
import { isExactNumber } from "../lines/parse-json-line.ts"
import { accountLineFields, itemLineFields, purchaseLineFields } from "./feed-record.ts"

/** Changes `line` in place. Returns true if it changed. */
export function normalizeRecord(line: Fields, timeZone: TimeZone | null): boolean {
  if (line.type === "account") return normalizeAccount(line, timeZone)
  if (line.type === "item") return normalizeItem(line, timeZone)
  if (line.type === "purchase") return normalizePurchase(line, timeZone)
  return false
}

/** Unlike `||`, evaluates every argument. */
const any = (...changes: readonly boolean[]) => changes.includes(true)

function normalizeAccount(account: Fields, timeZone: TimeZone | null): boolean {
  const profile = isObject(account.profile) ? account.profile : {}
  const areTimesChanged = normalizeTimes(account, accountTimes, timeZone)
  const isObjectChanged = normalizeObject(profile, "social_links")
  const links = isObject(profile.social_links) ? profile.social_links : {}
  return any(
    areTimesChanged,
    isObjectChanged,
    removeEmpty(account, account, accountOptional),
    removeEmpty(account, links, Object.keys(links)),
    encodeUrls(links),
    isObject(profile.media) && encodeUrls(profile.media),
    parseDecimal(account, "balance"),
  )
}

function normalizeItem(item: Fields, timeZone: TimeZone | null): boolean {
  const { media, price } = item
  return any(
    normalizeTimes(item, itemTimes, timeZone),
    removeEmpty(item, item, itemOptional),
    normalizeVersion(item),
    isObject(media) && normalizeMedia(item, media),
    encodeUrlAt(item, "demo_link"),
    encodeUrlAt(item, "download_url"),
    isObject(price) && any(parseDecimal(price, "regular"), parseDecimal(price, "extended")),
  )
}

const normalizeMedia = (item: Fields, media: Fields): boolean =>
  any(
    removeEmpty(item, media, mediaOptional),
    // In a patch, null removes the audio preview: the item is then not an audio item.
    media.preview_audio !== null && dropForbiddenMedia(media),
    encodeUrls(media),
    Array.isArray(media.screenshots) && encodeUrls(media.screenshots),
  )

const normalizePurchase = (purchase: Fields, timeZone: TimeZone | null): boolean =>
  any(
    normalizeTimes(purchase, purchaseTimes, timeZone),
    removeEmpty(purchase, purchase, purchaseOptional),
    normalizeCode(purchase),
    parseDecimal(purchase, "price"),
    parseDecimal(purchase, "site_limit"),
  )

const isRequired = (fields: Schemas, name: string) => fields[name]?.isOptional === false
const optionalOf = (fields: Schemas) =>
  Object.keys(fields).filter((name) => !isRequired(fields, name))

/** Optional fields that are not stored, so that a patch cannot remove them. */
const transient: readonly string[] = ["api_key", "was", "was_author", "deleted", "as_of"]

type Time = Readonly<{ name: string; isOptional: boolean }>

const timesOf = (fields: Schemas): readonly Time[] =>
  Object.entries(fields)
    .filter(([, schema]) => schema.jsonSchema === timestamp.jsonSchema)
    .map(([name, { isOptional }]) => ({ name, isOptional }))

const accountTimes = timesOf(accountLineFields)
const itemTimes = timesOf(itemLineFields)
const purchaseTimes = timesOf(purchaseLineFields)
const accountOptional = optionalOf(accountLineFields)
const itemOptional = optionalOf(itemLineFields)
const purchaseOptional = optionalOf(purchaseLineFields)
/** All but the thumbnail: empty previews must be removed before the kind of the item is known. */
const mediaOptional = Object.keys({ ...audioMediaFields, ...otherMediaFields }).filter(
  (name) => !isRequired(audioMediaFields, name) || !isRequired(otherMediaFields, name),
)
const isEmpty = (value: unknown) =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0)

/** In a patch, empty fields become null: null removes a field, and a missing one keeps its value. */
function removeEmpty(line: Fields, fields: Fields, names: readonly string[]): boolean {
  let isChanged = false
  for (const name of names) {
    if (!isEmpty(fields[name])) continue
    if (line.patch !== true || transient.includes(name)) delete fields[name]
    else if (fields[name] === null) continue
    else fields[name] = null
    isChanged = true
  }
  return isChanged
}

/** PHP writes an empty object as an empty list. */
function normalizeObject(fields: Fields, name: string): boolean {
  const list = fields[name]
  if (!Array.isArray(list) || list.length > 0) return false
  fields[name] = {}
  return true
}

/** In an optional field, MySQL's zero date counts as empty. */
function normalizeTimes(
  fields: Fields,
  times: readonly Time[],
  timeZone: TimeZone | null,
): boolean {
  let isChanged = false
  for (const { name, isOptional } of times) {
    const text = fields[name]
    if (typeof text !== "string") continue
    const at = timeZone?.toTimestamp(text) ?? null
    if (at === null && !(isOptional && isZeroDate(text))) continue
    fields[name] = at
    isChanged = true
  }
  return isChanged
}

function encodeUrls(links: Fields | unknown[]): boolean {
  let isChanged = false
  for (const name of Object.keys(links)) isChanged = encodeUrlAt(links, name) || isChanged
  return isChanged
}

function encodeUrlAt(links: Fields | unknown[], name: string): boolean {
  // `name` is the index of a list.
  const fields = links as Fields
  const link = fields[name]
  if (typeof link !== "string") return false
  fields[name] = encodeUrl(link)
  return fields[name] !== link
}

/** Normalizes as in API requests. An invalid code stays unchanged and is rejected later. */
function normalizeCode(purchase: Fields): boolean {
  const { purchase_code: code } = purchase
  if (typeof code !== "string") return false
  purchase.purchase_code = normalizePurchaseCode(code) ?? code
  return purchase.purchase_code !== code
}

const decimal = /^-?\d+(?:\.\d+)?$/

/** A string that is not a decimal, or has too many digits, stays unchanged and is rejected later. */
function parseDecimal(fields: Fields, name: string): boolean {
  const text = fields[name]
  if (typeof text !== "string" || !decimal.test(text) || !isExactNumber(text)) return false
  fields[name] = Number(text)
  return true
}

/** One to three numbers, then any more numbers, then a tail such as `-beta`, `rc1` or `+build.7`. */
const looseVersion =
  /^[vV]?(\d{1,9})(?:\.(\d{1,9})(?:\.(\d{1,9})(?:\.\d+)*)?)?(?:(?:[-+]\d|[-+._ ]?[A-Za-z])[ -~]*)?$/

function normalizeVersion(item: Fields): boolean {
  const { version } = item
  const parts = typeof version === "string" ? looseVersion.exec(trimWhitespace(version)) : null
  if (parts === null) return false
  const [, major, minor = "0", patch = "0"] = parts
  item.version = `${major}.${minor}.${patch}`
  return item.version !== version
}

/** ASCII without whitespace, control characters and `"<>^\`{}`. */
const plain = /^[!#-;=?-\]_a-z|~]*$/

const webUrl = /^(https?:\/\/)([^/?#\\]+)([^?#]*)(.*)$/is
const encodedInPath = /[^!-~]+|["<>^`{}]/g
/** For queries and fragments. */
const encodedAfterPath = /[^!-~]+|["<>]/g

/** Percent-encodes a URL as browsers do, without resolving its path. Returns any other text unchanged. */
export function encodeUrl(text: string): string {
  if (plain.test(text)) return text
  // Browsers remove line breaks and tabs.
  const line = trimWhitespace(text).replaceAll(/[\t\n\r]/g, "")
  if (!line.isWellFormed() || line.includes("\0")) return text
  const [, scheme = "", authority = "", path = "", rest = ""] = webUrl.exec(line) ?? []
  const origin = encodeOrigin(scheme + authority)
  if (origin === null) return text
  const encodedPath = path.replaceAll(encodedInPath, encodeURIComponent)
  const encoded = origin + encodedPath + rest.replaceAll(encodedAfterPath, encodeURIComponent)
  return URL.canParse(encoded) ? encoded : text
}

/** Returns null for an invalid host, such as one with a space. */
function encodeOrigin(origin: string): string | null {
  if (plain.test(origin) && origin !== "") return origin
  const parsed = URL.parse(`${origin}/`)
  return parsed === null ? null : parsed.href.slice(0, -"/".length)
}
