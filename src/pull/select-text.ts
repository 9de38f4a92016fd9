/** Finds `:since` in the text of a SELECT, so that it is bound as a parameter and never pasted in. */

export type Dialect = "mysql" | "postgres" | "sqlite"

/**
 * The text before, between and after each `:since`. Strings, quoted names and comments are no places
 * for a parameter: what looks like one there is left alone.
 */
export function splitAtSince(sql: string, dialect: Dialect): readonly string[] {
  const parts: string[] = []
  let start = 0
  let at = 0
  while (at < sql.length) {
    if (isSince(sql, at)) {
      parts.push(sql.slice(start, at))
      at += since.length
      start = at
    } else at = endOfToken(sql, at, dialect)
  }
  return [...parts, sql.slice(start)]
}

/** Whether a semicolon ends a statement. One at the very end is no part of the text any more. */
export function hasSemicolon(sql: string, dialect: Dialect): boolean {
  let at = 0
  while (at < sql.length) {
    if (sql.charAt(at) === ";") return true
    at = endOfToken(sql, at, dialect)
  }
  return false
}

const since = ":since"
const isWord = (character: string) => /[\w$]/.test(character)

/** `::since` is a cast to a type of this name. */
const isSince = (sql: string, at: number) =>
  sql.startsWith(since, at) && sql.charAt(at - 1) !== ":" && !isWord(sql.charAt(at + since.length))

/** The end of a string, quoted name or comment that begins here; else of this one character. */
function endOfToken(sql: string, at: number, dialect: Dialect): number {
  const character = sql.charAt(at)
  if (character === "'") return endOfQuoted(sql, at, "'", hasBackslashes(sql, at, dialect))
  if (character === '"') return endOfQuoted(sql, at, '"', dialect === "mysql")
  if (character === "`") return endOfQuoted(sql, at, "`", false)
  if (character === "[" && dialect === "sqlite") return endAfter(sql, "]", at)
  if (sql.startsWith("/*", at)) return endOfComment(sql, at, dialect === "postgres")
  if (sql.startsWith("--", at) || (character === "#" && dialect === "mysql")) {
    return endAfter(sql, "\n", at)
  }
  if (character === "$" && dialect === "postgres" && !isWord(sql.charAt(at - 1))) {
    const [tag] = /^\$(?:[A-Za-z_]\w*)?\$/.exec(sql.slice(at, at + tagUnitsMax)) ?? []
    return tag === undefined ? at + 1 : endAfter(sql, tag, at + tag.length)
  }
  return at + 1
}

/** PostgreSQL shortens names to 63 bytes. */
const tagUnitsMax = 65

/** In PostgreSQL only strings that begin with E have them. */
function hasBackslashes(sql: string, at: number, dialect: Dialect): boolean {
  if (dialect === "mysql") return true
  const isEscape = /[eE]/.test(sql.charAt(at - 1)) && !isWord(sql.charAt(at - 2))
  return dialect === "postgres" && isEscape
}

/** A doubled quote is read as two adjacent strings, which end at the same place. */
function endOfQuoted(sql: string, start: number, quote: string, hasEscapes: boolean): number {
  let at = start + 1
  while (at < sql.length && sql.charAt(at) !== quote) {
    at += hasEscapes && sql.charAt(at) === "\\" ? 2 : 1
  }
  return at + 1
}

function endOfComment(sql: string, start: number, isNested: boolean): number {
  let at = start + 2
  let depth = 1
  while (at < sql.length && depth > 0) {
    const isOpening = isNested && sql.startsWith("/*", at)
    const isClosing = sql.startsWith("*/", at)
    depth += isOpening ? 1 : isClosing ? -1 : 0
    at += isOpening || isClosing ? 2 : 1
  }
  return at
}

function endAfter(sql: string, mark: string, from: number): number {
  const at = sql.indexOf(mark, from)
  return at === -1 ? sql.length : at + mark.length
}
