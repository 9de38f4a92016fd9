/**
 * One line of JSON, read so that nothing is lost silently. JSON.parse keeps the last of two
 * members of one name and rounds numbers a double cannot hold; both are refused here.
 */
import { problem } from "../../domain/values/problems/problem.ts"
import { invalid, type Problems, shortened } from "../../domain/values/schema.ts"

/** The contract's records are three deep. */
const depthMax = 32

/** Adds to `problems` what JSON.parse would lose; throws InvalidRecord for what is no JSON. */
export function parseJsonLine(text: string, problems: Problems): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid("record", "invalid_json")
  }
  if (!isWithin(depthMax, value)) throw invalid("record", "too_deep")
  // A value that prints as it was written has no repeated member and lost no digit. Most feeds that
  // programs write, such as our own export, need no closer look.
  if (JSON.stringify(value) !== text) judgeClosely(text, problems)
  return value
}

/** Checked before the value is printed: Bun 1.4 takes two seconds to fail on 50,000 levels. */
function isWithin(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true
  return depth > 0 && Object.values(value).every((entry) => isWithin(depth - 1, entry))
}

type Frame = { names: Set<string> | null; name: string }

/** Walks over JSON that is known to be valid. */
function judgeClosely(text: string, problems: Problems): void {
  const frames: Frame[] = []
  let at = 0
  while (at < text.length) {
    const character = text.charAt(at)
    if (character === '"') {
      const end = endOfString(text, at)
      const frame = frames.at(-1)
      if (frame?.names && isFollowedByColon(text, end))
        nameMember(frames, frame, text.slice(at, end), problems)
      at = end
    } else if (character === "{" || character === "[") {
      frames.push({ names: character === "{" ? new Set() : null, name: "" })
      at += 1
    } else if (character === "}" || character === "]") {
      frames.pop()
      at += 1
    } else if (character === "-" || (character >= "0" && character <= "9")) {
      const end = endOfNumber(text, at)
      if (!isExactNumber(text.slice(at, end))) {
        problems.add(problem(pathOf(frames), "too_many_digits"))
      }
      at = end
    } else at += 1
  }
}

function nameMember(
  frames: readonly Frame[],
  frame: Frame,
  quoted: string,
  problems: Problems,
): void {
  const name: string = quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1)
  const isRepeated = frame.names?.has(name) ?? false
  frame.name = name
  frame.names?.add(name)
  if (isRepeated) problems.add(problem(pathOf(frames), "duplicate_field"))
}

const pathOf = (frames: readonly Frame[]) =>
  frames
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

/** Fewer digits than this, and no exponent, are always kept. */
const safeDigits = 15

export function isExactNumber(number: string): boolean {
  if (number.length <= safeDigits && !/[eE]/.test(number)) return true
  const [value, given] = [Number(number), decimal(number)]
  if (given === decimal(String(value))) return true
  // 19.989999999999998 is how some programs print 19.99: all 17 digits of the double, none lost.
  const digits = given.replace("-", "").indexOf("e")
  const isPrintedInFull = digits <= 17 && given === decimal(value.toPrecision(digits))
  return isPrintedInFull && Math.abs(value) < Number.MAX_SAFE_INTEGER
}

/** One spelling for each value: 19.90 and 1.99e1 are both "199e-1". */
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
