/** An import as commands show it. */
import type { ImportRun } from "../../domain/feed/import-run.ts"

/** Null for an import that was interrupted or still runs. */
export const secondsOf = ({ startedAt, finishedAt }: ImportRun): number | null =>
  finishedAt === null ? null : (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000

/** The output of `--json`. */
export function runObject(run: ImportRun) {
  const { id, source, via, line, startedAt, finishedAt, outcome, problem } = run
  const counts = outcome?.counts ?? {
    accepted: null,
    adjusted: null,
    waiting: null,
    rejected: null,
    removed: null,
  }
  const removalProblem = outcome?.removalProblem ?? null
  return {
    ...{ id, source, via, line, started_at: startedAt, finished_at: finishedAt },
    ...counts,
    ...(problem === null ? {} : { problem }),
    ...(removalProblem === null ? {} : { removal_problem: removalProblem }),
    seconds: secondsOf(run),
  }
}

/** `42 accepted, 3 adjusted, 1 rejected, 0 removed in 2 s`; those that wait are told where there are any. */
export function describeRun(run: ImportRun): string {
  const { finishedAt, outcome, problem } = run
  if (finishedAt === null) return "not finished: interrupted, or still running"
  if (problem !== null) return `failed: ${problem}`
  if (outcome === null) return "finished by a version that recorded no numbers"
  const { accepted, adjusted, waiting, rejected, removed } = outcome.counts
  const waits = waiting === 0 ? "" : ` ${waiting} waiting,`
  const numbers = `${accepted} accepted, ${adjusted} adjusted,${waits} ${rejected} rejected, ${removed} removed`
  const kept =
    outcome.removalProblem === null ? "" : `; removing was refused: ${outcome.removalProblem}`
  return `${numbers} in ${secondsOf(run)} s${kept}`
}
