import { findErrorCode, StoreUnavailable, StoreUnreachable } from "../error.ts"
import { describeDatabase, hostAndPortOf } from "./postgres-hosts.ts"
import type { Query } from "./sql.ts"

/** The server is shutting down, the connection broke, or the primary became a standby. */
export function isConnectionLost(error: unknown): boolean {
  const code = findErrorCode(error)
  if (code !== null) return /^(57P0[123]|08...|25006|ECONNRESET|EPIPE)$/.test(code)
  // The driver's error for a connection that the server closed has no code.
  return error instanceof Error && error.message === "Connection terminated unexpectedly"
}

/** A serialization failure or a deadlock: the transaction can be retried. */
export const isConflict = (error: unknown) => /^(40001|40P01)$/.test(findErrorCode(error) ?? "")

/** Other transactions held a lock for too long or changed the same rows. The database is writable. */
export const isContention = (error: unknown) =>
  /^(55P03|57014|40...)$/.test(findErrorCode(error) ?? "")

/** For work of the driver only: errors of the caller inside a transaction must be rethrown unchanged. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asUnavailable(error)
  }
}

/** A constraint violation is a bug and is returned unchanged. Every other error of the driver becomes StoreUnavailable. */
export function asUnavailable(error: unknown): unknown {
  const code = findErrorCode(error)
  if (code?.startsWith("23") === true || !(error instanceof Error)) return error
  return new StoreUnavailable(`the database is unavailable: ${error.message}`, { cause: error })
}

const oldestServer = 13

class ServerTooOld extends Error {
  override name = "ServerTooOld"
}

type Explanation = readonly [problem: string, remedy: string]

const checkServer = "check that the server is running and that DATABASE_URL has its host and port"
const checkTls = "check sslmode and sslrootcert in DATABASE_URL"
const unknownHost: Explanation = ["unknown host", checkServer]
const wrongUser: Explanation = [
  "the server rejects this user or password",
  "check both in DATABASE_URL and write @ : / ? # in a password as %40 %3A %2F %3F %23",
]

/** By error code: SQLSTATE if the server responded, else the code of the system call. */
const explanations: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: ["connection refused", checkServer],
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  "28P01": wrongUser,
  "28000": wrongUser,
  "3D000": ["the database does not exist", "create it on the server, or change DATABASE_URL"],
  "42501": [
    "the user may not create tables",
    "make the user its owner, or GRANT CREATE ON SCHEMA public to the user",
  ],
  "25006": [
    "the server is read-only",
    "DATABASE_URL must contain the primary, alone or among several hosts",
  ],
  "53300": [
    "the server has no free connections",
    "increase max_connections, or use a connection pooler",
  ],
}

export const explainOpening = ({ cause }: StoreUnavailable, url: string) =>
  cannotOpen(url, explain(cause), cause)

function cannotOpen(url: string, [problem, remedy]: Explanation, cause: unknown): StoreUnavailable {
  const Kind = isUnreachable(cause) ? StoreUnreachable : StoreUnavailable
  return new Kind(`${describeDatabase(url)} cannot be opened: ${problem}; ${remedy}`, { cause })
}

export type LostHost = Readonly<{ url: string; fault: unknown }>

export function explainHosts(hosts: readonly LostHost[], url: string): StoreUnavailable {
  const each = hosts.map((host) => {
    const [problem] = host.fault === null ? ["standby"] : explain(host.fault)
    return `${hostAndPortOf(host.url)}: ${problem}`
  })
  const lost = hosts.find(({ fault }) => isUnreachable(fault))
  return cannotOpen(url, [each.join(", "), checkServer], lost?.fault)
}

/** The connection failed, or the server is starting, stopping or out of connections. */
const isUnreachable = (cause: unknown) =>
  isConnectionLost(cause) ||
  isTimeout(cause) ||
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|53300)$/.test(
    findErrorCode(cause) ?? "",
  )

const isTimeout = (cause: unknown) => cause instanceof Error && /time(d )?out/i.test(cause.message)

/** pg_hba.conf rejects plain connections with the same code as a wrong user. */
const isPlainRejected = ({ message }: Error) => /, (no encryption|SSL off)$/.test(message)

/** TLS errors of the driver have many codes or none. */
const isAboutTls = ({ message }: Error) => /certificate|does not support SSL|, open '/.test(message)

function explain(cause: unknown): Explanation {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  if (error instanceof ServerTooOld)
    return [error.message, `Pazar requires ${oldestServer} or newer`]
  if (isTimeout(error)) return ["the server does not respond", checkServer]
  if (isPlainRejected(error)) return ["the server requires encrypted connections", checkTls]
  if (isAboutTls(error)) return [error.message, checkTls]
  return explanations[findErrorCode(error) ?? ""] ?? [error.message, checkServer]
}

type Reader = Readonly<{ query: Query }>

export async function assertServerSupported({ query }: Reader): Promise<void> {
  const [server] = await query<{ serverVersionNum: string }>`SHOW server_version_num`
  const version = Math.floor(Number(server?.serverVersionNum ?? 0) / 10_000)
  if (version >= oldestServer) return
  const cause = new ServerTooOld(`PostgreSQL ${version} is too old`)
  throw new StoreUnavailable(cause.message, { cause })
}

/** Returns null if the database is empty. */
export async function findVersion({ query }: Reader): Promise<number | null> {
  const [table] = await query`SELECT 1 WHERE to_regclass('schema_version') IS NOT NULL`
  if (table === undefined) return null
  const [row] = await query<{ version: number }>`SELECT version FROM schema_version`
  return row?.version ?? null
}
