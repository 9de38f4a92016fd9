/** The connection to the shop's database. The password is in a variable or a file, never in the sync file. */
import { isObject } from "../domain/values/schema.ts"

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
  const unknown = Object.keys(fields).filter((name) => !fieldNames.includes(name))
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

const fieldNames = ["url", "url_env", "url_file", "password_env", "password_file"]
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
