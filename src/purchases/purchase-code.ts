/** The normal form removes what pasting from e-mails, PDFs and chats adds: ligatures, dashes, invisible characters. */
import { hasAtMost } from "../platform/schema.ts"
import { trimWhitespace } from "../platform/text.ts"

export const purchaseCodeCharactersMax = 255

/** Three invisible characters for each character of the longest code. */
const pastedUnitsMax = 4 * purchaseCodeCharactersMax

/**
 * Normalization sorts the marks of a letter in quadratic time. Unicode's Stream-Safe Text Format allows thirty. NFKC
 * turns the two listed letters into marks.
 */
const longRunOfMarks = /[\p{M}\uff9e\uff9f]{31}/u
const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu
const dash = /\p{Dash}/gu
const plain = /^[!-~]*$/

/** Returns null if the text cannot be a code: too long, too many marks, or not well-formed Unicode. */
export function normalizePurchaseCode(pasted: string): string | null {
  const trimmed = trimWhitespace(pasted)
  if (trimmed.length > pastedUnitsMax || !trimmed.isWellFormed()) return null
  const code = plain.test(trimmed) ? trimmed : normalForm(trimmed)
  return code !== null && hasAtMost(code, purchaseCodeCharactersMax) ? code : null
}

type PastedCode =
  | Readonly<{ kind: "code"; code: string }>
  | Readonly<{ kind: "empty" }>
  | Readonly<{ kind: "invalid" }>

export function checkPastedCode(pasted: string): PastedCode {
  const code = normalizePurchaseCode(pasted)
  if (code === null) return { kind: "invalid" }
  return code === "" ? { kind: "empty" } : { kind: "code", code }
}

/** An invisible character between a letter and its accent would keep NFKC from composing them. NFKC can add spaces. */
function normalForm(text: string): string | null {
  const visible = text.replace(invisible, "")
  if (longRunOfMarks.test(visible)) return null
  const normal = trimWhitespace(visible.normalize("NFKC").replace(dash, "-"))
  return longRunOfMarks.test(normal) ? null : normal
}

export function isStorablePurchaseCode(code: string): boolean {
  return code !== "" && normalizePurchaseCode(code) === code && !code.includes("\ufffd")
}

const charactersMin = 8
/** Each word costs up to three look-ups. */
const wordsMax = 30
const punctuation = "\"'`‘’“”„«»()\\[\\]{}<>*,;:!?.…"
const opening = new RegExp(`^[${punctuation}]+`, "u")
const closing = new RegExp(`[${punctuation}]+$`, "u")
/** The label in `code:8f14…`. Only letters, so that no part of a code is removed. */
const label = /^\p{L}+[:=]+/u

/**
 * Returns the words of a message that may be codes; only a look-up can tell. Each has up to three readings:
 * unchanged, without surrounding punctuation, without a label. Part of a longer code is never a candidate.
 */
export function listCodeCandidates(pasted: string): readonly (readonly string[])[] {
  const words = new Set(pasted.split(/\p{White_Space}+/u))
  return [...words]
    .map(readWord)
    .filter((readings) => readings.length > 0)
    .slice(0, wordsMax)
}

function readWord(word: string): readonly string[] {
  const whole = normalizePurchaseCode(word) ?? ""
  const bare = whole.replace(opening, "").replace(closing, "")
  const unlabelled = bare.replace(label, "").replace(opening, "")
  return [...new Set([whole, bare, unlabelled])].filter(mayBeCode)
}

const mayBeCode = (text: string) => text.length >= charactersMin && /\d/.test(text)
