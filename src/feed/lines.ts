import { problem } from "../platform/problem.ts"
import { invalid, type Problems, shortened } from "../platform/schema.ts"

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
      if (container?.names && isFollowedByColon(text, end))
        addField(containers, container, text.slice(at, end), problems)
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
        problems.add(problem(pathOf(containers), "too_many_digits"))
      at = end
    } else at += 1
  }
}

function addField(
  containers: readonly Container[],
  container: Container,
  quoted: string,
  problems: Problems,
): void {
  const name: string = quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1)
  const isDuplicate = container.names?.has(name) ?? false
  container.name = name
  container.names?.add(name)
  if (isDuplicate) problems.add(problem(pathOf(containers), "duplicate_field"))
}

const pathOf = (containers: readonly Container[]) =>
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

/** A double represents every number with this many characters and no exponent. */
const safeDigits = 15

export function isExactNumber(number: string): boolean {
  if (number.length <= safeDigits && !/[eE]/.test(number)) return true
  const [value, normalized] = [Number(number), decimal(number)]
  if (normalized === decimal(String(value))) return true
  // Some programs print 19.99 with all 17 digits of the double, as 19.989999999999998.
  const digits = normalized.replace("-", "").indexOf("e")
  const isPrintedInFull = digits <= 17 && normalized === decimal(value.toPrecision(digits))
  return isPrintedInFull && Math.abs(value) < Number.MAX_SAFE_INTEGER
}

/** Returns the same text for equal values: "199e-1" for 19.90 and for 1.99e1. */
function decimal(number: string): string {
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
