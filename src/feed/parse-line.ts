import type { Problem } from "../platform/problem.ts"
import {
  anything,
  createSchema,
  InvalidRecord,
  invalid,
  isObject,
  type ParsedFields,
  Problems,
  record as recordSchema,
  shortened,
} from "../platform/schema.ts"
import { trimWhitespace } from "../platform/text.ts"
import type { TimeZone } from "../platform/time.ts"
import { normalizePurchaseCode } from "../purchases/purchase.ts"
import { applyDefaults } from "./apply-defaults.ts"
import type { AsOf, DatedKind, FeedRecord, PrepareKey } from "./feed-record.ts"
import { type Line, lineBytesMax, parseJsonLine } from "./lines.ts"
import { normalizeRecord } from "./normalize-record.ts"
import { parseRecord } from "./parse-record.ts"
import type { Identity } from "./rejections.ts"

/** Returns the timestamp of a record's data. `own` is the `as_of` of the line. */
export type ChooseAsOf = (own: AsOf | undefined) => AsOf | undefined

/** Records without `as_of` get the time when they are written. */
export const asOfWrite: ChooseAsOf = (own) => own

export const asOfArrival: ChooseAsOf = (own) => own ?? { ms: Date.now(), isArrival: true }

/** `isNormalized`: fields were corrected or filled in. `defaulted`: problems of fields that got a default. */
export type ParsedLine = Readonly<{ line: Line; defaulted: readonly Problem[] }> &
  (
    | Readonly<{ record: FeedRecord; problems: null; isNormalized: boolean }>
    | Readonly<{ record: null; problems: InvalidRecord["problems"]; isNormalized: false }>
  )

type ParseLineOptions = Readonly<{
  prepareKey: PrepareKey
  timeZone: TimeZone | null
  chooseAsOf: ChooseAsOf
  onEnd: (counts: EndCounts) => void
}>

export function parseLine(line: Line, options: ParseLineOptions): ParsedLine | null {
  try {
    if (line.isOversize) throw invalid("record", "line_too_long", { max: lineBytesMax })
    const text = decode(line)
    return text.trim() === "" ? null : parseText(line, text, options)
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error
    return { line, record: null, problems: error.problems, isNormalized: false, defaulted: [] }
  }
}

/** Returns null for an end line. Throws InvalidRecord with all problems of the JSON and of the record. */
function parseText(line: Line, text: string, options: ParseLineOptions): ParsedLine | null {
  const problems = new Problems()
  const value = parseJsonLine(text, problems)
  const isCorrected = isObject(value) && normalizeRecord(value, options.timeZone)
  try {
    if (isObject(value) && value.type === "end") {
      const { type: _, ...counts } = endLine(value, "")
      problems.throwIfAny()
      options.onEnd(counts)
      return null
    }
    const { record: parsed, defaulted } = parseWithDefaults(value, options.prepareKey)
    problems.throwIfAny()
    const asOf = options.chooseAsOf(parsed.asOf)
    const record = asOf === undefined || asOf === parsed.asOf ? parsed : { ...parsed, asOf }
    const isNormalized = isCorrected || defaulted.length > 0
    return { line, record, problems: null, isNormalized, defaulted }
  } catch (error) {
    problems.addFrom(error)
    problems.throwIfAny()
    throw error
  }
}

function parseWithDefaults(value: unknown, prepareKey: PrepareKey) {
  try {
    return { record: parseRecord(value, prepareKey), defaulted: [] }
  } catch (error) {
    if (!(error instanceof InvalidRecord) || !isObject(value)) throw error
    const defaulted = applyDefaults(value)
    if (defaulted.length === 0) throw error
    return { record: parseRecord(value, prepareKey), defaulted }
  }
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** A byte order mark is valid at the start of the feed only. */
function decode({ number, bytes }: Line): string {
  let text: string
  try {
    text = strictUtf8.decode(bytes)
  } catch {
    throw invalid("record", "invalid_utf8")
  }
  return number === 1 && text.startsWith("\ufeff") ? text.slice(1) : text
}

const identityFields = { account: "username", item: "id", purchase: "purchase_code" } as const

const isRecordType = (type: unknown): type is keyof typeof identityFields =>
  typeof type === "string" && Object.hasOwn(identityFields, type)

export function findShortIdentity(line: Line): Identity {
  const { identity, ...type } = findIdentity(line)
  const isBlank = identity === undefined || trimWhitespace(identity) === ""
  return isBlank ? type : { ...type, identity: shortened(identity) }
}

/** Reads type and identity from a rejected line, which may be invalid. */
export function findIdentity(line: Line): Identity {
  const fields = readFields(line)
  const { type } = fields
  if (!isRecordType(type)) return {}
  const identity = fields[identityFields[type]]
  if (typeof identity !== "string" && typeof identity !== "number") return { type }
  return { type, identity: String(identity) }
}

/** No stored record can be meant: shops have rows of purchases without a code. */
export function findTypeWithoutIdentity(line: Line): DatedKind | null {
  const { type, ...fields } = readFields(line)
  if (!isRecordType(type)) return null
  const identity = fields[identityFields[type]] ?? ""
  return typeof identity === "string" && normalizePurchaseCode(identity) === "" ? type : null
}

const describedFields = ["type", "username", "author", "id", "item_id", "purchase_code", "date"]
const describedField = new RegExp(
  `"(${describedFields.join("|")})"\\s*:\\s*(?:"([^"\\\\]{1,200})|(\\d{1,20}))`,
  "g",
)

/** The fields by which a person finds the row, also in invalid JSON. */
export function describeRow({ bytes, isOversize }: Line): string {
  const text = isOversize ? "" : new TextDecoder().decode(bytes)
  const found = text.matchAll(describedField)
  return [
    ...found.map(([, name, string, number]) => `${name} ${shortened(string ?? number ?? "")}`),
  ]
    .slice(0, describedFields.length)
    .join(", ")
}

/** Returns `was` of a rejected account line, or null. */
export function findPreviousUsername(line: Line): string | null {
  const { type, was } = readFields(line)
  return type === "account" && typeof was === "string" ? was : null
}

function readFields(line: Line): Record<string, unknown> {
  if (line.isOversize) return {}
  try {
    const value: unknown = JSON.parse(decode(line))
    // Safe for objects from JSON.parse: inherited properties are not strings or numbers.
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const count = createSchema<number>(
  { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  (value, field) => {
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value
    throw invalid(field, "not_an_integer", { min: 0, max: Number.MAX_SAFE_INTEGER })
  },
)

const countFields = { accounts: count, items: count, purchases: count }

export type EndCounts = Readonly<ParsedFields<typeof countFields>>

/** The last line of a full sync, with the number of lines of each type before it. */
const endLine = recordSchema({ type: anything, ...countFields })
