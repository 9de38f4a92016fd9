/** Fills in what a record lacks, from the operator's defaults. */
import { audioMediaMembers, isAudio } from "../../domain/catalogue/item.ts"
import { isObject, type Members } from "../../domain/values/shape.ts"
import { isZeroDate } from "../../domain/values/time/local-time.ts"
import { normaliseTimestamp } from "../../domain/values/time/timestamp.ts"

/** By dotted name, in the order of the file. Plain data: every thread gets a copy. */
export type FeedDefaults = Readonly<Record<FilledType, Readonly<Members>>>

export const noDefaults: FeedDefaults = { account: {}, item: {}, purchase: {} }

/** Changes the record in place; true if it changed. */
export type Fill = (record: Members) => boolean

type Default = Readonly<{ place: readonly string[]; name: string; value: unknown }>

export function createFill(defaults: FeedDefaults): Fill {
  const prepared = new Map<unknown, readonly Default[]>(
    Object.entries(defaults).map(([type, members]) => [type, Object.entries(members).map(prepare)]),
  )
  return (record) => {
    // A patch leaves absent members as they are, and a deletion needs none.
    if (record.patch === true || record.deleted === true) return false
    let isFilled = false
    for (const one of prepared.get(record.type) ?? []) isFilled = fillIn(record, one) || isFilled
    return isFilled
  }
}

function prepare([dotted, value]: [string, unknown]): Default {
  const path = dotted.split(".")
  return { place: path.slice(0, -1), name: path.at(-1) ?? "", value }
}

function fillIn(record: Members, { place, name, value }: Default): boolean {
  if (!canHoldObject(record, place)) return false
  const around = findMember(record, place)
  const isThere = isObject(around)
  if (isThere && !isMissing(around[name], value)) return false
  if (isAudio(around) && !Object.hasOwn(audioMediaMembers, name)) return false
  const rendered = renderDefault(value, record)
  if (rendered === undefined || (isThere && around[name] === rendered)) return false
  makeObject(record, place)[name] = rendered
  return true
}

/** An empty list is a value where the default is a list too. */
const isMissing = (kept: unknown, value: unknown): boolean =>
  (isEmpty(kept) && !(Array.isArray(kept) && Array.isArray(value))) ||
  (isZeroDate(kept) && typeof value === "string" && normaliseTimestamp(value) !== null)

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0)

/** False where a text or a number is in the place of an object: it stays, and is refused later. */
const canHoldObject = (record: Members, place: readonly string[]): boolean =>
  place.every((_, at) => {
    const value = findMember(record, place.slice(0, at + 1))
    return isObject(value) || isEmpty(value)
  })

/** Undefined where there is none. */
export function findMember(record: Members, path: readonly string[]): unknown {
  let value: unknown = record
  for (const name of path) {
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

/** The object at a path that holds objects or nothing. */
export function makeObject(record: Members, path: readonly string[]): Members {
  let around = record
  for (const name of path) {
    const next = around[name]
    const object = isObject(next) ? next : {}
    around[name] = object
    around = object
  }
  return around
}

const placeholder = /\{([^{}]*)\}/g
const placeholderAlone = /^\{([^{}]*)\}$/

/** The names in braces, in texts wherever they are in the value. */
export function placeholdersOf(value: unknown): readonly string[] {
  if (typeof value === "string") {
    return [...value.matchAll(placeholder)].map(([, name = ""]) => name)
  }
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(placeholdersOf)
    : []
}

/** Undefined when the record lacks a member that a placeholder names. */
export function renderDefault(value: unknown, record: Members): unknown {
  if (typeof value === "string") return renderText(value, record)
  if (Array.isArray(value)) {
    const entries = value.map((entry) => renderDefault(entry, record))
    return entries.includes(undefined) ? undefined : entries
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(
    ([name, entry]) => [name, renderDefault(entry, record)] as const,
  )
  return entries.some(([, entry]) => entry === undefined) ? undefined : Object.fromEntries(entries)
}

function renderText(text: string, record: Members): unknown {
  const [, alone] = placeholderAlone.exec(text) ?? []
  if (alone !== undefined) {
    const value = findMember(record, alone.split("."))
    return isEmpty(value) ? undefined : value
  }
  const isUrl = /^https?:/i.test(text)
  let isComplete = true
  const rendered = text.replaceAll(placeholder, (_, name: string) => {
    const value = findMember(record, name.split("."))
    isComplete &&= !isEmpty(value) && typeof value !== "object"
    return isUrl ? encodeURIComponent(`${value}`.toWellFormed()) : `${value}`
  })
  return isComplete ? rendered : undefined
}

/** One complete record of each type: every member that may be filled in or named in a placeholder. */

const files = "https://files.example.com"

export const sampleRecords = {
  account: {
    type: "account",
    username: "elif",
    email: "elif@example.com",
    name: { firstname: "Elif", lastname: "Yılmaz", full_name: "Elif Yılmaz" },
    balance: 120.5,
    currency: "USD",
    profile: {
      heading: "Themes",
      description: "Themes and plugins",
      contact: { email: "support@example.com" },
      social_links: {},
      media: { avatar: `${files}/avatar.png`, cover: `${files}/cover.png` },
    },
    registered_at: "2024-04-27T12:00:00Z",
  },
  item: {
    type: "item",
    author: "elif",
    id: 1229,
    name: "Theme",
    description: "A theme",
    category: "Themes",
    sub_category: "WordPress",
    options: ["Documentation"],
    version: "1.4.0",
    demo_link: "https://demo.example.com/",
    tags: ["wordpress"],
    media: {
      thumbnail: `${files}/thumbnail.png`,
      preview_image: `${files}/preview.png`,
      screenshots: [`${files}/1.png`],
    },
    price: { regular: 19.99, extended: 199 },
    currency: "USD",
    published_at: "2024-05-01T08:30:00Z",
    hidden: false,
  },
  purchase: {
    type: "purchase",
    purchase_code: "9f1c-7a",
    item_id: 1229,
    license_type: "Regular",
    price: 19.99,
    currency: "USD",
    supported_until: "2026-01-02T03:04:05Z",
    downloaded: false,
    date: "2025-01-02T03:04:05Z",
    buyer: "deniz",
  },
} as const

export type FilledType = keyof typeof sampleRecords
