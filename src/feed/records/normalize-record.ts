/**
 * Corrects spellings of real shops whose meaning is certain, before the record is checked;
 * docs/shop-data.md lists them.
 */
import {
  audioMediaMembers,
  dropForbiddenMedia,
  otherMediaMembers,
} from "../../domain/catalogue/item.ts"
import { normalisePurchaseCode } from "../../domain/catalogue/purchase-code.ts"
import { isObject, type Members, type Shape, timestamp } from "../../domain/values/shape.ts"
import { trimBlank } from "../../domain/values/text.ts"
import { isZeroDate, type TimeZone } from "../../domain/values/time/local-time.ts"
import { isExactNumber } from "../lines/parse-json-line.ts"
import { accountLineFields, itemLineFields, purchaseLineFields } from "./feed-record.ts"

/** Changes `line` in place; true if it changed. */
export function normalizeRecord(line: Members, timeZone: TimeZone | null): boolean {
  if (line.type === "account") return adjustAccount(line, timeZone)
  if (line.type === "item") return adjustItem(line, timeZone)
  if (line.type === "purchase") return adjustPurchase(line, timeZone)
  return false
}

/** Unlike `||`, it has every step done. */
const any = (...changes: readonly boolean[]) => changes.includes(true)

function adjustAccount(account: Members, timeZone: TimeZone | null): boolean {
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

function adjustItem(item: Members, timeZone: TimeZone | null): boolean {
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

const adjustMedia = (item: Members, media: Members): boolean =>
  any(
    leaveOut(item, media, mediaOptional),
    // In a patch, null removes the preview that would make it an audio item.
    media.preview_audio !== null && dropForbiddenMedia(media),
    encodeUrls(media),
    Array.isArray(media.screenshots) && encodeUrls(media.screenshots),
  )

const adjustPurchase = (purchase: Members, timeZone: TimeZone | null): boolean =>
  any(
    readTimes(purchase, purchaseTimes, timeZone),
    leaveOut(purchase, purchase, purchaseOptional),
    normaliseCode(purchase),
    readDecimal(purchase, "price"),
  )

type Schemas = Readonly<Record<string, Shape<unknown>>>

const isRequired = (members: Schemas, name: string) => members[name]?.isOptional === false
const optionalOf = (members: Schemas) =>
  Object.keys(members).filter((name) => !isRequired(members, name))

/** Optional members that are not stored with the record: there is nothing to remove. */
const unstored: readonly string[] = ["api_key", "was", "was_author", "deleted", "as_of"]

type Time = Readonly<{ name: string; isOptional: boolean }>

const timesOf = (members: Schemas): readonly Time[] =>
  Object.entries(members)
    .filter(([, shape]) => shape.schema === timestamp.schema)
    .map(([name, { isOptional }]) => ({ name, isOptional }))

const accountTimes = timesOf(accountLineFields)
const itemTimes = timesOf(itemLineFields)
const purchaseTimes = timesOf(purchaseLineFields)
const accountOptional = optionalOf(accountLineFields)
const itemOptional = optionalOf(itemLineFields)
const purchaseOptional = optionalOf(purchaseLineFields)
/** Empty previews must go before the kind of the item is known, so all but the thumbnail are here. */
const mediaOptional = Object.keys({ ...audioMediaMembers, ...otherMediaMembers }).filter(
  (name) => !isRequired(audioMediaMembers, name) || !isRequired(otherMediaMembers, name),
)
const isEmpty = (value: unknown) =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0)

/** In a patch an absent member stays as it is, and null removes it. */
function leaveOut(line: Members, members: Members, names: readonly string[]): boolean {
  let isLeftOut = false
  for (const name of names) {
    if (!isEmpty(members[name])) continue
    if (line.patch !== true || unstored.includes(name)) delete members[name]
    else if (members[name] === null) continue
    else members[name] = null
    isLeftOut = true
  }
  return isLeftOut
}

/** PHP writes an empty object as an empty list. */
function readObject(members: Members, name: string): boolean {
  const list = members[name]
  if (!Array.isArray(list) || list.length > 0) return false
  members[name] = {}
  return true
}

/** MySQL's zero date counts as empty where the member is optional. */
function readTimes(members: Members, times: readonly Time[], timeZone: TimeZone | null): boolean {
  let isRead = false
  for (const { name, isOptional } of times) {
    const text = members[name]
    if (typeof text !== "string") continue
    const at = timeZone?.toTimestamp(text) ?? null
    if (at === null && !(isOptional && isZeroDate(text))) continue
    members[name] = at
    isRead = true
  }
  return isRead
}

/** All of a map, a list, or an object of links. */
function encodeUrls(links: Members | unknown[]): boolean {
  let isEncoded = false
  for (const name of Object.keys(links)) isEncoded = encodeUrlAt(links, name) || isEncoded
  return isEncoded
}

function encodeUrlAt(links: Members | unknown[], name: string): boolean {
  // A list is read by its indices.
  const members = links as Members
  const link = members[name]
  if (typeof link !== "string") return false
  members[name] = encodeUrl(link)
  return members[name] !== link
}

/** As in a request. A text that cannot be a code is left to be refused. */
function normaliseCode(purchase: Members): boolean {
  const { purchase_code: code } = purchase
  if (typeof code !== "string") return false
  purchase.purchase_code = normalisePurchaseCode(code) ?? code
  return purchase.purchase_code !== code
}

const decimal = /^-?\d+(?:\.\d+)?$/

/** A text that is no decimal, or has too many digits to keep, is left to be refused. */
function readDecimal(members: Members, name: string): boolean {
  const text = members[name]
  if (typeof text !== "string" || !decimal.test(text) || !isExactNumber(text)) return false
  members[name] = Number(text)
  return true
}

/** One to three numbers, then any more numbers, then a tail such as `-beta`, `rc1` or `+build.7`. */
const looseVersion =
  /^[vV]?(\d{1,9})(?:\.(\d{1,9})(?:\.(\d{1,9})(?:\.\d+)*)?)?(?:(?:[-+]\d|[-+._ ]?[A-Za-z])[ -~]*)?$/

function completeVersion(item: Members): boolean {
  const { version } = item
  const parts = typeof version === "string" ? looseVersion.exec(trimBlank(version)) : null
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
  const line = trimBlank(text).replaceAll(/[\t\n\r]/g, "")
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
