import { type NewEvent, renderData } from "../../../domain/events/event.ts"
import {
  type FailedRun,
  type FeedOrigin,
  type FeedStore,
  type ImportRun,
  interruptedSeconds,
  noRemarks,
  type Pull,
  type PullStore,
  type RejectionGroup,
  type RunCounts,
  type RunOutcome,
  type RunRemarks,
  troubledSeconds,
} from "../../../domain/feed/feed-store.ts"
import { en } from "../../../domain/values/problems/en.ts"
import { describe, type Message } from "../../../domain/values/problems/problem.ts"
import {
  formatTimestamp,
  secondsBefore,
  type Timestamp,
} from "../../../domain/values/time/timestamp.ts"
import { writeEvents } from "../events/write-events.ts"
import type { SqlDatabase, Statement, Transaction, Value } from "../sql-database.ts"

/** Runs kept per method, so that pushes do not displace file imports. */
const runsPerMethodMax = 1_000
/** A cleanup scans all runs, which is too slow for every push. */
export const runsPerCleanup = 100

export function finishRun(
  id: number,
  finishedAt: string,
  outcome: RunOutcome,
  problem: Message | null,
): Statement {
  const { accepted, adjusted, rejected, removed, waiting } = outcome.counts
  return [
    `UPDATE imports SET finished_at = $2, accepted = $3, adjusted = $4, rejected = $5, removed = $6,
       refusals = $7, waiting = $8, problem = $9
     WHERE id = $1`,
    [
      ...[id, finishedAt, accepted, adjusted, rejected, removed],
      ...[renderRest(outcome), waiting, problem && JSON.stringify(problem)],
    ],
  ]
}

/** Queues `import.failed` unless the run has recorded its failure itself. */
async function endAndEnqueue(tx: Transaction, run: FailedRun, others: readonly Statement[]) {
  const { source, via, startedAt, endedAt, problem, outcome, line, runBefore } = run
  const { accepted, adjusted, waiting = 0, rejected, removed } = outcome?.counts ?? {}
  const counts = [accepted, adjusted, waiting, rejected, removed].map((count) => count ?? null)
  const last = [source, via, runBefore, endedAt, JSON.stringify(problem)]
  const updated = await tx.query(
    `UPDATE imports SET finished_at = $4, problem = $5
     WHERE source = $1 AND via = $2 AND id > $3 AND finished_at IS NULL RETURNING id`,
    last,
  )
  const inserted = await tx.query(
    `INSERT INTO imports (source, via, line, started_at, finished_at, problem,
       accepted, adjusted, waiting, rejected, removed, refusals)
     SELECT $1, $2, $13, $6, $4, $5, $7, $8, $9, $10, $11, $12
     WHERE NOT EXISTS (SELECT 1 FROM imports WHERE source = $1 AND via = $2 AND id > $3)
     RETURNING id`,
    [...last, startedAt, ...counts, outcome && renderRest(outcome), line],
  )
  for (const [sql, values] of [deleteOldRuns, ...others]) await tx.query(sql, values)
  if (updated.length + inserted.length > 0)
    await writeEvents(tx, [failureOf(run, run.endedAt, run.problem)])
}

/** Also for a full sync that was imported but whose deletions were rejected. */
export function failureOf({ source, via }: FeedOrigin, at: Timestamp, problem: Message): NewEvent {
  const data = renderData("import.failed", { source, via, problem: describe(en, problem) })
  return { type: "import.failed", at, account: null, data }
}

export const deleteOldRuns: Statement = [
  `DELETE FROM imports WHERE id IN (
     SELECT id FROM (
       SELECT id, row_number() OVER (PARTITION BY via ORDER BY id DESC) AS ordinal FROM imports
     ) AS runs WHERE ordinal > ${runsPerMethodMax})`,
  [],
]

type Row = Omit<ImportRun, "outcome" | "problem"> &
  Readonly<Record<keyof RunCounts["counts"], number>> &
  Readonly<{ rejections: string | null; problem: string | null }>

const parseMessage = (json: string | null): Message | null =>
  json === null ? null : JSON.parse(json)

/** Fields without a column are stored as JSON in `refusals`. */
function renderRest({ counts, rejections, removalProblem, ...rest }: RunOutcome): string {
  const { revoked, restored } = counts
  const { isRefusalAllowed, isByHand, stoppedAt, ahead, repeated } = rest
  const remarks: RunRemarks = { isRefusalAllowed, isByHand, stoppedAt, ahead, repeated }
  return JSON.stringify({ ...rejections, removalProblem, ...remarks, revoked, restored })
}

/** Earlier versions wrote fewer fields. */
function parseRest(text: string, columns: RunCounts["counts"]): RunOutcome {
  const { groups, otherKinds, otherProblems, ...rest } = JSON.parse(text)
  const { revoked = 0, restored = 0, removalProblem = null, ...remarks } = rest
  return {
    counts: { ...columns, revoked, restored },
    rejections: { groups: groups.map(parseGroup), otherKinds, otherProblems },
    removalProblem,
    ...noRemarks,
    ...remarks,
  }
}

/** Versions before 0.13 stored only the first line. */
const parseGroup = ({ firstLine, firstIdentity, ...group }: StoredGroup): RejectionGroup =>
  firstLine === undefined
    ? group
    : { ...group, samples: [{ line: firstLine, identity: firstIdentity ?? null }] }

type StoredGroup = RejectionGroup & Readonly<{ firstLine?: number; firstIdentity?: string | null }>

