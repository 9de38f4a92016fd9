/** Parses a sync file and reports all of its problems. docs/shop-data.md describes the format. */
import { isObject, url } from "../domain/values/schema.ts"
import { findTimeZone, parseDurationMs } from "../domain/values/time/timestamp.ts"
import type { ListFormat } from "./column-value.ts"
import { findRecordField, type RecordType } from "./record-fields.ts"
import type { FieldFormats } from "./row-reader.ts"
import {
  type PullFileContext,
  parseConnection,
  type ReportProblem,
  type SourceConnection,
} from "./source-connection.ts"

type Select = Readonly<{ type: RecordType; sql: string; formats: FieldFormats }>

export type PullFile = Readonly<{
  name: string | null
  connection: SourceConnection
  timeZone: string | null
  idleTimeoutMs: number
  /** `:since` is this much before the last success, because a row may be committed later than its own timestamp. */
  overlapMs: number
  /** In the order accounts, items, purchases, because records refer to earlier types. */
  selects: readonly Select[]
}>

/** The file is invalid. `problems` never contain a secret. */
export class PullFileError extends Error {
  override name = "PullFileError"
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join("; "))
    this.problems = problems
  }
}

type JsonObject = Readonly<Record<string, unknown>>

const typeOfSelect = { accounts: "account", items: "item", purchases: "purchase" } as const
const selectNames = ["accounts", "items", "purchases"] as const
const fieldNames: readonly string[] = [
  ...["name", "connection", "base_url", "timezone", "timeout", "overlap", "strip_html"],
  "lists",
  ...selectNames,
]

/** Long enough for a SELECT that sorts a large table before it returns the first row. */
const idleTimeoutMsDefault = 600_000
/** Longer than transactions of a shop. */
const overlapMsDefault = 300_000

/** Throws PullFileError. */
export function parsePullFile(text: string, context: PullFileContext): PullFile {
  const file = parseObject(text)
  const problems: string[] = []
  const report: ReportProblem = (problem) => problems.push(problem)
  for (const name of Object.keys(file)) {
    if (!fieldNames.includes(name)) report(`unknown field ${name}`)
  }
  const name = readText(file, "name", report)
  const connection = parseConnection(file.connection, context, report)
  const timeZone = readText(file, "timezone", report)
  if (timeZone !== null && findTimeZone(timeZone) === null) {
    report("timezone must be a name such as Europe/Istanbul or an offset such as +03:00")
  }
  const idleTimeoutMs = readDuration(file, "timeout", idleTimeoutMsDefault, report)
  const overlapMs =
    file.overlap === "0s" ? 0 : readDuration(file, "overlap", overlapMsDefault, report)
  const formatsOf = parseFormats(file, report)
  const selects = selectNames.flatMap((field): Select[] => {
    const type = typeOfSelect[field]
    const sql = readSelect(file[field], field, context, report)
    return sql === null ? [] : [{ type, sql, formats: formatsOf(type) }]
  })
  if (selectNames.every((field) => file[field] === undefined)) {
    report("accounts, items and purchases are all missing; add at least one SELECT")
  }
  if (problems.length > 0 || connection === null) throw new PullFileError(problems)
  return { name, connection, timeZone, idleTimeoutMs, overlapMs, selects }
}

function parseObject(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new PullFileError(["not valid JSON"])
  }
  if (!isObject(value)) throw new PullFileError(["not a JSON object"])
  return value
}

function readText(file: JsonObject, name: string, report: ReportProblem): string | null {
  const value = file[name]
  if (value === undefined) return null
  if (typeof value === "string" && value.trim() !== "") return value
  report(`${name} must be a non-empty string`)
  return null
}

function readDuration(
  file: JsonObject,
  name: string,
  defaultMs: number,
  report: ReportProblem,
): number {
  const text = readText(file, name, report)
  const ms = text === null ? defaultMs : parseDurationMs(text)
  if (ms === null) report(`${name} must be a duration such as 90s, 10m or 1h`)
  return ms ?? defaultMs
}

function parseFormats(file: JsonObject, report: ReportProblem): (type: RecordType) => FieldFormats {
  const baseUrl = readBaseUrl(file, report)
  const html = readHtml(file.strip_html, report)
  const lists = readLists(file.lists, report)
  return (type) => ({
    baseUrl,
    html: new Set(html.filter((field) => field.type === type).map(({ name }) => name)),
    lists: new Map(
      lists.filter((field) => field.type === type).map(({ name, format }) => [name, format]),
    ),
  })
}

function readBaseUrl(file: JsonObject, report: ReportProblem): string | null {
  const text = readText(file, "base_url", report)
  if (text === null) return null
  try {
    return url(text, "base_url")
  } catch {
    report("base_url must be an http or https URL")
    return null
  }
}

type FieldName = Readonly<{ type: RecordType; name: string }>

function readHtml(value: unknown, report: ReportProblem): readonly FieldName[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    report('strip_html must be a list of fields such as "item.description"')
    return []
  }
  return value.flatMap((entry) => {
    const field = parseFieldName(entry, ["text", "texts", "link", "links"])
    if (field === null) report(`strip_html: ${show(entry)} is not a field with text`)
    return field ?? []
  })
}

function readLists(
  value: unknown,
  report: ReportProblem,
): readonly (FieldName & Readonly<{ format: ListFormat }>)[] {
  if (value === undefined) return []
  if (!isObject(value)) {
    report('lists must be an object such as {"item.tags":","}')
    return []
  }
  return Object.entries(value).flatMap(([name, text]) => {
    const field = parseFieldName(name, ["texts", "links"])
    const format = parseListFormat(text)
    if (field === null) report(`lists: ${show(name)} is not a list field`)
    if (format === null) report(`lists: ${show(name)} must be "json" or a separator`)
    return field === null || format === null ? [] : { ...field, format }
  })
}

function parseListFormat(value: unknown): ListFormat | null {
  if (value === "json") return "json"
  return typeof value === "string" && value !== "" ? { separator: value } : null
}

/** `item.media.screenshots`: the type of the record, then the field. */
function parseFieldName(value: unknown, kinds: readonly string[]): FieldName | null {
  if (typeof value !== "string") return null
  const type = Object.values(typeOfSelect).find((each) => value.startsWith(`${each}.`))
  if (type === undefined) return null
  const name = value.slice(type.length + 1)
  const kind = findRecordField(type, name)?.kind
  return kind !== undefined && kinds.includes(kind) ? { type, name } : null
}

const shownUnitsMax = 100
const show = (value: unknown) => (JSON.stringify(value) ?? "").slice(0, shownUnitsMax)

/** `value` is a string, a list of lines, or `{"file":"items.sql"}`. */
function readSelect(
  value: unknown,
  name: string,
  { readText }: PullFileContext,
  report: ReportProblem,
): string | null {
  if (value === undefined) return null
  const path = isObject(value) && typeof value.file === "string" ? value.file : null
  const sql = path === null ? joinLines(value) : readText(path)
  if (path !== null && sql === null) report(`${name}: the file ${show(path)} cannot be read`)
  else if (sql === null || sql.trim() === "") {
    report(`${name} must be a SELECT: a string, a list of lines, or {"file":"${name}.sql"}`)
  }
  // SQL files often end with a semicolon.
  return sql === null ? null : sql.replace(/[\s;]+$/, "")
}

function joinLines(value: unknown): string | null {
  if (typeof value === "string") return value
  const isLines = Array.isArray(value) && value.every((line) => typeof line === "string")
  return isLines ? value.join("\n") : null
}
