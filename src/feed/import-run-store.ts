import {
  allOf,
  type Sql,
  type SqlDatabase,
  sql,
  type Transaction,
  tuples,
} from "../platform/database/sql.ts"
import { describe, type Message } from "../platform/problem.ts"
import { formatTimestamp, secondsBefore, type Timestamp } from "../platform/time.ts"
import { type NewEvent, renderData } from "../webhooks/webhook.ts"
import { writeEvents } from "../webhooks/webhook-store.ts"
import {
  emptyOutcome,
  type FailedRun,
  type FeedCounts,
  type FeedOrigin,
  type FeedStore,
  type ImportRun,
  interruptedSeconds,
  type Pull,
  type PullStore,
  type RunCounts,
  troubledSeconds,
} from "./import-run.ts"

/** Runs kept per method, so that pushes do not displace file imports. */
const runsPerMethodMax = 1_000
/** A cleanup scans all runs, which is too slow for every push. */
const runsPerCleanup = 100

export async function insertRun(
  tx: Transaction,
  { source, via, line, startedAt }: Pick<ImportRun, "source" | "via" | "line" | "startedAt">,
): Promise<number> {
  const [run] = await tx.query<{ id: number }>`
    INSERT INTO imports (source, via, line, started_at)
    VALUES (${source}, ${via}, ${line}, ${startedAt}) RETURNING id`
  if (run === undefined) throw new Error("inserting the import run returned no row")
  return run.id
}

type RunEnd = Readonly<{ id: number; at: Timestamp }> & Pick<ImportRun, "outcome" | "problem">

export async function finishRun(
  tx: Transaction,
  { id, at, outcome, problem }: RunEnd,
): Promise<void> {
  const { counts = emptyOutcome.counts, ...rest } = outcome ?? {}
  const isFailed = problem !== null || (outcome?.removalProblem ?? null) !== null
  await tx.query`
    UPDATE imports SET finished_at = ${at}, accepted = ${counts.accepted},
      adjusted = ${counts.adjusted}, waiting = ${counts.waiting}, rejected = ${counts.rejected},
      removed = ${counts.removed}, revoked = ${counts.revoked}, restored = ${counts.restored},
      outcome = ${outcome && JSON.stringify(rest)}, problem = ${problem && JSON.stringify(problem)},
      is_failed = ${isFailed}, is_refusal_allowed = ${outcome?.isRefusalAllowed === true}
    WHERE id = ${id}`
  if (id % runsPerCleanup === 0) await deleteOldRuns(tx)
}

/** Queues `import.failed` unless the run has recorded its failure itself. */
async function recordFailure(tx: Transaction, run: FailedRun): Promise<void> {
  const { source, via, runBefore, endedAt: at, outcome, problem } = run
  const begun = await tx.query<Pick<ImportRun, "id" | "finishedAt">>`
    SELECT id, finished_at FROM imports
    WHERE source = ${source} AND via = ${via} AND id > ${runBefore}`
  const open = begun.filter(({ finishedAt }) => finishedAt === null)
  const ids = begun.length === 0 ? [await insertRun(tx, run)] : open.map(({ id }) => id)
  for (const id of ids) await finishRun(tx, { id, at, outcome, problem })
  await deleteOldRuns(tx)
  if (ids.length > 0) await writeEvents(tx, [failureEvent(run, at, problem)])
}

/** Also for a full sync that was imported but whose deletions were rejected. */
export function failureEvent(
  { source, via }: FeedOrigin,
  at: Timestamp,
  problem: Message,
): NewEvent {
  const data = renderData("import.failed", { source, via, problem: describe(problem) })
  return { type: "import.failed", at, account: null, data }
}

const deleteOldRuns = (tx: Transaction) =>
  tx.query`WITH runs (id, ordinal) AS (
      SELECT id, row_number() OVER (PARTITION BY via ORDER BY id DESC) FROM imports)
    DELETE FROM imports WHERE id IN (SELECT id FROM runs WHERE ordinal > ${runsPerMethodMax})`

type Row = Omit<ImportRun, "outcome" | "problem"> &
  FeedCounts &
  Readonly<{ outcome: string | null; problem: string | null }>

const counts = sql`accepted, adjusted, waiting, rejected, removed`

