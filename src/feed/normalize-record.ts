/** Corrects common formats whose meaning is certain, before the record is validated. docs/shop-data.md lists them. */

import { audioMediaFields, dropForbiddenMedia, isAudio, otherMediaFields } from "../items/item.ts"
import { type Problem, problem } from "../platform/problem.ts"
import {
  checkPatch,
  type Fields,
  InvalidRecord,
  isObject,
  problemsMax,
  type Schemas,
  timestamp,
} from "../platform/schema.ts"
import { trimWhitespace } from "../platform/text.ts"
import { isZeroDate, type TimeZone } from "../platform/time.ts"
import { normalizePurchaseCode } from "../purchases/purchase.ts"

import { accountLineFields, itemLineFields, purchaseLineFields } from "./feed-record.ts"

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
  const { type } = line
  if (!isLineType(type)) return false
  const { times, optional } = lineTypes[type]
  for (const { name, isOptional } of times) {
    const text = line[name]
    if (typeof text !== "string") continue
    const at = timeZone?.toTimestamp(text) ?? null
    // In an optional field, MySQL's zero date counts as empty.
    if (at !== null || (isOptional && isZeroDate(text))) put(line, name, at)
  }
  removeEmpty(line, line, optional, put)
  if (type === "account") normalizeAccount(line, put)
  else if (type === "item") {
    normalizeItem(line, put)
    const { media } = line
    // In a patch, null removes the audio preview: the item is then not an audio item.
    const isKindKnown = isObject(media) && media.preview_audio !== null
    if (isKindKnown && dropForbiddenMedia(media)) isChanged = true
  } else normalizePurchase(line, put)
  return isChanged
}

function normalizeAccount(account: Fields, put: Put): void {
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

function normalizeItem(item: Fields, put: Put): void {
  const { media, price, version } = item
  if (typeof version === "string") put(item, "version", normalizeVersion(version))
  encodeUrlAt(item, "demo_link", put)
  encodeUrlAt(item, "download_url", put)
  if (isObject(price)) for (const name of ["regular", "extended"]) parseDecimal(price, name, put)
  if (!isObject(media)) return
  removeEmpty(item, media, mediaOptional, put)
  encodeUrls(media, put)
  if (Array.isArray(media.screenshots)) encodeUrls(media.screenshots, put)
}

function normalizePurchase(purchase: Fields, put: Put): void {
  const { purchase_code: code } = purchase
  // As in API requests. An invalid code stays unchanged and is rejected later.
  if (typeof code === "string") put(purchase, "purchase_code", normalizePurchaseCode(code) ?? code)
  parseDecimal(purchase, "price", put)
  parseDecimal(purchase, "site_limit", put)
}

const isRequired = (fields: Schemas, name: string) => fields[name]?.isOptional === false
/** Optional fields that are not stored, so that a patch cannot remove them. */
const transient: readonly string[] = ["api_key", "was", "was_author", "deleted", "as_of"]

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

/** A double represents every number with this many characters and no exponent. */
const safeDigits = 15

export function isExactNumber(number: string): boolean {
  if (number.length <= safeDigits && !/[eE]/.test(number)) return true
  const [value, normalized] = [Number(number), normalizeDigits(number)]
  if (normalized === normalizeDigits(String(value))) return true
  // Some programs print 19.99 with all 17 digits of the double, as 19.989999999999998.
  const digits = normalized.replace("-", "").indexOf("e")
  const isPrintedInFull = digits <= 17 && normalized === normalizeDigits(value.toPrecision(digits))
  return isPrintedInFull && Math.abs(value) < Number.MAX_SAFE_INTEGER
}

/** Returns the same text for equal values: "199e-1" for 19.90 and for 1.99e1. */
function normalizeDigits(number: string): string {
  const [mantissa = "", exponent = "0"] = number.toLowerCase().split("e")
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".")
  const digits = (whole + fraction).replace(/^0+/, "")
  const significant = trimZeros(digits)
  if (significant === "") return "0"
  const power = Number(exponent) - fraction.length + (digits.length - significant.length)
  return `${mantissa.startsWith("-") ? "-" : ""}${significant}e${power}`
}

function trimZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits.charAt(end - 1) === "0") end -= 1
  return digits.slice(0, end)
}

/** The domain never resolves (RFC 6761), so API clients get a URL, but nobody receives their requests. */
export const placeholderUrl = "https://missing.invalid/"

/** Without `whenInvalid`, an invalid value counts as missing. */
type DefaultRule = Readonly<{ whenMissing?: (record: Fields) => unknown; whenInvalid?: unknown }>
type DefaultedField = DefaultRule & Readonly<{ field: string; path: readonly string[] }>

const describeLine = (fields: Schemas, cosmetic: Readonly<Record<string, DefaultRule>>) => ({
  fields,
  cosmetic: Object.entries(cosmetic).map(([field, rule]): DefaultedField => {
    return { field, path: field.split("."), ...rule }
  }),
  times: Object.entries(fields)
    .filter(([, schema]) => schema.jsonSchema === timestamp.jsonSchema)
    .map(([name, { isOptional }]) => ({ name, isOptional })),
  optional: Object.keys(fields).filter((name) => !isRequired(fields, name)),
})

const textField: DefaultRule = { whenMissing: () => "" }
const listField: DefaultRule = { whenMissing: () => [] }
const linkField: DefaultRule = { whenMissing: () => placeholderUrl }
/** The preview decides the kind of an item, so an invalid one is replaced, not removed. */
const previewField: DefaultRule = { whenInvalid: placeholderUrl }
const optionalField: DefaultRule = {}

