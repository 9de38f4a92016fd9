/**
 * Asks the primary whether it is alive, how far its log is, which keys changed and of which codes a site was
 * released. It polls instead of using NOTIFY: polling works through any pooler, and misses no change after a lost connection.
 */
import type { ReleasedCodes } from "../../../domain/catalogue/sites.ts"
import type { ChangedKeys } from "../../../domain/keys/api-key.ts"
import { splitChanges } from "../catalogue/released-sites.ts"
import { connect } from "../connection/database.ts"
import { selectOldest } from "../connection/opening.ts"
import {
  heartbeatPool,
  type RunningHeartbeat,
  type ServerState,
  serverState,
  startHeartbeat,
} from "./heartbeat.ts"

export type PrimaryHeartbeat = Readonly<{
  /** True while every key change up to a second ago has been reported. */
  isCurrent(): boolean
  /** True from a missed beat until the next one that is answered. */
  isLost(): boolean
  isSameServer(state: ServerState): boolean
  /**
   * When the primary's log was known to end at `position` or before: a server that has replayed the log up to
   * there lacks only what came later. Null if that is longer ago than the beats that are kept.
   */
  findCompleteMs(position: number): number | null
  /** Until when the primary was asked: now, or the last beat before it was lost. */
  knownUntilMs(): number
  /** When the primary was asked the last beat that it answered. */
  heardAtMs(): number
  /** How many steps a program had to know at the last beat; null before the first. */
  lastOldest(): number | null
  close(): Promise<void>
}>

/** For commands, which cache no keys and ask no replica. */
export const noHeartbeat: PrimaryHeartbeat = {
  isCurrent: () => false,
  isLost: () => false,
  isSameServer: () => false,
  findCompleteMs: () => null,
  knownUntilMs: () => 0,
  heardAtMs: () => 0,
  lastOldest: () => null,
  async close() {},
}

/** With the time a beat takes, cached keys are at most a second old. */
const currentMsMax = 750
/** The table of changes keeps an hour. After half an hour without a beat, every cached key is dropped. */
const awayMsMax = 1_800_000
const momentsKept = 16

type Moment = Readonly<{ position: number; askedAtMs: number }>
type Beat = ServerState & Readonly<{ oldest: number; snapshot: string; changed: readonly string[] }>

const question = `SELECT ${serverState}, (${selectOldest}) AS oldest, pg_current_snapshot()::text AS snapshot, ARRAY(
    SELECT DISTINCT key_id FROM key_changes
    WHERE xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(xid, $1::pg_snapshot)
  ) AS changed`

export function openPrimaryHeartbeat(
  url: string,
  onChange: (changed: ChangedKeys) => void,
  onRelease: (codes: ReleasedCodes) => void,
): PrimaryHeartbeat {
  const db = connect(url, heartbeatPool)
  let server = ""
  let snapshot: string | null = null
  let heardAtMs = Number.NEGATIVE_INFINITY
  let oldest: number | null = null
  let isLost = false
  let moments: Moment[] = []

  async function beat(askedAtMs: number): Promise<void> {
    const [answer] = await db.read<Beat>(question, [snapshot])
    // A standby under the address of the primary: a failover is not finished.
    if (answer === undefined || answer.isStandby) {
      isLost = true
      return
    }
    const isContinued = answer.server === server && askedAtMs - heardAtMs < awayMsMax
    const { keys, codes } = splitChanges(answer.changed)
    if (!isContinued) {
      moments = []
      onChange("all")
      onRelease("all")
    } else {
      if (keys.includes("all")) onChange("all")
      else if (keys.length > 0) onChange(keys)
      if (codes.length > 0) onRelease(codes)
    }
    server = answer.server
    oldest = answer.oldest
    snapshot = answer.snapshot
    heardAtMs = askedAtMs
    isLost = false
    moments = [{ position: answer.position, askedAtMs }, ...moments].slice(0, momentsKept)
  }
  const running: RunningHeartbeat = startHeartbeat(beat, () => {
    isLost = true
  })
  return {
    isCurrent: () => performance.now() - heardAtMs < currentMsMax,
    isLost: () => isLost,
    isSameServer: (state) => state.server === server,
    findCompleteMs: (position) =>
      moments.find((moment) => moment.position <= position)?.askedAtMs ?? null,
    knownUntilMs: () => (isLost ? heardAtMs : performance.now()),
    heardAtMs: () => heardAtMs,
    lastOldest: () => oldest,
    async close() {
      await running.stop()
      await db.close()
    },
  }
}
