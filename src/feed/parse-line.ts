import { type Problem, problem } from "../platform/problem.ts"
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
import type { TimeZone } from "../platform/time.ts"
import { type AsOf, type FeedRecord, type PrepareKey, parseRecord } from "./feed-record.ts"
import { applyDefaults, isExactNumber, normalizeRecord } from "./normalize-record.ts"

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
export function decode({ number, bytes }: Line): string {
  let text: string
  try {
    text = strictUtf8.decode(bytes)
  } catch {
    throw invalid("record", "invalid_utf8")
  }
  return number === 1 && text.startsWith("\ufeff") ? text.slice(1) : text
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

/** Records are far shorter. A longer line is rejected and not held in memory. */
export const lineBytesMax = 1024 ** 2

export type Line = Readonly<{
  number: number
  bytes: Uint8Array
  /** A line over the limit is returned in pieces, all with `isOversize`, the last one with `isEnd`. */
  isOversize: boolean
  isEnd: boolean
}>

const lineFeed = 0x0a
const noBytes = new Uint8Array(0)

export function createLineSplitter(bytesMax = lineBytesMax) {
  let number = 1
  let held: Uint8Array[] = []
  let heldBytes = 0
  let isOversize = false

  function take(isEnd: boolean): Line {
    const [first = noBytes] = held
    const bytes = held.length === 1 ? first : Buffer.concat(held)
    const line = { number, bytes, isOversize, isEnd }
    held = []
    heldBytes = 0
    if (isEnd) {
      number += 1
      isOversize = false
    }
    return line
  }

  function hold(part: Uint8Array): void {
    held.push(part)
    heldBytes += part.length
    if (heldBytes > bytesMax) isOversize = true
  }

  return {
    /** One line at a time: a chunk can have a million short ones. */
    *push(chunk: Uint8Array): Generator<Line> {
      for (let start = 0; ; ) {
        const end = chunk.indexOf(lineFeed, start)
        const stop = end === -1 ? chunk.length : end
        if (stop > start) hold(chunk.subarray(start, stop))
        if (end === -1) break
        yield take(true)
        start = end + 1
      }
      if (isOversize) yield take(false)
    },
    end: (): Line[] => (heldBytes > 0 || isOversize ? [take(true)] : []),
  }
}

/** Far above the depth of a record, which is three. */
const depthMax = 32

/** Adds a problem for all data that JSON.parse loses. Throws InvalidRecord if `text` is not JSON. */
export function parseJsonLine(text: string, problems: Problems): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid("record", "invalid_json")
  }
  if (!isWithin(depthMax, value)) throw invalid("record", "too_deep")
  // Fast path: a value that serializes to the same text has no duplicate field and lost no digit.
  if (JSON.stringify(value) !== text) findLosses(text, problems)
  return value
}

/** Called before JSON.stringify, which takes seconds to fail on 50,000 levels (Bun 1.4). */
function isWithin(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true
  return depth > 0 && Object.values(value).every((entry) => isWithin(depth - 1, entry))
}

/** An object or a list around the current character. `names` is null for a list. */
type Container = { names: Set<string> | null; name: string }

function findLosses(text: string, problems: Problems): void {
  const containers: Container[] = []
  let at = 0
  while (at < text.length) {
    const character = text.charAt(at)
    if (character === '"') {
      const end = endOfString(text, at)
      const container = containers.at(-1)
      if (container?.names && isFollowedByColon(text, end)) {
        const quoted = text.slice(at, end)
        const name: string = quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1)
        container.name = name
        if (container.names.has(name))
          problems.add(problem(renderPath(containers), "duplicate_field"))
        container.names.add(name)
      }
      at = end
    } else if (character === "{" || character === "[") {
      containers.push({ names: character === "{" ? new Set() : null, name: "" })
      at += 1
    } else if (character === "}" || character === "]") {
      containers.pop()
      at += 1
    } else if (character === "-" || (character >= "0" && character <= "9")) {
      const end = endOfNumber(text, at)
      if (!isExactNumber(text.slice(at, end)))
        problems.add(problem(renderPath(containers), "too_many_digits"))
      at = end
    } else at += 1
  }
}

const renderPath = (containers: readonly Container[]) =>
  containers
    .map(({ name }) => shortened(name))
    .filter((name) => name !== "")
    .join(".") || "record"

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1
  return at + 1
}

function isFollowedByColon(text: string, end: number): boolean {
  let at = end
  while (" \t\r\n".includes(text.charAt(at)) && at < text.length) at += 1
  return text.charAt(at) === ":"
}

function endOfNumber(text: string, start: number): number {
  let at = start
  while (at < text.length && "+-.0123456789eE".includes(text.charAt(at))) at += 1
  return at
}
