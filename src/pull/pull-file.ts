/** Parses a sync file and reports all of its problems. docs/shop-data.md describes the format. */
import { isObject, url } from "../domain/values/schema.ts"
import { findTimeZone, parseDurationMs } from "../domain/values/time/timestamp.ts"
import type { FieldFormats } from "./column-value.ts"
import { findRecordField, type RecordType } from "./record-fields.ts"

/** Access to the variables and files that a sync file refers to. Paths are relative to its folder. */
export type PullFileContext = Readonly<{
  env: Readonly<Record<string, string | undefined>>
  /** Returns null if the file cannot be read. */
  readText(path: string): string | null
  resolvePath(path: string): string
}>

type Parsing = PullFileContext & Readonly<{ report(problem: string): void }>

export type PullFile = Readonly<{
  name: string | null
  connection: SourceConnection
  timeZone: string | null
  idleTimeoutMs: number
  /** `:since` is this much before the last success, because a row may be committed later than its own timestamp. */
  overlapMs: number
  formats: FieldFormats
  /** In the order accounts, items, purchases, because records refer to earlier types. */
  selects: readonly Readonly<{ type: RecordType; sql: string }>[]
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
  const parsing: Parsing = { ...context, report: (problem) => problems.push(problem) }
  const { report } = parsing
  for (const name of Object.keys(file)) {
    if (!fieldNames.includes(name)) report(`unknown field ${name}`)
  }
  const name = readText(file, "name", parsing)
  const connection = parseConnection(file.connection, parsing)
  const timeZone = readText(file, "timezone", parsing)
  if (timeZone !== null && findTimeZone(timeZone) === null)
    report("timezone must be a name such as Europe/Istanbul or an offset such as +03:00")
  const idleTimeoutMs = readDuration(file, "timeout", idleTimeoutMsDefault, parsing)
  const overlapMs =
    file.overlap === "0s" ? 0 : readDuration(file, "overlap", overlapMsDefault, parsing)
  const baseUrl = readBaseUrl(file, parsing)
  const html = new Set(readHtml(file.strip_html, parsing))
  const formats = { baseUrl, html, lists: new Map(readLists(file.lists, parsing)) }
  const selects = selectNames.flatMap((field) => {
    const sql = readSelect(file[field], field, parsing)
    return sql === null ? [] : { type: typeOfSelect[field], sql }
  })
  if (selectNames.every((field) => file[field] === undefined))
    report("accounts, items and purchases are all missing; add at least one SELECT")
  if (problems.length > 0 || connection === null) throw new PullFileError(problems)
  return { name, connection, timeZone, idleTimeoutMs, overlapMs, formats, selects }
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

function readText(file: JsonObject, name: string, { report }: Parsing): string | null {
  const value = file[name]
  if (value === undefined) return null
  if (typeof value === "string" && value.trim() !== "") return value
  report(`${name} must be a non-empty string`)
  return null
}

function readDuration(file: JsonObject, name: string, defaultMs: number, parsing: Parsing): number {
  const text = readText(file, name, parsing)
  const ms = text === null ? defaultMs : parseDurationMs(text)
  if (ms === null) parsing.report(`${name} must be a duration such as 90s, 10m or 1h`)
  return ms ?? defaultMs
}

function readBaseUrl(file: JsonObject, parsing: Parsing): string | null {
  const text = readText(file, "base_url", parsing)
  if (text === null) return null
  try {
    return url(text, "base_url")
  } catch {
    parsing.report("base_url must be an http or https URL")
    return null
  }
}

function readHtml(value: unknown, { report }: Parsing): readonly string[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    report('strip_html must be a list of fields such as "item.description"')
    return []
  }
  for (const name of value) {
    const isText = isFieldOf(name, ["text", "texts", "link", "links"])
    if (!isText) report(`strip_html: ${show(name)} is not a field with text`)
  }
  return value
}

