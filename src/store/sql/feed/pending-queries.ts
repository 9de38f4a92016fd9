import type {
  Needed,
  PendingGroup,
  PendingKind,
  PendingSummary,
} from "../../../domain/feed/feed-record.ts"
import type { SqlDatabase } from "../sql-database.ts"

const neededBy = { item: "account", purchase: "item" } as const

/** The columns of a row `t`. */
export const pendingColumns = `t.kind, t.identity, t.needs, record, as_of AS "asOf", since AS "sinceMs"`

export const neededByRun = `
  SELECT kind, needs AS identity, count(*) AS records FROM waiting WHERE run_id = $1
  GROUP BY kind, needs ORDER BY 3 DESC, kind, needs LIMIT $2`

export type NeededRow = Readonly<{ kind: PendingKind; identity: string; records: number }>

export const toNeeded = ({ kind, ...needed }: NeededRow): Needed => ({
  type: neededBy[kind],
  ...needed,
})

type Counted = Readonly<{ kind: PendingKind; records: number; sinceMs: number }>

export async function readPending(db: SqlDatabase, groupsMax: number): Promise<PendingSummary> {
  const kinds = await db.readLong<Counted>(
    `SELECT kind, count(*) AS records, min(since) AS "sinceMs" FROM waiting GROUP BY kind`,
  )
  const recordsOf = (kind: PendingKind) => kinds.find((each) => each.kind === kind)?.records ?? 0
  const groups = await db.readLong<Counted & Pick<PendingGroup, "identity">>(
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
