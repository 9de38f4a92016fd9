import type { ReplicaState, StoreChecks } from "../../../domain/running/store-checks.ts"
import { StoreUnavailable } from "../../../domain/store.ts"
import { counted } from "../../../domain/values/text.ts"
import { createSharedChecks } from "../../sql/running/store-checks.ts"
import { connect, type Database } from "../connection/database.ts"
import { describe } from "../connection/hosts.ts"
import { heartbeatPool, type ServerState, serverState } from "../replicas/heartbeat.ts"

export function postgresStoreChecks(db: Database, replicaUrls: readonly string[]): StoreChecks {
  return {
    ...createSharedChecks(db),
    /** The server checks its pages when it reads them, and counts what it finds. */
    async listDamages() {
      const [read] = await db.readLong<{ failures: number | null }>(
        `SELECT checksum_failures AS failures FROM pg_stat_database
         WHERE datname = current_database()`,
      )
      const invalid = await db.readLong<{ name: string }>(
        `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid`,
      )
      const failures = read?.failures ?? 0
      return [
        ...(failures === 0
          ? []
          : [`the server has read ${counted(failures, "page")} with a wrong checksum`]),
        ...invalid.map(({ name }) => `the index ${name} is not valid`),
      ]
    },
    async readClock() {
      const [row] = await db.read<{ ms: number }>(
        "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms",
      )
      return new Date(row?.ms ?? Number.NaN)
    },
    async findReadOnly() {
      const [row] = await db.read<{ why: "standby" | "setting" | null }>(
        `SELECT CASE WHEN pg_is_in_recovery() THEN 'standby'
           WHEN current_setting('transaction_read_only') = 'on' THEN 'setting' END AS why`,
      )
      return row?.why ?? null
    },
    async listReplicas() {
      // Read first: a replica that has replayed up to here lacks nothing older than this moment.
      const [primary] = await db.read<ServerState>(`SELECT ${serverState}`)
      if (primary === undefined) throw new Error("a server tells its state")
      return Promise.all(replicaUrls.map((url) => readReplica(url, primary)))
    },
  }
}

type Replaying = ServerState & Readonly<{ replayedSecondsAgo: number | null }>

async function readReplica(url: string, primary: ServerState): Promise<ReplicaState> {
  const place = describe(url)
  const replica = connect(url, heartbeatPool)
  try {
    const [state] = await replica.read<Replaying>(
      `SELECT ${serverState}, extract(epoch FROM clock_timestamp() -
         pg_last_xact_replay_timestamp())::float8 AS "replayedSecondsAgo"`,
    )
    if (state?.isStandby !== true) {
      return { place, lagSeconds: null, fault: "it is no standby" }
    }
    const isComplete = state.position >= primary.position
    return { place, lagSeconds: isComplete ? 0 : (state.replayedSecondsAgo ?? 0), fault: null }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return { place, lagSeconds: null, fault: "it cannot be reached" }
  } finally {
    await replica.close()
  }
}
