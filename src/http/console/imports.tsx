import type { ImportRun, RefusalGroup, RunOutcome } from "../../domain/feed/import-run.ts"
import type { WaitingSummary } from "../../domain/feed/waiting-record.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { Fact, Moment, Pill, shownName } from "../pages/parts/values.tsx"
import {
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
} from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import { NumberTable, Told } from "./frame/number-table.tsx"
import type { ConsoleServices } from "./frame/services.ts"

/** Of each way, so that a thousand pushes do not hide the import of last night. */
const runsShown = 20
const needsShown = 20

export function addImportsRoutes(app: ConsoleApp, { store }: ConsoleServices): void {
  app.get(paths.imports, async (c) => {
    const runs = await Promise.all(importWays.map((via) => store.feed.listRuns(runsShown, via)))
    const waiting = await store.feed.readWaiting(needsShown)
    return c.html(<ImportsPage view={viewOf(c)} runs={runs.flat()} waiting={waiting} />)
  })

  app.get(`${paths.imports}/:id`, async (c) => {
    const run = await findRun(c)
    return run === null ? c.notFound() : c.html(<ImportPage view={viewOf(c)} run={run} />)
  })

  app.get(`${paths.imports}/:id/report`, async (c) => {
    const run = await findRun(c)
    if (run === null) return c.notFound()
    return c.body(renderReport(run), 200, {
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Content-Disposition": `attachment; filename="import-${run.id}.ndjson"`,
    })
  })

  async function findRun(c: ConsoleContext): Promise<ImportRun | null> {
    const id = c.req.param("id") ?? ""
    return /^[1-9]\d{0,8}$/.test(id) ? store.feed.findRun(Number(id)) : null
  }
}

/** The stored outcome as lines of JSON: the run, then its problems, each with its first line. */
function renderReport(run: ImportRun): string {
  const { id, source, via, line, startedAt, finishedAt, outcome, problem } = run
  const groups = outcome?.refusals.groups ?? []
  const { otherKinds = 0, otherProblems = 0 } = outcome?.refusals ?? {}
  const lines = [
    {
      type: "run",
      id,
      source,
      via,
      line,
      started_at: startedAt,
      finished_at: finishedAt,
      ...outcome?.counts,
      ...(problem === null ? {} : { problem }),
      ...(outcome?.removalProblem ? { removal_problem: outcome.removalProblem } : {}),
    },
    ...groups.map((group) => ({
      type: "problem",
      record: group.type,
      member: group.member,
      reason: group.reason,
      cause: group.cause,
      lines: group.lines,
      first_line: group.firstLine,
      first_identity: group.firstIdentity,
    })),
    ...(otherProblems === 0 ? [] : [{ type: "others", kinds: otherKinds, times: otherProblems }]),
  ]
  return lines.map((each) => `${JSON.stringify(each)}\n`).join("")
}

const importWays = ["file", "pull", "push"] as const

const countNames = ["accepted", "adjusted", "waiting", "rejected", "removed"] as const

type RunsProps = Readonly<{
  view: ConsoleView
  runs: readonly ImportRun[]
  waiting: WaitingSummary
}>

const ImportsPage = ({ view, runs, waiting }: RunsProps) => {
  const { imports } = view.texts
  return (
    <ConsolePage view={view} title={imports.title}>
      {waiting.groups.length > 0 && <Waiting view={view} waiting={waiting} />}
      {runs.length === 0 ? (
        <p class="empty">{imports.none}</p>
      ) : (
        importWays.map((way) => (
          <NumberTable
            title={imports.ways[way]}
            columns={[
              ...[{ head: imports.started }, { head: imports.source }, { head: imports.finished }],
              ...countNames.map((name) => ({ head: imports[name], isNumber: true })),
            ]}
            rows={runs.filter(({ via }) => via === way).map((run) => rowOf(view, run))}
            empty={imports.noneOfWay}
          />
        ))
      )}
    </ConsolePage>
  )
}

const Waiting = ({ view, waiting }: Pick<RunsProps, "view" | "waiting">) => {
  const { imports } = view.texts
  return (
    <NumberTable
      title={imports.waitingTitle}
      hint={imports.waitingHint(waiting.items, waiting.purchases)}
      columns={[
        { head: imports.missing },
        { head: imports.waiting, isNumber: true },
        { head: imports.waitingSince },
      ]}
      rows={waiting.groups.map(({ type, identity, records, sinceMs }) => [
        <>
          {imports.needs[type]} <span class="mono clamp">{shownName(identity, "–")}</span>
        </>,
        imports.waiters(type, records),
        <Moment view={view} at={formatTimestamp(new Date(sinceMs))} />,
      ])}
      empty=""
    />
  )
}

