/** Explains to the operator why a database could not be opened, and what to do. */
import { StoreUnavailable, StoreUnreachable } from "../../../domain/store.ts"
import { findErrorCode } from "../../../domain/values/error.ts"
import { isConnectionLost } from "./errors.ts"
import { describeDatabase, hostAndPortOf } from "./hosts.ts"

const oldestServer = 13

class ServerTooOld extends Error {
  override name = "ServerTooOld"
}

/** `versionNumber` as the server reports it: 130004 for 13.4. */
export function assertServerSupported(versionNumber: number): void {
  const version = Math.floor(versionNumber / 10_000)
  if (version >= oldestServer) return
  const cause = new ServerTooOld(`PostgreSQL ${version} is too old`)
  throw new StoreUnavailable(cause.message, { cause })
}

type Advice = Readonly<{ why: string; hint: string }>

const findServer = "Is the server running, and does DATABASE_URL name its host and port?"
const checkTls = "Check sslmode and sslrootcert in DATABASE_URL."
const unknownHost: Advice = { why: "nobody knows this host", hint: findServer }
const wrongUser: Advice = {
  why: "the server refuses this user or password",
  hint: "Check both in DATABASE_URL; there, @ : / ? # in a password are written %40 %3A %2F %3F %23.",
}

/** By the code of the error: SQLSTATE if the server answered, else the code of the system call. */
const advices: Readonly<Record<string, Advice>> = {
  ECONNREFUSED: { why: "nothing listens there", hint: findServer },
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  "28P01": wrongUser,
  "28000": wrongUser,
  "3D000": {
    why: "there is no such database",
    hint: "Create it on that server, or name another in DATABASE_URL.",
  },
  "42501": {
    why: "the user may not make tables in it",
    hint: "Make the user its owner, or GRANT CREATE ON SCHEMA public to the user.",
  },
  "25006": {
    why: "the server takes no writes",
    hint: "DATABASE_URL must name the primary, alone or among several hosts.",
  },
  "53300": {
    why: "the server has no connection left",
    hint: "Raise its max_connections, or put a pooler before it.",
  },
}

export function explainOpening({ cause }: StoreUnavailable, url: string): StoreUnavailable {
  const { why, hint } = adviceFor(cause)
  const message = `${describeDatabase(url)} cannot be opened: ${why}. ${hint}`
  return isUnreachable(cause)
    ? new StoreUnreachable(message, { cause })
    : new StoreUnavailable(message, { cause })
}

/** One of several hosts. `fault` is why it cannot be reached, and null for a standby. */
export type LostHost = Readonly<{ url: string; fault: unknown }>

/** For an address of which no host is the primary. */
export function explainHosts(hosts: readonly LostHost[], url: string): StoreUnavailable {
  const each = hosts.map((host) => {
    const why = host.fault === null ? "it is a standby" : adviceFor(host.fault).why
    return `${hostAndPortOf(host.url)}: ${why}`
  })
  const message = `${describeDatabase(url)} cannot be opened: ${each.join("; ")}. ${findServer}`
  const lost = hosts.find(({ fault }) => isUnreachable(fault))
  return lost === undefined
    ? new StoreUnavailable(message)
    : new StoreUnreachable(message, { cause: lost.fault })
}

/** By the codes of connections that fail, or a server that starts, stops or has no connection left. */
const isUnreachable = (cause: unknown) =>
  isConnectionLost(cause) ||
  isTimeout(cause) ||
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|53300)$/.test(
    findErrorCode(cause) ?? "",
  )

const isTimeout = (cause: unknown) => cause instanceof Error && /time(d )?out/i.test(cause.message)

/** As pg_hba.conf refuses it, with the same code as a wrong user. */
const isPlainRefused = ({ message }: Error) => /, (no encryption|SSL off)$/.test(message)

/** The driver's errors of TLS have many codes or none. */
const isAboutTls = ({ message }: Error) => /certificate|does not support SSL|, open '/.test(message)

function adviceFor(cause: unknown): Advice {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  if (error instanceof ServerTooOld) {
    return { why: error.message, hint: `Pazar needs ${oldestServer} or newer.` }
  }
  if (isTimeout(error)) return { why: "nothing answers", hint: findServer }
  if (isPlainRefused(error)) {
    return { why: "the server takes only encrypted connections", hint: checkTls }
  }
  if (isAboutTls(error)) return { why: error.message, hint: checkTls }
  return advices[findErrorCode(error) ?? ""] ?? { why: error.message, hint: findServer }
}

type Reader = Readonly<{ query<Row>(sql: string): Promise<readonly Row[]> }>

/** As the server counts: 130004 is 13.4. */
export async function readServerVersion({ query }: Reader): Promise<number> {
  const [server] = await query<{ version: number }>(
    "SELECT current_setting('server_version_num')::integer AS version",
  )
  return server?.version ?? 0
}

/** The version of the schema; null where there is no store. Programs before 0.13 kept it in `schema_steps`. */
export async function findVersion({ query }: Reader): Promise<number | null> {
  const [found] = await query<{ hasVersion: boolean; hasSteps: boolean }>(
    `SELECT to_regclass('schema_version') IS NOT NULL AS "hasVersion",
       to_regclass('schema_steps') IS NOT NULL AS "hasSteps"`,
  )
  if (found?.hasVersion !== true) return null
  const steps = "UNION ALL SELECT version FROM schema_steps WHERE is_done"
  const [row] = await query<{ version: number | null }>(
    `SELECT max(version) AS version FROM (
       SELECT version FROM schema_version ${found.hasSteps ? steps : ""}
     ) AS versions`,
  )
  return row?.version ?? null
}
