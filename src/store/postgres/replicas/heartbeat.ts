/** A query that is sent to a server four times a second, and the state it reports. */
import { DatabaseError } from "pg"
import { StoreUnavailable } from "../../../domain/store.ts"
import type { PoolOptions } from "../connection/connection.ts"

/** Nodes must agree within a second: at four a second, one of them may be slow. */
const everyMs = 250
/** On a connection of its own: a busy pool must not look like a dead server. */
export const heartbeatPool: PoolOptions = {
  connectionsMax: 1,
  statementMsMax: 700,
  queryMsMax: 900,
}

/** `position` is the end of the write-ahead log in bytes; on a standby, how much of it was replayed. */
export type ServerState = Readonly<{ server: string; isStandby: boolean; position: number }>

/** The start time identifies a server: two servers behind one address never share it. */
export const serverState = `pg_postmaster_start_time()::text AS server,
  pg_is_in_recovery() AS "isStandby",
  (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END
    - '0/0'::pg_lsn)::bigint AS position`

/** Longer than the deadlines of connecting and of the query together. */
const busyFromMs = 2_500

/** A server without a free connection is alive. */
const isFull = ({ cause }: StoreUnavailable) =>
  cause instanceof DatabaseError && cause.code === "53300"

export type RunningHeartbeat = Readonly<{ stop(): Promise<void> }>

/**
 * `beat` gets the time it was sent. `onMissed` is called when the server did not answer in time, unless
 * this process was too busy to read the answer.
 */
export function startHeartbeat(
  beat: (askedAtMs: number) => Promise<void>,
  onMissed: () => void,
): RunningHeartbeat {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false

  async function once(): Promise<void> {
    const askedAtMs = performance.now()
    try {
      await beat(askedAtMs)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      const wereBusy = performance.now() - askedAtMs > busyFromMs
      if (!wereBusy && !isFull(error)) onMissed()
    }
    if (!isStopped) timer = setTimeout(next, everyMs)
  }
  const next = () => {
    running = once()
  }
  let running = once()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
