/**
 * Gives invalid or missing cosmetic fields a default, so that a broken picture or link does not reject the record and
 * all purchases that need it. Fields that identify a record or decide a validation are never changed.
 */
import { audioMediaFields, isAudio } from "../items/item.ts"
import { type Problem, problem } from "../platform/problem.ts"
import {
  checkPatch,
  type Fields,
  InvalidRecord,
  isObject,
  problemsMax,
} from "../platform/schema.ts"
import { accountLineFields, itemLineFields, purchaseLineFields } from "./parse-record.ts"

/** The domain never resolves (RFC 6761), so API clients get a URL, but nobody receives their requests. */
export const placeholderUrl = "https://missing.invalid/"

/** Without `whenInvalid`, an invalid value counts as missing. */
type DefaultRule = Readonly<{ whenMissing?: (record: Fields) => unknown; whenInvalid?: unknown }>
type DefaultedField = DefaultRule & Readonly<{ field: string; path: readonly string[] }>

const fieldsOf = (cosmetic: Readonly<Record<string, DefaultRule>>): readonly DefaultedField[] =>
  Object.entries(cosmetic).map(([field, rule]) => ({ field, path: field.split("."), ...rule }))

const textField: DefaultRule = { whenMissing: () => "" }
const listField: DefaultRule = { whenMissing: () => [] }
const linkField: DefaultRule = { whenMissing: () => placeholderUrl }
/** The preview decides the kind of an item, so an invalid one is replaced, not removed. */
const previewField: DefaultRule = { whenInvalid: placeholderUrl }
const optionalField: DefaultRule = {}

const lines = {
  account: {
    fields: accountLineFields,
    cosmetic: fieldsOf({
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
  },
  item: {
    fields: itemLineFields,
    cosmetic: fieldsOf({
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
  },
  purchase: { fields: purchaseLineFields, cosmetic: fieldsOf({ buyer: optionalField }) },
}

type LineType = keyof typeof lines
const isLineType = (type: unknown): type is LineType =>
  typeof type === "string" && Object.hasOwn(lines, type)

export const findDefault = (type: LineType, name: string, record: Fields): unknown =>
  lines[type].cosmetic.find(({ field }) => field === name)?.whenMissing?.(record)

/** Changes the record in place. Returns at most `problemsMax` problems; an empty list if nothing changed. */
export function applyDefaults(record: Fields): readonly Problem[] {
  const { type, deleted, patch } = record
  if (!isLineType(type) || deleted === true) return []
  const { cosmetic } = lines[type]
  if (patch === true) return cosmetic.flatMap((one) => dropInvalid(type, record, one))
  const wasEmpty = new Set(cosmetic.filter(({ path }) => isEmpty(findField(record, path))))
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
    return isEmpty(value) ? [] : [problem(objectPath.join("."), "not_an_object")]
  }
  return []
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === ""

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
  return isEmpty(value) && !isPatch ? [] : problems
}

/** Returns the valid entries of a list or map, or undefined if it has none. */
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
    checkPatch(lines[type].fields, change, "")
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
