/**
 * Keeps a defect of a picture, a link or a text from refusing a record, and with it every purchase that needs it:
 * a member that cannot be taken, or is missing, gets a default. Members that identify a record or decide a
 * validation are not touched. Called only for records that were refused.
 */
import { audioMediaFields, isAudio } from "../../domain/catalog/item.ts"
import { type Problem, problem } from "../../domain/values/problems/problem.ts"
import {
  checkPatch,
  type Fields,
  InvalidRecord,
  isObject,
  problemsMax,
} from "../../domain/values/schema.ts"
import { accountLineFields, itemLineFields, purchaseLineFields } from "./feed-record.ts"

/** A name that never resolves (RFC 6761): clients of the API get an address, and no stranger gets their calls. */
export const placeholderUrl = "https://missing.invalid/"

/** `lacking`: what a record without the member gets. `unusable`: what replaces a value; undefined: as if it were missing. */
type DefaultRule = Readonly<{ whenMissing?: (record: Fields) => unknown; whenInvalid?: unknown }>
type DefaultedField = DefaultRule & Readonly<{ field: string; path: readonly string[] }>

const membersOf = (cosmetic: Readonly<Record<string, DefaultRule>>): readonly DefaultedField[] =>
  Object.entries(cosmetic).map(([member, defaults]) => ({
    field: member,
    path: member.split("."),
    ...defaults,
  }))

const textMember: DefaultRule = { whenMissing: () => "" }
const listMember: DefaultRule = { whenMissing: () => [] }
const linkMember: DefaultRule = { whenMissing: () => placeholderUrl }
/** They say of which kind an item is, and it stays of this kind. */
const kindMember: DefaultRule = { whenInvalid: placeholderUrl }
const optionalMember: DefaultRule = {}

const lines = {
  account: {
    fields: accountLineFields,
    cosmetic: membersOf({
      balance: { whenMissing: () => 0 },
      // The code of ISO 4217 for "no currency".
      currency: { whenMissing: () => "XXX" },
      email: textMember,
      "name.firstname": textMember,
      "name.lastname": textMember,
      "name.full_name": { whenMissing: ({ username }) => username },
      "profile.heading": textMember,
      "profile.description": textMember,
      "profile.contact.email": textMember,
      "profile.social_links": { whenMissing: () => ({}) },
      "profile.media.avatar": linkMember,
      "profile.media.cover": linkMember,
    }),
  },
  item: {
    fields: itemLineFields,
    cosmetic: membersOf({
      name: { whenMissing: ({ id }) => `Item ${id}` },
      description: textMember,
      category: textMember,
      sub_category: textMember,
      options: listMember,
      version: { whenMissing: () => "0.0.0" },
      demo_link: linkMember,
      tags: listMember,
      "media.thumbnail": linkMember,
      "media.preview_audio": kindMember,
      "media.preview_video": kindMember,
      "media.preview_image": linkMember,
      "media.screenshots": optionalMember,
    }),
  },
  purchase: { fields: purchaseLineFields, cosmetic: membersOf({ buyer: optionalMember }) },
}

type LineType = keyof typeof lines
const isLineType = (type: unknown): type is LineType =>
  typeof type === "string" && Object.hasOwn(lines, type)

/** The default of a field that `record` lacks; undefined if it has none. */
export const findDefault = (type: LineType, name: string, record: Fields): unknown =>
  lines[type].cosmetic.find(({ field }) => field === name)?.whenMissing?.(record)

/** Changes the record in place and answers why, with at most `problemsMax` problems; none if it changed nothing. */
export function applyDefaults(record: Fields): readonly Problem[] {
  const { type, deleted, patch } = record
  if (!isLineType(type) || deleted === true) return []
  const { cosmetic } = lines[type]
  if (patch === true) return cosmetic.flatMap((one) => dropUnusable(type, record, one))
  const lacked = new Set(cosmetic.filter(({ path }) => isBlank(findMember(record, path))))
  const problems = cosmetic.flatMap((one) => [
    ...dropMisplaced(record, one.path),
    ...dropUnusable(type, record, one),
  ])
  const missing = cosmetic.filter((one) => fillIn(record, one) && lacked.has(one))
  const untold = missing.map(({ field }) => problem(field, "missing"))
  return [...problems, ...untold].slice(0, problemsMax)
}

/** Undefined where there is none. */
function findMember(record: Fields, path: readonly string[]): unknown {
  let value: unknown = record
  for (const name of path) {
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

/** The object at a path that holds objects or nothing. */
function makeObject(record: Fields, path: readonly string[]): Fields {
  let around = record
  for (const name of path) {
    const next = around[name]
    const object = isObject(next) ? next : {}
    around[name] = object
    around = object
  }
  return around
}

/** Drops a text or a number in the place of an object, such as `"media": "none"`. */
function dropMisplaced(record: Fields, path: readonly string[]): readonly Problem[] {
  for (let depth = 1; depth < path.length; depth += 1) {
    const around = path.slice(0, depth)
    const value = findMember(record, around)
    if (isObject(value)) continue
    if (value === undefined) return []
    // The objects around it were looked at before.
    delete makeObject(record, around.slice(0, -1))[around.at(-1) ?? ""]
    return isBlank(value) ? [] : [problem(around.join("."), "not_an_object")]
  }
  return []
}

const isBlank = (value: unknown) => value === undefined || value === null || value === ""

/** Members that a patch lacks stay as they are in the store. */
function dropUnusable(
  type: LineType,
  record: Fields,
  { field: member, path, whenInvalid }: DefaultedField,
): readonly Problem[] {
  const name = path.at(-1) ?? ""
  const isPatch = record.patch === true
  const around = findMember(record, path.slice(0, -1))
  if (!isObject(around) || !Object.hasOwn(around, name)) return []
  const value = around[name]
  // In a patch, null removes a member.
  if (value === null && isPatch) return []
  const problems = findProblems(type, path, value)
  if (problems.length === 0) return []
  const isOfEntries = problems.every(({ field }) => field !== member)
  const isUsable = (part: unknown) => findProblems(type, path, part).length === 0
  const rest = isOfEntries ? keepEntries(value, isUsable) : undefined
  const kept = rest ?? (isPatch ? undefined : whenInvalid)
  if (kept === undefined) delete around[name]
  else around[name] = kept
  return isBlank(value) && !isPatch ? [] : problems
}

/** The entries of a list or map that can be taken; undefined when there are none. */
function keepEntries(value: unknown, isUsable: (part: unknown) => boolean): unknown {
  if (typeof value !== "object" || value === null) return undefined
  const kept = Array.isArray(value)
    ? value.filter((entry) => isUsable([entry]))
    : Object.fromEntries(Object.entries(value).filter(([key, one]) => isUsable({ [key]: one })))
  return Object.keys(kept).length === 0 ? undefined : kept
}

/** The problems of one member, whatever else is in the record. */
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

/** True if the record lacked the member and has the default now. */
function fillIn(record: Fields, { path, whenMissing }: DefaultedField): boolean {
  const [around, name] = [path.slice(0, -1), path.at(-1) ?? ""]
  const media = findMember(record, around)
  if (whenMissing === undefined || findMember(record, path) !== undefined) return false
  if (isAudio(media) && !Object.hasOwn(audioMediaFields, name)) return false
  makeObject(record, around)[name] = whenMissing(record)
  return true
}
