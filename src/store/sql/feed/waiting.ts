import {
  fromWaitingRow,
  type Needed,
  type WaitingGroup,
  type WaitingKind,
  type WaitingRecord,
  type WaitingRow,
  type WaitingSummary,
  waitingNameOf,
} from "../../../domain/feed/waiting-record.ts"
import type { SqlDatabase } from "../database.ts"

const neededBy = { item: "account", purchase: "item" } as const

/** Of a row `t`. */
export const waitingColumns = `t.kind, t.identity, t.needs, record, as_of AS "asOf", since AS "sinceMs"`

export const countWaitingRecords = "SELECT count(*) AS records FROM waiting"

export const countWaitingOfRun = "SELECT count(*) AS records FROM waiting WHERE run_id = $1"

/** `$2` is how many. */
export const neededByRun = `
  SELECT kind, needs AS identity, count(*) AS records FROM waiting WHERE run_id = $1
  GROUP BY kind, needs ORDER BY 3 DESC, kind, needs LIMIT $2`

export type NeededRow = Readonly<{ kind: WaitingKind; identity: string; records: number }>

export const toNeeded = ({ kind, ...needed }: NeededRow): Needed => ({
  type: neededBy[kind],
  ...needed,
})

export type WaitingCount = Readonly<{ records: number }>

export const waitingByName = (rows: readonly WaitingRow[]): ReadonlyMap<string, WaitingRecord> =>
  new Map(rows.map(fromWaitingRow).map((waiting) => [waitingNameOf(waiting), waiting]))

type Counted = Readonly<{ kind: WaitingKind; records: number; sinceMs: number }>

export async function readWaiting(db: SqlDatabase, groupsMax: number): Promise<WaitingSummary> {
  const kinds = await db.readLong<Counted>(
    `SELECT kind, count(*) AS records, min(since) AS "sinceMs" FROM waiting GROUP BY kind`,
  )
  const recordsOf = (kind: WaitingKind) => kinds.find((each) => each.kind === kind)?.records ?? 0
  const groups = await db.readLong<Counted & Pick<WaitingGroup, "identity">>(
    `SELECT kind, needs AS identity, count(*) AS records, min(since) AS "sinceMs"
     FROM waiting GROUP BY kind, needs ORDER BY 3 DESC, kind, needs LIMIT $1`,
    [groupsMax],
  )
  return {
    items: recordsOf("item"),
    purchases: recordsOf("purchase"),
    sinceMs: kinds.length === 0 ? null : Math.min(...kinds.map(({ sinceMs }) => sinceMs)),
    groups: groups.map(({ kind, ...group }) => ({ type: neededBy[kind], ...group })),
  }
}