/** The patterns match field names only, because quotes inside JSON strings are escaped. */
const hasRemovalProblem = `refusals LIKE '%"removalProblem":{%'`
const isStopped = `refusals LIKE '%"stoppedAt":{%'`
const isRefusalAllowed = `refusals LIKE '%"isRefusalAllowed":true%'`

export function createImportRuns(db: SqlDatabase) {
  async function select(rest: string, ...values: readonly Value[]): Promise<readonly ImportRun[]> {
    const rows = await db.read<Row>(
      `SELECT id, source, via, line, started_at, finished_at,
         accepted, adjusted, waiting, rejected, removed, refusals AS rejections, problem
       FROM imports ${rest}`,
      values,
    )
    return rows.map(({ rejections, problem, ...row }) => {
      const { accepted, adjusted, waiting, rejected, removed, ...run } = row
      const counts = { accepted, adjusted, waiting, rejected, removed }
      const outcome = rejections === null ? null : parseRest(rejections, counts)
      return { ...run, outcome, problem: parseMessage(problem) }
    })
  }
  return {
    findLastRun: async (source) =>
      (await select("WHERE source = $1 ORDER BY id DESC LIMIT 1", source))[0] ?? null,
    findRun: async (id) => (await select("WHERE id = $1", id))[0] ?? null,
    listRuns: (limit, via = null, before = null) =>
      select(
        `WHERE via = COALESCE($2, via) AND id < COALESCE($3, id + 1) ORDER BY id DESC LIMIT $1`,
        ...[limit, via, before],
      ),
    listTroubledRuns: (now, rowsMax) =>
      select(
        `WHERE (id IN (SELECT max(id) FROM imports
             WHERE finished_at IS NOT NULL OR started_at < $1 GROUP BY via, source)
           OR (via = 'push' AND started_at > $1 AND ${isStopped}))
         AND started_at > $2 AND (finished_at IS NULL OR problem IS NOT NULL
           OR (rejected > 0 AND NOT ${isRefusalAllowed}) OR ${hasRemovalProblem})
         ORDER BY id DESC LIMIT $3`,
        secondsBefore(now, interruptedSeconds),
        secondsBefore(now, troubledSeconds),
        rowsMax,
      ),
    recordFailure: (run) => db.transaction((tx) => endAndEnqueue(tx, run, [])),
    listLastFinishes: () =>
      db.read(
        // A run from a clock that was ahead must not hide later runs.
        `SELECT via, max(finished_at) AS finished_at FROM imports
         WHERE finished_at <= $1 AND problem IS NULL GROUP BY via ORDER BY via`,
        [formatTimestamp(new Date())],
      ),
    async listImportCounts(limit) {
      const rows = await db.read<RunCounts["counts"] & Omit<RunCounts, "counts">>(
        `SELECT id, via, problem IS NULL AS is_complete,
           problem IS NOT NULL OR ${hasRemovalProblem} AS is_failed, coalesce(accepted, 0) AS accepted,
           coalesce(adjusted, 0) AS adjusted, coalesce(waiting, 0) AS waiting,
           coalesce(rejected, 0) AS rejected, coalesce(removed, 0) AS removed
         FROM imports
         WHERE problem IS NOT NULL OR (via <> 'push' AND refusals IS NOT NULL)
         ORDER BY CASE WHEN finished_at <= $2 THEN finished_at ELSE '' END DESC, id DESC LIMIT $1`,
        [limit, formatTimestamp(new Date())],
      )
      return rows.map(({ id, via, isFailed, isComplete, ...counts }) => {
        return { id, via, isFailed, isComplete, counts }
      })
    },
  } satisfies Partial<FeedStore>
}

const putPull = `INSERT INTO pulls
    (name, every_seconds, first_round_at, last_scheduled_at, last_success_at, problem, last_read_at)
  VALUES ($1, $2, $3, $4, $5, $6, $8)
  ON CONFLICT (name) DO UPDATE SET
    every_seconds = coalesce(excluded.every_seconds, pulls.every_seconds),
    last_scheduled_at = coalesce(excluded.last_scheduled_at, pulls.last_scheduled_at),
    last_success_at = coalesce(excluded.last_success_at,
      CASE WHEN pulls.last_success_at > $7 THEN $7 ELSE pulls.last_success_at END),
    last_read_at = coalesce(excluded.last_read_at,
      CASE WHEN pulls.last_read_at > $7 THEN $7 ELSE pulls.last_read_at END),
    problem = excluded.problem`

export const createPullStore = (db: SqlDatabase): PullStore => ({
  async recordRound(round) {
    const { name, everySeconds, startedAt, endedAt, problem, isSuccess, runBefore } = round
    const scheduledAt = everySeconds === null ? null : endedAt
    const readAt = problem === null ? endedAt : null
    const put: Statement = [
      putPull,
      [
        ...[name, everySeconds, startedAt, scheduledAt, isSuccess ? readAt : null],
        ...[problem && JSON.stringify(problem), endedAt, readAt],
      ],
    ]
    if (problem === null) return db.writeAll(put)
    const origin = { source: name, via: "pull" } as const
    const failed = { ...origin, startedAt, endedAt, problem, outcome: null, line: 0, runBefore }
    await db.transaction((tx) => endAndEnqueue(tx, failed, [put]))
  },
  async list() {
    const rows = await db.read<Omit<Pull, "problem"> & Readonly<{ problem: string | null }>>(
      `SELECT name, every_seconds, first_round_at,
         last_scheduled_at, last_read_at,
         last_success_at, problem
       FROM pulls ORDER BY name`,
    )
    return rows.map((row) => ({ ...row, problem: parseMessage(row.problem) }))
  },
})
