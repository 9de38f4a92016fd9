/** The stored outcome of an import, as lines of JSON: the run, then its problems, each with its first line. */
import type { ImportRun } from "../../../domain/feed/import-run.ts"

export function renderReport(run: ImportRun): string {
  const { id, source, via, line, startedAt, finishedAt, outcome, problem } = run
  const groups = outcome?.refusals.groups ?? []
  const { otherKinds = 0, otherProblems = 0 } = outcome?.refusals ?? {}
  const lines = [
    {
      ...{ type: "run", id, source, via, line },
      ...{ started_at: startedAt, finished_at: finishedAt },
      ...outcome?.counts,
      ...(problem === null ? {} : { problem }),
      ...(outcome?.removalProblem ? { removal_problem: outcome.removalProblem } : {}),
    },
    ...groups.map((group) => ({
      ...{ type: "problem", record: group.type, member: group.member, reason: group.reason },
      ...{ cause: group.cause, lines: group.lines },
      ...{ first_line: group.firstLine, first_identity: group.firstIdentity },
    })),
    ...(otherProblems === 0 ? [] : [{ type: "others", kinds: otherKinds, times: otherProblems }]),
  ]
  return lines.map((each) => `${JSON.stringify(each)}\n`).join("")
}