function readLists(value: unknown, { report }: Parsing): readonly (readonly [string, string])[] {
  if (value === undefined) return []
  if (!isObject(value)) {
    report('lists must be an object such as {"item.tags":","}')
    return []
  }
  return Object.entries(value).flatMap(([name, format]) => {
    if (!isFieldOf(name, ["texts", "links"])) report(`lists: ${show(name)} is not a list field`)
    if (typeof format === "string" && format !== "") return [[name, format] as const]
    report(`lists: ${show(name)} must be "json" or a separator`)
    return []
  })
}

/** `name` is the type of a record and a field, such as `item.media.screenshots`. */
function isFieldOf(name: unknown, kinds: readonly string[]): boolean {
  if (typeof name !== "string") return false
  const type = Object.values(typeOfSelect).find((each) => name.startsWith(`${each}.`))
  const field = type === undefined ? null : findRecordField(type, name.slice(type.length + 1))
  return field !== null && kinds.includes(field.kind)
}

const shownUnitsMax = 100
const show = (value: unknown) => (JSON.stringify(value) ?? "").slice(0, shownUnitsMax)

/** `value` is a string, a list of lines, or `{"file":"items.sql"}`. */
function readSelect(value: unknown, name: string, { readText, report }: Parsing): string | null {
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

/** `value` is a URL or an object. Returns null after it has reported a problem. */
function parseConnection(value: unknown, parsing: Parsing): SourceConnection | null {
  const { report } = parsing
  const fields = isObject(value) ? value : { url: value }
  const unknown = Object.keys(fields).filter((name) => !connectionFields.includes(name))
  for (const name of unknown) report(`unknown field connection.${name}`)
  const url = readOne(fields, ["url", "url_env", "url_file"], parsing)
  const password = readOne(fields, ["password_env", "password_file"], parsing)
  if (url === null)
    return fail(report, 'connection must be a URL, {"url_env":"NAME"} or {"url_file":"PATH"}')
  if (url === "") return null
  const parsed = URL.parse(url.trim())
  if (parsed === null) return fail(report, urlProblem)
  const isCommitted = typeof fields.url === "string"
  if (isCommitted && parsed.password !== "") return fail(report, passwordProblem)
  return parseUrl(parsed, password, parsing)
}

const connectionFields = ["url", "url_env", "url_file", "password_env", "password_file"]
const urlProblem = "connection must be a URL such as mysql://shop@127.0.0.1/shop"

function fail(report: Parsing["report"], problem: string): null {
  report(problem)
  return null
}

/** Returns null if none of the fields is set, and "" after it has reported a problem. */
function readOne(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
  { env, readText, report }: Parsing,
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

function parseUrl(url: URL, password: string | null, parsing: Parsing): SourceConnection | null {
  const { report, resolvePath } = parsing
  const dialect = dialects.get(url.protocol)
  if (dialect === undefined)
    return fail(report, "connection must begin with mysql:, mariadb:, postgres: or sqlite:")
  if (dialect === "sqlite") {
    const path = decode(url.href.slice("sqlite:".length).replace(/^\/\/(?=\/)/, ""))
    if (path === "") return fail(report, "connection: sqlite: must be followed by a path")
    return { dialect, path: resolvePath(path) }
  }
  const database = decode(url.pathname.slice(1))
  if (database === "") report("connection: missing database name; append it to the URL")
  const options = url.searchParams
  for (const name of new Set(options.keys())) {
    if (!["sslmode", "sslrootcert", "socket"].includes(name))
      report(`connection: unknown parameter ${name}; use sslmode, sslrootcert or socket`)
  }
  return {
    dialect,
    host: url.hostname.replace(/^\[|\]$/g, "") || "127.0.0.1",
    port: url.port === "" ? ports[dialect] : Number(url.port),
    user: decode(url.username),
    password: password ?? decode(url.password),
    database,
    socketPath: options.get("socket"),
    tls: parseTls(options, parsing),
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

function parseTls(options: URLSearchParams, { readText, report }: Parsing): TlsOptions | null {
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