const lineTypes = {
  account: describeLine(accountLineFields, {
    balance: { whenMissing: () => 0 },
    // ISO 4217 for "no currency".
    currency: { whenMissing: () => "XXX" },
    email: textField,
    "name.firstname": textField,
    "name.lastname": textField,
    "name.full_name": { whenMissing: ({ username }) => username },
    "profile.heading": textField,
    "profile.description": textField,
    "profile.contact.email": textField,
    "profile.social_links": { whenMissing: () => ({}) },
    "profile.media.avatar": linkField,
    "profile.media.cover": linkField,
  }),
  item: describeLine(itemLineFields, {
    name: { whenMissing: ({ id }) => `Item ${id}` },
    description: textField,
    category: textField,
    sub_category: textField,
    options: listField,
    version: { whenMissing: () => "0.0.0" },
    demo_link: linkField,
    tags: listField,
    "media.thumbnail": linkField,
    "media.preview_audio": previewField,
    "media.preview_video": previewField,
    "media.preview_image": linkField,
    "media.screenshots": optionalField,
    download_url: optionalField,
  }),
  purchase: describeLine(purchaseLineFields, { buyer: optionalField }),
}

type LineType = keyof typeof lineTypes
const isLineType = (type: unknown): type is LineType =>
  typeof type === "string" && Object.hasOwn(lineTypes, type)

export const findDefault = (type: LineType, name: string, record: Fields): unknown =>
  lineTypes[type].cosmetic.find(({ field }) => field === name)?.whenMissing?.(record)

/**
 * Gives invalid or missing cosmetic fields a default, so that a broken picture or link does not reject the record and
 * all purchases that need it. Fields that identify a record or decide a validation are never changed. Returns at most
 * `problemsMax` problems; an empty list if nothing changed.
 */
export function applyDefaults(record: Fields): readonly Problem[] {
  const { type, deleted, patch } = record
  if (!isLineType(type) || deleted === true) return []
  const { cosmetic } = lineTypes[type]
  if (patch === true) return cosmetic.flatMap((one) => dropInvalid(type, record, one))
  const wasEmpty = new Set(cosmetic.filter(({ path }) => isBlank(findField(record, path))))
  const invalid = cosmetic.flatMap((one) => [
    ...dropMisplaced(record, one.path),
    ...dropInvalid(type, record, one),
  ])
  const missing = cosmetic
    .filter((one) => fillIn(record, one) && wasEmpty.has(one))
    .map(({ field }) => problem(field, "missing"))
  return [...invalid, ...missing].slice(0, problemsMax)
}

function findField(record: Fields, path: readonly string[]): unknown {
  let value: unknown = record
  for (const name of path)
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

function ensureObject(record: Fields, path: readonly string[]): Fields {
  let parent = record
  for (const name of path) {
    const next = parent[name]
    const object = isObject(next) ? next : {}
    parent[name] = object
    parent = object
  }
  return parent
}

/** Removes a string or a number that should be an object, such as `"media": "none"`. */
function dropMisplaced(record: Fields, path: readonly string[]): readonly Problem[] {
  for (let depth = 1; depth < path.length; depth += 1) {
    const objectPath = path.slice(0, depth)
    const value = findField(record, objectPath)
    if (isObject(value)) continue
    if (value === undefined) return []
    delete ensureObject(record, objectPath.slice(0, -1))[objectPath.at(-1) ?? ""]
    return isBlank(value) ? [] : [problem(objectPath.join("."), "not_an_object")]
  }
  return []
}

const isBlank = (value: unknown) => value === undefined || value === null || value === ""

/** In a patch, a removed field keeps its value in the database. */
function dropInvalid(type: LineType, record: Fields, { field, path, whenInvalid }: DefaultedField) {
  const name = path.at(-1) ?? ""
  const isPatch = record.patch === true
  const parent = findField(record, path.slice(0, -1))
  if (!isObject(parent) || !Object.hasOwn(parent, name)) return []
  const value = parent[name]
  // In a patch, null removes a field.
  if (value === null && isPatch) return []
  const problems = findProblems(type, path, value)
  if (problems.length === 0) return []
  const areOfEntries = problems.every((each) => each.field !== field)
  const isValid = (part: unknown) => findProblems(type, path, part).length === 0
  const validEntries = areOfEntries ? filterEntries(value, isValid) : undefined
  const replacement = validEntries ?? (isPatch ? undefined : whenInvalid)
  if (replacement === undefined) delete parent[name]
  else parent[name] = replacement
  return isBlank(value) && !isPatch ? [] : problems
}

function filterEntries(value: unknown, isValid: (part: unknown) => boolean): unknown {
  if (typeof value !== "object" || value === null) return undefined
  const valid = Array.isArray(value)
    ? value.filter((entry) => isValid([entry]))
    : Object.fromEntries(Object.entries(value).filter(([key, one]) => isValid({ [key]: one })))
  return Object.keys(valid).length === 0 ? undefined : valid
}

function findProblems(type: LineType, path: readonly string[], value: unknown): readonly Problem[] {
  const change = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  try {
    checkPatch(lineTypes[type].fields, change, "")
    return []
  } catch (error) {
    if (error instanceof InvalidRecord) return error.problems
    throw error
  }
}

function fillIn(record: Fields, { path, whenMissing }: DefaultedField): boolean {
  const [parentPath, name] = [path.slice(0, -1), path.at(-1) ?? ""]
  const parent = findField(record, parentPath)
  if (whenMissing === undefined || findField(record, path) !== undefined) return false
  if (isAudio(parent) && !Object.hasOwn(audioMediaFields, name)) return false
  ensureObject(record, parentPath)[name] = whenMissing(record)
  return true
}
