/** Corrects common formats whose meaning is certain, before the record is validated. docs/shop-data.md lists them. */
import { audioMediaFields, dropForbiddenMedia, otherMediaFields } from "../items/item.ts"
import { type Fields, isObject, type Schemas, timestamp } from "../platform/schema.ts"
import { trimWhitespace } from "../platform/text.ts"
import { isZeroDate, type TimeZone } from "../platform/time.ts"
import { normalizePurchaseCode } from "../purchases/purchase.ts"
import { isExactNumber } from "./lines.ts"
import { accountLineFields, itemLineFields, purchaseLineFields } from "./parse-record.ts"

/** Sets or, for undefined, removes a field, and remembers whether this was a change. */
type Put = (fields: Fields | unknown[], name: string, value: unknown) => void

/** Changes `line` in place. Returns true if it changed. */
export function normalizeRecord(line: Fields, timeZone: TimeZone | null): boolean {
  let isChanged = false
  const put: Put = (object, name, value) => {
    // `name` may be the index of a list.
    const fields = object as Fields
    if (fields[name] === value) return
    if (value === undefined) delete fields[name]
    else fields[name] = value
    isChanged = true
  }
  if (line.type === "account") normalizeAccount(line, timeZone, put)
  if (line.type === "item") {
    normalizeItem(line, timeZone, put)
    const { media } = line
    // In a patch, null removes the audio preview: the item is then not an audio item.
    const isKindKnown = isObject(media) && media.preview_audio !== null
    if (isKindKnown && dropForbiddenMedia(media)) isChanged = true
  }
  if (line.type === "purchase") normalizePurchase(line, timeZone, put)
  return isChanged
}

function normalizeAccount(account: Fields, timeZone: TimeZone | null, put: Put): void {
  normalizeTimes(account, accountTimes, timeZone, put)
  removeEmpty(account, account, accountOptional, put)
  parseDecimal(account, "balance", put)
  const { profile } = account
  if (!isObject(profile)) return
  const { social_links: found, media } = profile
  // PHP writes an empty object as an empty list.
  if (Array.isArray(found) && found.length === 0) put(profile, "social_links", {})
  if (isObject(found)) {
    removeEmpty(account, found, Object.keys(found), put)
    encodeUrls(found, put)
  }
  if (isObject(media)) encodeUrls(media, put)
}

function normalizeItem(item: Fields, timeZone: TimeZone | null, put: Put): void {
  const { media, price, version } = item
  normalizeTimes(item, itemTimes, timeZone, put)
  removeEmpty(item, item, itemOptional, put)
  if (typeof version === "string") put(item, "version", normalizeVersion(version))
  encodeUrlAt(item, "demo_link", put)
  encodeUrlAt(item, "download_url", put)
  if (isObject(price)) for (const name of ["regular", "extended"]) parseDecimal(price, name, put)
  if (!isObject(media)) return
  removeEmpty(item, media, mediaOptional, put)
  encodeUrls(media, put)
  if (Array.isArray(media.screenshots)) encodeUrls(media.screenshots, put)
}

function normalizePurchase(purchase: Fields, timeZone: TimeZone | null, put: Put): void {
  normalizeTimes(purchase, purchaseTimes, timeZone, put)
  removeEmpty(purchase, purchase, purchaseOptional, put)
  const { purchase_code: code } = purchase
  // As in API requests. An invalid code stays unchanged and is rejected later.
  if (typeof code === "string") put(purchase, "purchase_code", normalizePurchaseCode(code) ?? code)
  parseDecimal(purchase, "price", put)
  parseDecimal(purchase, "site_limit", put)
}

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
function removeEmpty(line: Fields, fields: Fields, names: readonly string[], put: Put): void {
  for (const name of names) {
    const isStored = line.patch === true && !transient.includes(name)
    if (isEmpty(fields[name])) put(fields, name, isStored ? null : undefined)
  }
}

/** In an optional field, MySQL's zero date counts as empty. */
function normalizeTimes(
  fields: Fields,
  times: readonly Time[],
  timeZone: TimeZone | null,
  put: Put,
): void {
  for (const { name, isOptional } of times) {
    const text = fields[name]
    if (typeof text !== "string") continue
    const at = timeZone?.toTimestamp(text) ?? null
    if (at !== null || (isOptional && isZeroDate(text))) put(fields, name, at)
  }
}

function encodeUrls(links: Fields | unknown[], put: Put): void {
  for (const name of Object.keys(links)) encodeUrlAt(links, name, put)
}

function encodeUrlAt(links: Fields | unknown[], name: string, put: Put): void {
  // `name` may be the index of a list.
  const link = (links as Fields)[name]
  if (typeof link === "string") put(links, name, encodeUrl(link))
}

const decimal = /^-?\d+(?:\.\d+)?$/

/** A string that is not a decimal, or has too many digits, stays unchanged and is rejected later. */
function parseDecimal(fields: Fields, name: string, put: Put): void {
  const text = fields[name]
  if (typeof text === "string" && decimal.test(text) && isExactNumber(text))
    put(fields, name, Number(text))
}

/** One to three numbers, then any more numbers, then a tail such as `-beta`, `rc1` or `+build.7`. */
const looseVersion =
  /^[vV]?(\d{1,9})(?:\.(\d{1,9})(?:\.(\d{1,9})(?:\.\d+)*)?)?(?:(?:[-+]\d|[-+._ ]?[A-Za-z])[ -~]*)?$/

function normalizeVersion(version: string): string {
  const parts = looseVersion.exec(trimWhitespace(version))
  if (parts === null) return version
  const [, major, minor = "0", patch = "0"] = parts
  return `${major}.${minor}.${patch}`
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
