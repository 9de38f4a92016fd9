/**
 * Purchase codes are opaque, but people paste them from e-mails, PDFs and chats, with ligatures,
 * typographic dashes and invisible characters. The normal form removes those. Codes are stored and looked
 * up in normal form, so two codes that differ in it are never confused.
 */
import { hasAtMost } from "../values/schema.ts"
import { trimWhitespace } from "../values/text.ts"

export const purchaseCodeCharactersMax = 255

/** Room for three invisible characters beside each character of the longest code. */
const pastedUnitsMax = 4 * purchaseCodeCharactersMax

/**
 * Normalising sorts the marks of a letter, which costs the square of their number: a thousand take 40 ms. No
 * language writes more than thirty (Unicode's Stream-Safe Text Format). NFKC turns the two letters into marks.
 */
const longRunOfMarks = /[\p{M}\uff9e\uff9f]{31}/u

const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu
const dash = /\p{Dash}/gu
const plain = /^[!-~]*$/

/**
 * Null for a text that cannot be a code: too long, too many marks on a letter, or not well-formed Unicode. A
 * blank text gives "".
 */
export function normalizePurchaseCode(pasted: string): string | null {
  const trimmed = trimWhitespace(pasted)
  if (trimmed.length > pastedUnitsMax || !trimmed.isWellFormed()) return null
  const code = plain.test(trimmed) ? trimmed : normalForm(trimmed)
  return code !== null && hasAtMost(code, purchaseCodeCharactersMax) ? code : null
}

type PastedCode =
  | Readonly<{ kind: "code"; code: string }>
  /** Nothing but blanks and invisible characters. */
  | Readonly<{ kind: "blank" }>
  /** As `normalisePurchaseCode` judges. */
  | Readonly<{ kind: "invalid" }>

export function checkPastedCode(pasted: string): PastedCode {
  const code = normalizePurchaseCode(pasted)
  if (code === null) return { kind: "invalid" }
  return code === "" ? { kind: "blank" } : { kind: "code", code }
}

/**
 * Invisible characters go first: one between a letter and its accent would keep NFKC from joining
 * them, and the form would not be stable. NFKC can leave a space at an end (¯ becomes one and a mark), and can
 * make two marks of one. Null for too many marks.
 */
function normalForm(text: string): string | null {
  const visible = text.replace(invisible, "")
  if (longRunOfMarks.test(visible)) return null
  const normal = trimWhitespace(visible.normalize("NFKC").replace(dash, "-"))
  return longRunOfMarks.test(normal) ? null : normal
}

export type Normalization = "blanks" | "invisible" | "dashes" | "lookalikes" | "case"

/** The corrections that lead from the pasted text to the code that was found, if any. None for what is no code. */
export function listNormalizations(pasted: string, found: string | null): readonly Normalization[] {
  const normal = normalizePurchaseCode(pasted)
  if (normal === null) return []
  const trimmed = trimWhitespace(pasted)
  const visible = trimmed.replace(invisible, "")
  const dashed = visible.replace(dash, "-")
  const steps: readonly (readonly [Normalization, boolean])[] = [
    ["blanks", trimmed !== pasted],
    ["invisible", visible !== trimmed],
    ["dashes", dashed !== visible],
    ["lookalikes", dashed.normalize("NFKC") !== dashed],
    ["case", found !== null && found !== normal],
  ]
  return steps.filter(([, isDone]) => isDone).map(([cleaning]) => cleaning)
}

/** A code as the store may keep it: non-empty, in normal form, no sign of damaged text. */
export function isStorablePurchaseCode(code: string): boolean {
  return code !== "" && normalizePurchaseCode(code) === code && !code.includes("\ufffd")
}

/** In lower case. */
const placeholders: ReadonlySet<string> = new Set(
  [
    "n/a, n.a., n.a, na, n-a, nan, nil, none, null, (null), <null>, undefined, unknown, empty, blank",
    "no, no code, no-code, nocode, missing, pending, tba, tbd, todo, invalid, default, manual, free, gift",
    "test, testing, test code, test-code, testcode, demo, sample, example, dummy, true, false, xxx, xxxx",
    "yok, boş, bos, kod yok, deneme, bilinmiyor, belirsiz, hediye",
  ].flatMap((line) => line.split(", ")),
)

const letterOrDigit = /[\p{L}\p{N}]/u

/**
 * Whether a store writes this where a sale has no code: `N/A`, `none`, `-`, `0`. Many sales share such a text,
 * and anybody can guess it. The input is in normal form.
 */
export const isPlaceholder = (code: string): boolean =>
  placeholders.has(lowerAscii(code)) || !letterOrDigit.test(code.replaceAll("0", ""))

/** Not toLowerCase: that would make the Kelvin sign a k, and the rule is ASCII's alone. */
export const lowerAscii = (code: string) =>
  /[A-Z]/.test(code) ? code.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : code

/** Most words of a message are shorter or have no digit. */
const charactersMin = 8
/** Each word costs up to three look-ups. */
const wordsMax = 30

const punctuation = "\"'`‘’“”„«»()\\[\\]{}<>*,;:!?.…"
const opening = new RegExp(`^[${punctuation}]+`, "u")
const closing = new RegExp(`[${punctuation}]+$`, "u")
/** As in `code:8f14…`. Letters only, so no part of a code is taken for one. */
const label = /^\p{L}+[:=]+/u

/**
 * Buyers send their code inside a message, and only a look-up can tell which word is one. Answers with the words
 * that may be codes, each in normal form. A word has up to three readings, tried in this
 * order: as it is, without the punctuation around it, and without a label in front. No reading drops
 * anything inside a word, so a part of a longer code is never taken for a code.
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

/** A code in normal form that was asked for and not accepted. */
export type RejectedCode = Readonly<{
  code: string
  /** Whether the author sold it. */
  isOwn: boolean
  /** The site that was one too many; left out where the code was refused for another reason. */
  rejectedSite?: RejectedSite
}>

/** `limit` is how many sites the purchase may be used on. */
export type RejectedSite = Readonly<{ site: string; limit: number }>

/** No code in normal form holds an ellipsis (NFKC makes three dots of it), so a masked code is never taken for a whole one. */
const ellipsis = "…"
const endCharacters = 4

/** As the author may see it: another author's code and a mistyped one look alike, so only the ends of both are shown. */
export function shownCode({ code, isOwn }: RejectedCode): string {
  if (isOwn) return code
  const characters = [...code]
  const shown = Math.min(endCharacters, Math.floor(characters.length / 4))
  const end = characters.length < 4 * endCharacters ? [] : characters.slice(-shown)
  return [...characters.slice(0, shown), ellipsis, ...end].join("")
}
