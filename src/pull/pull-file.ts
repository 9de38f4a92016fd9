/** Parses a sync file and reports all of its problems. docs/shop-data.md describes the format. */
import { isObject, url } from "../domain/values/schema.ts"
import { findTimeZone, parseDurationMs } from "../domain/values/time/timestamp.ts"
import type { ListFormat } from "./column-value.ts"
import { findRecordField, type RecordType } from "./record-fields.ts"
import type { FieldFormats } from "./row-reader.ts"

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
  return sql === null ? null : sql.replace(/[\s;]+$/, "")
}

function joinLines(value: unknown): string | null {
  if (typeof value === "string") return value
  const isLines = Array.isArray(value) && value.every((line) => typeof line === "string")
  return isLines ? value.join("\n") : null
}

export type ServerConnection = Readonly<{
  dialect: "mysql" | "postgres"
  host: string
  port: number
  user: string
  password: string
  database: string
  socketPath: string | null
  tls: TlsOptions | null
}>

type TlsOptions = Readonly<{
  /** The CA certificate; null for those that the system trusts. */
  authority: string | null
  /** `require` verifies nothing, `verify-ca` the certificate, `verify-full` also the host name. */
  mode: "require" | "verify-ca" | "verify-full"
}>

export type SourceConnection = ServerConnection | Readonly<{ dialect: "sqlite"; path: string }>

const passwordProblem =
  "connection must not contain a password, because sync files are committed; use url_env, url_file, password_env or password_file"

/**
 * `"mysql://shop@db/shop"` or `{"url" | "url_env" | "url_file": …, "password_env" | "password_file": …}`.
 * Returns null after it has reported a problem.
 */
export function parseConnection(
  value: unknown,
  context: PullFileContext,
  report: ReportProblem,
): SourceConnection | null {
  const fields = isObject(value) ? value : { url: value }
  const unknown = Object.keys(fields).filter((name) => !connectionFields.includes(name))
  for (const name of unknown) report(`unknown field connection.${name}`)
  const url = readOne(fields, ["url", "url_env", "url_file"], context, report)
  const password = readOne(fields, ["password_env", "password_file"], context, report)
  if (url === null) {
    return fail(report, 'connection must be a URL, {"url_env":"NAME"} or {"url_file":"PATH"}')
  }
  if (url === "") return null
  const parsed = URL.parse(url.trim())
  if (parsed === null) return fail(report, urlProblem)
  const isCommitted = typeof fields.url === "string"
  if (isCommitted && parsed.password !== "") return fail(report, passwordProblem)
  return parseUrl(parsed, password, context, report)
}

const connectionFields = ["url", "url_env", "url_file", "password_env", "password_file"]
const urlProblem = "connection must be a URL such as mysql://shop@127.0.0.1/shop"

function fail(report: ReportProblem, problem: string): null {
  report(problem)
  return null
}

/** Returns null if none of the fields is set, and "" after it has reported a problem. */
function readOne(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
  { env, readText }: PullFileContext,
  report: ReportProblem,
): string | null {
  const present = names.filter((name) => fields[name] !== undefined)
  const [name] = present
  if (name === undefined) return null
  const value = fields[name]
  if (present.length > 1) report(`connection: set only one of ${present.join(" and ")}`)
  if (typeof value !== "string" || value === "") {
    report(`connection.${name} must be a non-empty string`)
    return ""
  }
  if (name.endsWith("_env")) {
    const text = env[value] ?? ""
    if (text === "") report(`connection.${name}: the variable ${value} is not set`)
    return text
  }
  if (!name.endsWith("_file")) return value
  const text = readText(value)
  if (text === null) report(`connection.${name}: the file ${value} cannot be read`)
  return text?.trim() ?? ""
}

const ports = { mysql: 3306, postgres: 5432 }
const dialects: ReadonlyMap<string, "mysql" | "postgres" | "sqlite"> = new Map([
  ["mysql:", "mysql"],
  ["mariadb:", "mysql"],
  ["postgres:", "postgres"],
  ["postgresql:", "postgres"],
  ["sqlite:", "sqlite"],
])

function parseUrl(
  url: URL,
  password: string | null,
  context: PullFileContext,
  report: ReportProblem,
): SourceConnection | null {
  const dialect = dialects.get(url.protocol)
  if (dialect === undefined) {
    return fail(report, "connection must begin with mysql:, mariadb:, postgres: or sqlite:")
  }
  if (dialect === "sqlite") {
    const path = decode(url.href.slice("sqlite:".length).replace(/^\/\/(?=\/)/, ""))
    if (path === "") return fail(report, "connection: sqlite: must be followed by a path")
    return { dialect, path: context.resolvePath(path) }
  }
  const database = decode(url.pathname.slice(1))
  if (database === "") report("connection: missing database name; append it to the URL")
  const options = url.searchParams
  for (const name of new Set(options.keys())) {
    if (!["sslmode", "sslrootcert", "socket"].includes(name)) {
      report(`connection: unknown parameter ${name}; use sslmode, sslrootcert or socket`)
    }
  }
  return {
    dialect,
    host: url.hostname.replace(/^\[|\]$/g, "") || "127.0.0.1",
    port: url.port === "" ? ports[dialect] : Number(url.port),
    user: decode(url.username),
    password: password ?? decode(url.password),
    database,
    socketPath: options.get("socket"),
    tls: parseTls(options, context, report),
  }
}

/** Returns text with an invalid escape, such as a lone `%`, unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function parseTls(
  options: URLSearchParams,
  { readText }: PullFileContext,
  report: ReportProblem,
): TlsOptions | null {
  const mode = options.get("sslmode") ?? "disable"
  const path = options.get("sslrootcert")
  const authority = path === null ? null : readText(path)
  if (path !== null && authority === null) report("connection: sslrootcert cannot be read")
  if (mode === "disable") return null
  if (mode === "require" || mode === "verify-ca" || mode === "verify-full") {
    return { mode, authority }
  }
  return fail(report, "connection: sslmode must be disable, require, verify-ca or verify-full")
}

/** Access to the variables and files that a sync file refers to. Paths are relative to its folder. */
export type PullFileContext = Readonly<{
  env: Readonly<Record<string, string | undefined>>
  /** Returns null if the file cannot be read. */
  readText(path: string): string | null
  resolvePath(path: string): string
}>

export type ReportProblem = (problem: string) => void
