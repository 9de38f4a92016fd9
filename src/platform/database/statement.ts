/** SQL as tagged templates. Values never become part of the text. */

export type Value = string | number | boolean | null | Uint8Array | readonly unknown[]

/** A value, or more SQL. */
type Part = Value | Sql

export class Sql {
  readonly strings: readonly string[]
  readonly parts: readonly Part[]
  readonly isTuples: boolean

  constructor(strings: readonly string[], parts: readonly Part[], isTuples = false) {
    this.strings = strings
    this.parts = parts
    this.isTuples = isTuples
  }

  /** For SQL without values. */
  toString(): string {
    const { text, values } = render(this)
    if (values.length > 0) throw new Error("SQL with values has no text of its own")
    return text
  }
}

/** Values that are sent as JSON, or SQL that returns JSON. */
export type Listed = readonly unknown[] | ReadonlySet<unknown> | Sql

export const listPart = (list: Listed): Part =>
  list instanceof Sql ? list : JSON.stringify([...list])

/** What the methods of a database accept: a template, or SQL that was composed before. */
export type Written =
  | readonly [strings: TemplateStringsArray, ...parts: readonly Part[]]
  | readonly [statement: Sql]

export type Rendered = Readonly<{ text: string; values: readonly Value[]; isTuples: boolean }>

export const sql = (strings: TemplateStringsArray, ...parts: readonly Part[]): Sql =>
  new Sql(strings, parts)

/** A statement whose rows are tuples, so that computed columns need no names. On SQLite, computed booleans are 1 and 0. */
export const tuples = (strings: TemplateStringsArray, ...parts: readonly Part[]): Sql =>
  new Sql(strings, parts, true)

/** Never for text from outside. */
export const rawSql = (text: string): Sql => new Sql([text], [])

export function joinSql(statements: readonly Sql[], separator: string): Sql {
  const [first, ...others] = statements
  if (first === undefined) return rawSql("")
  const between = others.map(() => separator)
  return new Sql(["", ...between, ""], [first, ...others])
}

/** `true` without conditions. */
export const allOf = (conditions: readonly (Sql | null)[]): Sql => {
  const given = conditions.filter((condition) => condition !== null)
  return given.length === 0 ? rawSql("true") : joinSql(given, " AND ")
}

/** A template always has the same strings, so the text of one without further SQL is made once. */
const texts = new WeakMap<readonly string[], string>()

/** Parameters are `$1`, `$2` in the order of the values. */
export function render({ strings, parts, isTuples }: Sql): Rendered {
  if (!parts.some(isSql)) {
    // `as`: checked by the condition.
    return { text: textOf(strings), values: parts as readonly Value[], isTuples }
  }
  const values: Value[] = []
  return { text: append({ strings, parts }, values), values, isTuples }
}

const isSql = (part: Part): part is Sql => part instanceof Sql

function textOf(strings: readonly string[]): string {
  let text = texts.get(strings)
  if (text === undefined) {
    text = strings.map((string, at) => (at === 0 ? string : `$${at}${string}`)).join("")
    texts.set(strings, text)
  }
  return text
}

function append({ strings, parts }: Pick<Sql, "strings" | "parts">, values: Value[]): string {
  let text = strings[0] ?? ""
  for (const [at, part] of parts.entries()) {
    text += isSql(part) ? append(part, values) : `$${values.push(part)}`
    text += strings[at + 1]
  }
  return text
}

export function renderWritten(written: Written): Rendered {
  const first = written[0]
  return render(first instanceof Sql ? first : new Sql(first, written.slice(1) as readonly Part[]))
}

const fields = new Map<string, string>()

/** `isHidden` for `is_hidden`. */
export function fieldOf(column: string): string {
  let field = fields.get(column)
  if (field === undefined) {
    field = column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    fields.set(column, field)
  }
  return field
}