export function createImportRuns(db: SqlDatabase) {
  async function select(rest: Sql): Promise<readonly ImportRun[]> {
    const rows = await db.read<Row>`
      SELECT id, source, via, line, started_at, finished_at, ${counts}, revoked, restored, outcome, problem
      FROM imports ${rest}`
    return rows.map(
      ({ id, source, via, line, startedAt, finishedAt, outcome, problem, ...counts }) => ({
        ...{ id, source, via, line, startedAt, finishedAt },
        outcome: outcome === null ? null : { counts, ...JSON.parse(outcome) },
        problem: problem && JSON.parse(problem),
      }),
    )
  }
  return {
    findLastRun: async (source) =>
      (await select(sql`WHERE source = ${source} ORDER BY id DESC LIMIT 1`))[0] ?? null,
    findRun: async (id) => (await select(sql`WHERE id = ${id}`))[0] ?? null,
    listRuns(limit, via = null, before = null) {
      const isBefore = before === null ? null : sql`id < ${before}`
      const conditions = [via && sql`via = ${via}`, isBefore]
      return select(sql`WHERE ${allOf(conditions)} ORDER BY id DESC LIMIT ${limit}`)
    },
    listTroubledRuns(now, rowsMax) {
      const interruptedBefore = secondsBefore(now, interruptedSeconds)
      return select(sql`
        WHERE (id IN (SELECT max(id) FROM imports
            WHERE finished_at IS NOT NULL OR started_at < ${interruptedBefore} GROUP BY via, source)
          OR (via = 'push' AND started_at > ${interruptedBefore} AND is_failed))
        AND started_at > ${secondsBefore(now, troubledSeconds)} AND (finished_at IS NULL OR is_failed
          OR (rejected > 0 AND NOT is_refusal_allowed))
        ORDER BY id DESC LIMIT ${rowsMax}`)
    },
    recordFailure: (run) => db.transaction((tx) => recordFailure(tx, run)),
    // A run from a clock that was ahead must not hide later runs.
    async listLastFinishes(now) {
      const rows = await db.read<[via: ImportRun["via"], finishedAt: Timestamp]>(
        tuples`SELECT via, max(finished_at) FROM imports
          WHERE finished_at <= ${formatTimestamp(now)} AND problem IS NULL GROUP BY via ORDER BY via`,
      )
      return rows.map(([via, finishedAt]) => ({ via, finishedAt }))
    },
    async listImportCounts(now, rowsMax) {
      const rows = await db.read<
        Omit<RunCounts, "counts" | "isComplete"> & FeedCounts & { problem: string | null }
      >`
        SELECT id, via, problem, is_failed, ${counts} FROM imports
        WHERE problem IS NOT NULL OR (via <> 'push' AND outcome IS NOT NULL)
        ORDER BY CASE WHEN finished_at <= ${formatTimestamp(now)} THEN finished_at ELSE '' END DESC,
          id DESC LIMIT ${rowsMax}`
      return rows.map(({ id, via, isFailed, problem, ...counts }) => {
        return { id, via, isFailed, isComplete: problem === null, counts }
      })
    },
  } satisfies Partial<FeedStore>
}

export const createPullStore = (db: SqlDatabase): PullStore => ({
  recordRound(round) {
    const { name, everySeconds, startedAt, endedAt, problem, isSuccess, runBefore } = round
    const scheduledAt = everySeconds === null ? null : endedAt
    const readAt = problem === null ? endedAt : null
    return db.transaction(async (tx) => {
      if (problem !== null) {
        const run = { startedAt, endedAt, problem, outcome: null, line: 0, runBefore }
        await recordFailure(tx, { source: name, via: "pull", ...run })
      }
      await tx.query`
        INSERT INTO pulls (name, every_seconds, first_round_at, last_scheduled_at, last_success_at,
          problem, last_read_at)
        VALUES (${name}, ${everySeconds}, ${startedAt}, ${scheduledAt}, ${isSuccess ? readAt : null},
          ${problem && JSON.stringify(problem)}, ${readAt})
        ON CONFLICT (name) DO UPDATE SET
          every_seconds = coalesce(excluded.every_seconds, pulls.every_seconds),
          last_scheduled_at = coalesce(excluded.last_scheduled_at, pulls.last_scheduled_at),
          last_success_at = coalesce(excluded.last_success_at,
            CASE WHEN pulls.last_success_at > ${endedAt} THEN ${endedAt} ELSE pulls.last_success_at END),
          last_read_at = coalesce(excluded.last_read_at,
            CASE WHEN pulls.last_read_at > ${endedAt} THEN ${endedAt} ELSE pulls.last_read_at END),
          problem = excluded.problem`
    })
  },
  async list() {
    const rows = await db.read<Omit<Pull, "problem"> & Readonly<{ problem: string | null }>>`
      SELECT name, every_seconds, first_round_at, last_scheduled_at, last_read_at, last_success_at, problem
      FROM pulls ORDER BY name`
    return rows.map((row) => ({ ...row, problem: row.problem && JSON.parse(row.problem) }))
  },
})
