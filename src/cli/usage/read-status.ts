/** Reads the facts that `pazar status` prints. It needs no master key, so it also works where other commands fail. */
import type { Config } from "../../config/config.ts"
import type { ImportRun } from "../../domain/feed/import-run.ts"
import type { Pull } from "../../domain/feed/pull.ts"
import type { WaitingSummary } from "../../domain/feed/waiting-record.ts"
import { type Node, nodeGoneSeconds } from "../../domain/running/node.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import type { RowCounts } from "../../domain/usage/operator-reads.ts"
import { httpUrl } from "../../domain/values/ip-address.ts"
import { secondsBefore } from "../../domain/values/time/date-arithmetic.ts"
import { openStore, type StoreAddress } from "../../store/open.ts"
import { MigrationNeeded, type SchemaVersions, StoreTooNew } from "../../store/sql/migrate.ts"
import { waitingGroupsMax } from "../feed/waiting.ts"
import { findOwnUrl, reachableUrl } from "../frame/server-address.ts"

/** Null stands for an unknown value. */
export type StoreStatus = Readonly<{
  schema: SchemaVersions | null
  counts: RowCounts | null
  /** Null also where nothing was imported yet. */
  lastImport: ImportRun | null
  waiting: WaitingSummary | null
  /** The servers that run on the store, on this machine and on others. */
  nodes: readonly Node[] | null
  pulls: readonly Pull[] | null
  /** Why the store cannot be used. */
  problem: string | null
}>

export async function readStoreStatus(address: StoreAddress, now: Date): Promise<StoreStatus> {
  let schema: SchemaVersions | null = null
  try {
    const store = await openStore(address, "command")
    schema = { current: store.schemaVersion, needed: store.schemaVersion }
    try {
      const counts = await store.operatorReads.countRows()
      const [lastImport = null] = await store.feed.listRuns(1)
      const waiting = await store.feed.readWaiting(waitingGroupsMax)
      const nodes = await store.nodes.list(secondsBefore(now, nodeGoneSeconds))
      const pulls = await store.pulls.list()
      return { schema, counts, lastImport, waiting, nodes, pulls, problem: null }
    } finally {
      await store.close()
    }
  } catch (error) {
    if (error instanceof MigrationNeeded || error instanceof StoreTooNew) {
      return { ...nothingRead, schema: error.versions, problem: error.message }
    }
    if (!(error instanceof StoreUnavailable)) throw error
    return { ...nothingRead, schema, problem: error.message }
  }
}

const nothingRead = { counts: null, lastImport: null, waiting: null, nodes: null, pulls: null }

/** `absent`: nothing listens there. `foreign`: another program does. Null where none is known. */
export type ServerStatus = Readonly<{
  url: string
  state: "ready" | "not ready" | "absent" | "foreign"
}> | null

const answerMsMax = 3_000

/** Asks the server that the store knows on this machine, else where the settings say that one listens. */
export async function readServerStatus(
  { host, port }: Pick<Config, "host" | "port">,
  nodes: readonly Node[],
): Promise<ServerStatus> {
  const known = findOwnUrl(nodes)
  if (known === null && port === 0) return null
  const url = known ?? reachableUrl(httpUrl(host, port))
  try {
    const signal = AbortSignal.timeout(answerMsMax)
    const response = await fetch(`${url}/readyz`, { signal, redirect: "manual" })
    const answer = await response.json().catch(() => null)
    return { url, state: states[String(Object(answer).status)] ?? "foreign" }
  } catch {
    return { url, state: "absent" }
  }
}

/** By the answer of `/readyz`. */
const states: Readonly<Record<string, "ready" | "not ready">> = {
  ready: "ready",
  unavailable: "not ready",
}
