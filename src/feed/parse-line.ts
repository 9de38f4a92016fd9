/** One line of the feed → a record, or every reason why it is none. */
import type { AsOf } from "../domain/feed/as-of.ts"
import type { FeedRecord, FeedSecrets } from "../domain/feed/feed-record.ts"
import type { Problem } from "../domain/values/problems/problem.ts"
import {
  anything,
  createSchema,
  InvalidRecord,
  invalid,
  isObject,
  type ParsedFields,
  Problems,
  record as recordShape,
  shortened,
} from "../domain/values/schema.ts"
import type { TimeZone } from "../domain/values/time/local-time.ts"
import { parseJsonLine } from "./lines/parse-json-line.ts"
import { type Line, lineBytesMax } from "./lines/split-lines.ts"
import { applyDefaults } from "./records/apply-defaults.ts"
import { parsePatch, parseRecord } from "./records/feed-record.ts"
import { normalizeRecord } from "./records/normalize-record.ts"
import type { Identity, Rejections } from "./rejection-groups.ts"

/** Which moment a record describes; `own` is the one that the line itself names. */
export type ChooseAsOf = (own: AsOf | undefined) => AsOf | undefined

/** A file that names no moment counts as of when its records are written. */
export const asOfWrite: ChooseAsOf = (own) => own

export const asOfArrival: ChooseAsOf = (own) => own ?? { ms: Date.now(), isArrival: true }

export const asOfFile =
  (asOf: AsOf): ChooseAsOf =>
  (own) =>
    own ?? asOf

/**
 * `isNormalized`: some members were corrected or filled in. `defaulted`: those that got a default because they
 * could not be taken.
 */
export type ParsedLine = Readonly<{ line: Line; defaulted: readonly Problem[] }> &
  (
    | Readonly<{ record: FeedRecord; problems: null; isNormalized: boolean }>
    | Readonly<{ record: null; problems: Rejections; isNormalized: false }>
  )

type ParseLineOptions = Readonly<{
  secrets: FeedSecrets
  /** Null: times without a zone are rejected. */
  timeZone: TimeZone | null
  chooseAsOf: ChooseAsOf
  onEnd: (counts: EndCounts) => void
}>

/** Null for a line without a record: a blank one, or an end line. */
export function parseLine(line: Line, judging: ParseLineOptions): ParsedLine | null {
  try {
    if (line.isOversize) {
      throw invalid("record", "line_too_long", { max: lineBytesMax })
    }
    const text = decode(line)
    return text.trim() === "" ? null : judgeText(line, text, judging)
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error
    return { line, record: null, problems: error.problems, isNormalized: false, defaulted: [] }
  }
}

/** Null for the end. Throws InvalidRecord with all problems of the JSON and of the record. */
function judgeText(line: Line, text: string, judging: ParseLineOptions): ParsedLine | null {
  const problems = new Problems()
  const value = parseJsonLine(text, problems)
  const isCorrected = isObject(value) && normalizeRecord(value, judging.timeZone)
  try {
    if (isEndLine(value)) return endAt(parseEndLine(value), problems, judging)
    const { record: parsed, defaulted } = parseOrSalvage(value, judging.secrets)
    problems.throwIfAny()
    const record = dateRecord(parsed, judging.chooseAsOf)
    const isNormalized = isCorrected || defaulted.length > 0
    return { line, record, problems: null, isNormalized, defaulted }
  } catch (error) {
    problems.addFrom(error)
    problems.throwIfAny()
    throw error
  }
}

function parseOrSalvage(value: unknown, secrets: FeedSecrets) {
  const parse = () => parsePatch(value, secrets) ?? parseRecord(value, secrets)
  try {
    return { record: parse(), defaulted: [] }
  } catch (error) {
    if (!(error instanceof InvalidRecord) || !isObject(value)) throw error
    const defaulted = applyDefaults(value)
    if (defaulted.length === 0) throw error
    return { record: parse(), defaulted }
  }
}

function endAt(counts: EndCounts, problems: Problems, { onEnd }: ParseLineOptions): null {
  problems.throwIfAny()
  onEnd(counts)
  return null
}

function dateRecord(record: FeedRecord, momentOf: ChooseAsOf): FeedRecord {
  const asOf = momentOf(record.asOf)
  return asOf === undefined || asOf === record.asOf ? record : { ...record, asOf }
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** A byte order mark is allowed where it means something: at the very start. */
function decode({ number, bytes }: Line): string {
  let text: string
  try {
    text = strictUtf8.decode(bytes)
  } catch {
    throw invalid("record", "invalid_utf8")
  }
  return number === 1 && text.startsWith("\ufeff") ? text.slice(1) : text
}

const identityMembers: Readonly<Record<string, string>> = {
  account: "username",
  item: "id",
  purchase: "purchase_code",
}

/** For people to read: a long identity is shortened. */
export function findShortIdentity(line: Line): Identity {
  const { identity, ...named } = findIdentity(line)
  return identity === undefined ? named : { ...named, identity: shortened(identity) }
}

/** Reads a refused line again, as far as it can be read. */
export function findIdentity(line: Line): Identity {
  const fields = readMembers(line)
  const { type } = fields
  if (typeof type !== "string" || !Object.hasOwn(identityMembers, type)) return {}
  const identity = fields[identityMembers[type] ?? ""]
  if (typeof identity !== "string" && typeof identity !== "number") return { type }
  return { type, identity: String(identity) }
}

/** The name that the account of a refused line had before; null where the line gives none. */
export function findPreviousUsername(line: Line): string | null {
  const { type, was } = readMembers(line)
  return type === "account" && typeof was === "string" ? was : null
}

function readMembers(line: Line): Record<string, unknown> {
  const value = line.isOversize ? null : readJson(line)
  // JSON.parse made it: its members are found by name, inherited ones are no strings or numbers.
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
}

function readJson(line: Line): unknown {
  try {
    return JSON.parse(decode(line))
  } catch {
    return null
  }
}

const count = createSchema<number>(
  { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  (value, field) => {
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value
    throw invalid(field, "not_an_integer", { min: 0, max: Number.MAX_SAFE_INTEGER })
  },
)

const countMembers = { accounts: count, items: count, purchases: count }

export type EndCounts = Readonly<ParsedFields<typeof countMembers>>

/** The last line of a full feed: how many lines of each type come before it. */
const endLine = recordShape({ type: anything, ...countMembers })

const isEndLine = (value: unknown) =>
  typeof value === "object" && value !== null && "type" in value && value.type === "end"

/** Throws InvalidRecord. */
function parseEndLine(value: unknown): EndCounts {
  const { type: _, ...counts } = endLine(value, "")
  return counts
}