const rowOf = (view: ConsoleView, run: ImportRun) => [
  <a href={paths.run(run.id)}>
    <Moment view={view} at={run.startedAt} />
  </a>,
  <span class="mono clamp">
    <bdi>{shownName(run.source, "-")}</bdi>
  </span>,
  <Finish view={view} run={run} />,
  ...countNames.map((name) => run.outcome?.counts[name].toLocaleString(view.locale) ?? "–"),
]

type RunProps = Readonly<{ view: ConsoleView; run: ImportRun }>

const Finish = ({ view, run }: RunProps) =>
  run.finishedAt === null ? (
    <Pill tone="warning">{view.texts.imports.notFinished}</Pill>
  ) : (
    <>
      <Moment view={view} at={run.finishedAt} />{" "}
      {run.problem !== null && <Pill tone="danger">{view.texts.imports.failed}</Pill>}
    </>
  )

const ImportPage = ({ view, run }: RunProps) => {
  const { imports } = view.texts
  const { outcome } = run
  return (
    <ConsolePage view={view} title={imports.runTitle(run.id)}>
      {run.problem !== null && (
        <p class="notice danger">
          {imports.notReadToEnd} <Told view={view} text={run.problem} />
        </p>
      )}
      {outcome !== null && outcome.removalProblem !== null && (
        <p class="notice warning">
          {imports.nothingRemoved} <Told view={view} text={outcome.removalProblem} />
        </p>
      )}
      <section class="panel">
        <dl class="facts">
          <Fact name={imports.source}>
            {imports.ways[run.via]},{" "}
            <span class="mono">
              <bdi>{shownName(run.source, "-")}</bdi>
            </span>
          </Fact>
          <Fact name={imports.started} value={<Moment view={view} at={run.startedAt} />} />
          <Fact name={imports.finished} value={<Finish view={view} run={run} />} />
          <Fact name={imports.lines} value={run.line.toLocaleString(view.locale)} />
          {countNames.map((name) => (
            <Fact name={imports[name]}>
              {outcome?.counts[name].toLocaleString(view.locale) ?? "–"}
            </Fact>
          ))}
        </dl>
        {outcome === null && run.finishedAt !== null && run.problem === null && (
          <p>{imports.unknown}</p>
        )}
        <p class="actions">
          <a class="button quiet" href={`${paths.run(run.id)}/report`}>
            {imports.report}
          </a>
        </p>
        <p class="hint">{imports.reportHint}</p>
      </section>
      {outcome !== null && <Problems view={view} refusals={outcome.refusals} />}
    </ConsolePage>
  )
}

type ProblemsProps = Readonly<{ view: ConsoleView; refusals: RunOutcome["refusals"] }>

const Problems = ({ view, refusals }: ProblemsProps) => {
  const { imports } = view.texts
  const { groups, otherKinds, otherProblems } = refusals
  return (
    <>
      <NumberTable
        title={imports.problems}
        columns={[
          ...[{ head: imports.problem }, { head: imports.record }, { head: imports.cause }],
          ...[{ head: imports.count, isNumber: true }, { head: imports.first }],
        ]}
        rows={groups.map((group) => [
          <>
            <span class="mono">{group.member}</span>{" "}
            {imports.reason(group.reason) ?? <span lang="en">{group.reason}</span>}
          </>,
          nameRecord(view, group.type),
          imports.causes[group.cause],
          group.lines.toLocaleString(view.locale),
          <FirstLine view={view} group={group} />,
        ])}
        empty={imports.noProblems}
      />
      {otherProblems > 0 && <p class="hint">{imports.others(otherKinds, otherProblems)}</p>}
    </>
  )
}

function nameRecord({ texts }: ConsoleView, type: string | null): string {
  const names: Readonly<Record<string, string>> = texts.imports.records
  return type === null ? "–" : (Object.hasOwn(names, type) && names[type]) || type
}

const FirstLine = ({ view, group }: Readonly<{ view: ConsoleView; group: RefusalGroup }>) => (
  <>
    {view.texts.imports.line(group.firstLine)}{" "}
    {group.firstIdentity !== null && (
      <span class="mono clamp">
        <bdi>{shownName(group.firstIdentity, "–")}</bdi>
      </span>
    )}
  </>
)
