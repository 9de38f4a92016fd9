/**
 * The pulse of the primary: whether it is there, how far its log has come, and which keys changed.
 * Asked for, not announced: it works through any pooler, and after a break nothing is missed.
 */
import type { ChangedKeys } from "../../domain/key-changes.ts"
import { type Beating, beatPatience, type ServerState, serverState, startBeating } from "./beat.ts"
import { connect, selectVersion } from "./database.ts"

export type Pulse = Readonly<{
  /** True while every key change up to a second ago has been told. */
  isCurrent(): boolean
  /** True from a beat that was missed until the next that is answered. */
  isLost(): boolean
  isSameServer(state: ServerState): boolean
  /** Whether a server that has followed the log up to `position` lacks at most the last second. */
  isFresh(position: number): boolean
  /** The version of the store at the last beat; null before the first. */
  lastVersion(): number | null
  close(): Promise<void>
}>

/** For whoever remembers nothing and asks no replica. */
export const noPulse: Pulse = {
  isCurrent: () => false,
  isLost: () => false,
  isSameServer: () => false,
  isFresh: () => false,
  lastVersion: () => null,
  async close() {},
}

/** With the time a beat takes to be answered, what is remembered or copied is within a second. */
const currentMsMax = 750
const lagMsMax = 900
/** Changes are kept for an hour; after half of that away, we no longer rely on it. */
const awayMsMax = 1_800_000
const momentsKept = 16

type Moment = Readonly<{ position: number; askedAtMs: number }>
type Beat = ServerState &
  Readonly<{ version: number; snapshot: string; changed: readonly string[] }>

const question = `SELECT ${serverState}, (${selectVersion}) AS version, pg_current_snapshot()::text AS snapshot, ARRAY(
    SELECT DISTINCT key_id FROM key_changes
    WHERE xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(xid, $1::pg_snapshot)
  ) AS changed`

export function openPulse(url: string, onChange: (changed: ChangedKeys) => void): Pulse {
  const db = connect(url, beatPatience)
  let server = ""
  let snapshot: string | null = null
  let heardAtMs = Number.NEGATIVE_INFINITY
  let version: number | null = null
  let isLost = false
  let moments: Moment[] = []

  async function beat(askedAtMs: number): Promise<void> {
    const [answer] = await db.read<Beat>(question, [snapshot])
    // A standby under the primary's address is a failover that has not come to its end.
    if (answer === undefined || answer.isStandby) {
      isLost = true
      return
    }
    const isContinued = answer.server === server && askedAtMs - heardAtMs < awayMsMax
    if (!isContinued) {
      moments = []
      onChange("all")
    } else if (answer.changed.length > 0) onChange(answer.changed)
    server = answer.server
    version = answer.version
    snapshot = answer.snapshot
    heardAtMs = askedAtMs
    isLost = false
    moments = [{ position: answer.position, askedAtMs }, ...moments].slice(0, momentsKept)
  }
  const beating: Beating = startBeating(beat, () => {
    isLost = true
  })
  return {
    isCurrent: () => performance.now() - heardAtMs < currentMsMax,
    isLost: () => isLost,
    isSameServer: (state) => state.server === server,
    isFresh(position) {
      const known = moments.find((moment) => moment.position <= position)
      const until = isLost ? heardAtMs : performance.now()
      return known !== undefined && until - known.askedAtMs < lagMsMax
    },
    lastVersion: () => version,
    async close() {
      await beating.stop()
      await db.close()
    },
  }
}
