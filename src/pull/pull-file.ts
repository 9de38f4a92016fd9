/** Parses a sync file and reports all of its problems. docs/shop-data.md describes the format. */
import { describe } from "../platform/problem.ts"
import {
  createSchema,
  InvalidRecord,
  invalid,
  isObject,
  list,
  map,
  optional,
  record,
  type Schema,
  text,
  url,
} from "../platform/schema.ts"
import { findTimeZone, parseDurationMs } from "../platform/time.ts"
import { findRecordField, type RecordField } from "./row-reader.ts"

/** Access to the variables and files that a sync file refers to. Paths are relative to its folder. */
export type PullFileContext = Readonly<{
  env: Readonly<Record<string, string | undefined>>
  /** Returns null if the file cannot be read. */
  readText(path: string): string | null
  resolvePath(path: string): string
}>

export type PullFile = ReturnType<typeof parsePullFile>
export type SourceConnection = PullFile["connection"]
export type ServerConnection = Exclude<SourceConnection, { dialect: "sqlite" }>

/** The file is invalid. `problems` never contain a secret. */
export class PullFileError extends Error {
  override name = "PullFileError"
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join("; "))
    this.problems = problems
  }
}

/** Long enough for a SELECT that sorts a large table before it returns the first row. */
const idleTimeoutMsDefault = 600_000
/** Longer than transactions of a shop. */
const overlapMsDefault = 300_000

/** Throws PullFileError. */
export function parsePullFile(contents: string, context: PullFileContext) {
  const file = parseFields(contents, context)
  const { name = null, connection, base_url: baseUrl = null, timezone: timeZone = null } = file
  const { timeout = idleTimeoutMsDefault, overlap = overlapMsDefault } = file
  // In this order, because records refer to earlier types.
  const selects = [
    { type: "account", sql: file.accounts },
    { type: "item", sql: file.items },
    { type: "purchase", sql: file.purchases },
  ] as const
  const given = selects.flatMap(({ type, sql }) => (sql === undefined ? [] : { type, sql }))
  if (given.length === 0) {
    throw new PullFileError([
      "accounts, items and purchases are all missing; add at least one SELECT",
    ])
  }
  return {
    name,
    connection,
    timeZone,
    idleTimeoutMs: timeout,
    /** `:since` is this much before the last success, because a row may be committed later than its own timestamp. */
    overlapMs: overlap,
    formats: {
      baseUrl,
      html: new Set(file.strip_html),
      lists: new Map(Object.entries(file.lists ?? {})),
    },
    selects: given,
  }
}

function parseFields(contents: string, context: PullFileContext) {
  try {
    const value: unknown = JSON.parse(contents)
    if (!isObject(value)) throw new PullFileError(["not a JSON object"])
    return createFileSchema(context)(value, "")
  } catch (error) {
    if (error instanceof SyntaxError) throw new PullFileError(["not valid JSON"])
    if (!(error instanceof InvalidRecord)) throw error
    throw new PullFileError(error.problems.map((each) => `${each.field}: ${describe(each)}`))
  }
}

function createFileSchema(context: PullFileContext) {
  const select = createSchema<string>({}, (value, field) => {
    const lines = Array.isArray(value) ? list(text)(value, field).join("\n") : value
    const sql = isObject(value) && "file" in value ? readFile(value.file, field, context) : lines
    if (typeof sql === "string" && sql.trim() !== "") return sql.replace(/[\s;]+$/, "")
    throw reject(field, `must be a SELECT: a string, a list of lines, or {"file":"${field}.sql"}`)
  })
  return record({
    name: optional(nonBlank),
    connection: createSchema({}, (value, field) => parseConnection(value, field, context)),
    base_url: optional(url),
    timezone: optional(
      parsed(
        "must be a name such as Europe/Istanbul or an offset such as +03:00",
        (name) => findTimeZone(name) && name,
      ),
    ),
    timeout: optional(duration),
    overlap: optional(parsed(durationRule, (text) => (text === "0s" ? 0 : parseDurationMs(text)))),
    strip_html: optional(
      list(
        parsed("must be a field with text, such as item.description", (name) =>
          isFieldWith(name, ["text", "texts", "link", "links"]) ? name : null,
        ),
      ),
    ),
    lists: optional(
      map(
        createSchema<string>({}, (format, field) => {
          if (!isFieldWith(field.slice("lists.".length), ["texts", "links"]))
            throw reject(field, "is not a list field")
          return separator(format, field)
        }),
      ),
    ),
    accounts: optional(select),
    items: optional(select),
    purchases: optional(select),
  })
}

const reject = (field: string, problem: string) => invalid(field, "other", { text: problem })

/** Rejects a value that is not a string, or for which `parse` returns null. */
const parsed = <T>(rule: string, parse: (text: string) => T | null): Schema<T> =>
  createSchema<T>({}, (value, field) => {
    const result = typeof value === "string" ? parse(value) : null
    if (result === null) throw reject(field, rule)
    return result
  })

