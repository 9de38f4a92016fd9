/** How the shop's database is reached. The password comes from a variable or a file, never from the pull file. */
import { isObject } from "../domain/values/schema.ts"

export type ServerConnection = Readonly<{
  dialect: "mysql" | "postgres"
  host: string
  port: number
  user: string
  password: string
  database: string
  /** A socket of the machine instead of host and port; null without one. */
  socketPath: string | null
  /** Null: the connection is not encrypted. */
  tls: TlsPlan | null
}>

type TlsPlan = Readonly<{
  /** Null: the certificates that the system trusts. */
  authority: string | null
  /** `require` encrypts and checks nothing, `verify-ca` checks the certificate, `verify-full` the name too. */
  mode: "require" | "verify-ca" | "verify-full"
}>

export type SourceConnection = ServerConnection | Readonly<{ dialect: "sqlite"; path: string }>

const passwordProblem =
  "connection must not hold a password, because pull files are committed: use url_env, url_file, password_env or password_file"

/**
 * `"mysql://shop@db/shop"` or `{"url" | "url_env" | "url_file": …, "password_env" | "password_file": …}`.
 * Null after a problem was reported.
 */
export function parseConnection(
  value: unknown,
  context: PullFileContext,
  report: ReportProblem,
): SourceConnection | null {
  const given = isObject(value) ? value : { url: value }
  const unknown = Object.keys(given).filter((name) => !sources.includes(name))
  for (const name of unknown) report(`connection.${name} is no member of a connection`)
  const address = readOne(given, ["url", "url_env", "url_file"], context, report)
  const password = readOne(given, ["password_env", "password_file"], context, report)
  if (address === null) {
    return fail(report, 'connection must be a URL, {"url_env":"NAME"} or {"url_file":"PATH"}')
  }
  if (address === "") return null
  const parsed = URL.parse(address.trim())
  if (parsed === null) return fail(report, urlProblem)
  const isCommitted = typeof given.url === "string"
  if (isCommitted && parsed.password !== "") return fail(report, passwordProblem)
  return parseUrl(parsed, password, context, report)
}

const sources = ["url", "url_env", "url_file", "password_env", "password_file"]
const urlProblem = "connection is no URL such as mysql://shop@127.0.0.1/shop"

function fail(report: ReportProblem, problem: string): null {
  report(problem)
  return null
}

/** Null when none of the members is given, "" after a problem was reported. */
function readOne(
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
  { env, readText }: PullFileContext,
  report: ReportProblem,
): string | null {
  const present = names.filter((name) => given[name] !== undefined)
  const [name] = present
  if (name === undefined) return null
  const value = given[name]
  if (present.length > 1) report(`connection: give only one of ${present.join(" and ")}`)
  if (typeof value !== "string" || value === "") {
    report(`connection.${name} must be a text`)
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
  address: URL,
  password: string | null,
  context: PullFileContext,
  report: ReportProblem,
): SourceConnection | null {
  const dialect = dialects.get(address.protocol)
  if (dialect === undefined) {
    return fail(report, "connection must begin with mysql:, mariadb:, postgres: or sqlite:")
  }
  if (dialect === "sqlite") {
    const path = decode(address.href.slice("sqlite:".length).replace(/^\/\/(?=\/)/, ""))
    if (path === "") return fail(report, "connection: sqlite: needs the path of a file")
    return { dialect, path: context.resolvePath(path) }
  }
  const database = decode(address.pathname.slice(1))
  if (database === "") report("connection: the name of the database is missing at the end")
  const options = address.searchParams
  for (const name of new Set(options.keys())) {
    if (!["sslmode", "sslrootcert", "socket"].includes(name)) {
      report(`connection: ${name} is no option of a URL; there are sslmode, sslrootcert and socket`)
    }
  }
  return {
    dialect,
    host: address.hostname.replace(/^\[|\]$/g, "") || "127.0.0.1",
    port: address.port === "" ? ports[dialect] : Number(address.port),
    user: decode(address.username),
    password: password ?? decode(address.password),
    database,
    socketPath: options.get("socket"),
    tls: parseTls(options, context, report),
  }
}

/** A lone `%` stands for itself. */
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
): TlsPlan | null {
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

/** Access to the variables and files that a pull file refers to. Paths are relative to its folder. */
export type PullFileContext = Readonly<{
  env: Readonly<Record<string, string | undefined>>
  /** Null when the file cannot be read. */
  readText(path: string): string | null
  resolvePath(path: string): string
}>

/** Takes a sentence about one problem; the check goes on. */
export type ReportProblem = (problem: string) => void