const nonBlank = parsed("must be a non-empty string", (text) => (text.trim() === "" ? null : text))
const durationRule = "must be a duration such as 90s, 10m or 1h"
const duration = parsed(durationRule, parseDurationMs)
const separator = parsed('must be "json" or a separator', (text) => text || null)

/** `name` is the type of a record and a field, such as `item.media.screenshots`. */
function isFieldWith(name: string, kinds: readonly RecordField["kind"][]): boolean {
  const type = recordTypes.find((each) => name.startsWith(`${each}.`))
  const field = type === undefined ? null : findRecordField(type, name.slice(type.length + 1))
  return field !== null && kinds.includes(field.kind)
}

const recordTypes = ["account", "item", "purchase"] as const

function readFile(path: unknown, field: string, { readText }: PullFileContext): string {
  const contents = readText(nonBlank(path, field))
  if (contents === null) throw reject(field, `the file ${JSON.stringify(path)} cannot be read`)
  return contents
}

/** `value` is a URL or an object. */
function parseConnection(value: unknown, field: string, context: PullFileContext) {
  const variable = createSchema<string>({}, (named, field) => {
    const name = nonBlank(named, field)
    const value = context.env[name]
    if (!value) throw reject(field, `the variable ${name} is not set`)
    return value
  })
  const file = createSchema({}, (value, field) => readFile(value, field, context).trim())
  const fields = record({
    url: optional(nonBlank),
    url_env: optional(variable),
    url_file: optional(file),
    password_env: optional(variable),
    password_file: optional(file),
  })(isObject(value) ? value : { url: value }, field)
  const { url, url_env, url_file, password_env, password_file } = fields
  for (const names of [
    ["url", "url_env", "url_file"],
    ["password_env", "password_file"],
  ]) {
    const present = Object.keys(fields).filter((name) => names.includes(name))
    if (present.length > 1) throw reject(field, `set only one of ${present.join(" and ")}`)
  }
  const text = url ?? url_env ?? url_file
  if (text === undefined)
    throw reject(field, 'must be a URL, {"url_env":"NAME"} or {"url_file":"PATH"}')
  const parsed = URL.parse(text.trim())
  if (parsed === null) throw reject(field, "must be a URL such as mysql://shop@127.0.0.1/shop")
  if (url !== undefined && parsed.password !== "") {
    throw reject(
      field,
      "must not contain a password, because sync files are committed; use url_env, url_file, password_env or password_file",
    )
  }
  return parseUrl(parsed, password_env ?? password_file ?? null, field, context)
}

const mysql = { dialect: "mysql", standardPort: 3306 } as const
const postgres = { dialect: "postgres", standardPort: 5432 } as const
const servers = new Map<string, typeof mysql | typeof postgres>([
  ["mysql:", mysql],
  ["mariadb:", mysql],
  ["postgres:", postgres],
  ["postgresql:", postgres],
])

/** `require` verifies nothing, `verify-ca` the certificate, `verify-full` also the host name. */
const tlsModes = ["disable", "require", "verify-ca", "verify-full"] as const

function parseUrl(url: URL, password: string | null, field: string, context: PullFileContext) {
  if (url.protocol === "sqlite:") {
    const path = decode(url.href.slice("sqlite:".length).replace(/^\/\/(?=\/)/, ""))
    if (path === "") throw reject(field, "sqlite: must be followed by a path")
    return { dialect: "sqlite", path: context.resolvePath(path) } as const
  }
  const server = servers.get(url.protocol)
  if (server === undefined)
    throw reject(field, "must begin with mysql:, mariadb:, postgres: or sqlite:")
  const { dialect, standardPort } = server
  const parameters = Object.fromEntries(url.searchParams)
  const unknown = Object.keys(parameters).find(
    (name) => !/^(sslmode|sslrootcert|socket)$/.test(name),
  )
  if (unknown !== undefined)
    throw reject(field, `unknown parameter ${unknown}; use sslmode, sslrootcert or socket`)
  const options = record({
    database: nonBlank,
    sslmode: optional(
      parsed(
        `must be one of ${tlsModes.join(", ")}`,
        (text) => tlsModes.find((mode) => mode === text) ?? null,
      ),
    ),
    sslrootcert: optional(createSchema({}, (value, field) => readFile(value, field, context))),
    socket: optional(nonBlank),
  })({ ...parameters, database: decode(url.pathname.slice(1)) }, field)
  const { database, sslmode: mode = "disable", sslrootcert: authority = null, socket } = options
  return {
    dialect,
    host: url.hostname.replace(/^\[|\]$/g, "") || "127.0.0.1",
    port: url.port === "" ? standardPort : Number(url.port),
    user: decode(url.username),
    password: password ?? decode(url.password),
    database,
    socketPath: socket ?? null,
    /** `authority` is the CA certificate; null for those that the system trusts. */
    tls: mode === "disable" ? null : { mode, authority },
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
