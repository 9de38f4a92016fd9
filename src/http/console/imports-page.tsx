import {
  type ImportRun,
  linesOf,
  type RejectionGroup,
  type RunOutcome,
} from "../../domain/feed/import-run.ts"
import type { PendingSummary } from "../../domain/feed/pending-record.ts"
import { en } from "../../domain/values/problems/en.ts"
import { describe, type Message } from "../../domain/values/problems/problem.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { displayName, Fact, Pill, RelativeTime } from "../pages/components/formatted-values.tsx"
import {
  type Column,
  numberColumn,
  QuietLink,
  TableSection,
} from "../pages/components/panels-and-tables.tsx"
import {
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
} from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

/** Per method, so that many pushes do not hide the import of last night. */
const runsShown = 20
const needsShown = 20

export function addImportsRoutes(app: ConsoleApp, { feed, now }: ConsoleServices): void {
  app.get(paths.imports, async (c) => {
    const [failing, pending, ...runs] = await Promise.all([
      feed.listTroubledRuns(now(), runsShown),
      feed.readPending(needsShown),
      ...importWays.map((via) => feed.listRuns(runsShown, via)),
    ])
    return c.html(
      <ImportsPage view={viewOf(c)} runs={runs.flat()} failing={failing} pending={pending} />,
    )
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
    return /^[1-9]\d{0,8}$/.test(id) ? feed.findRun(Number(id)) : null
  }
}

/** The stored result as NDJSON: the run, then one line per problem. */
function renderReport(run: ImportRun): string {
  const { id, source, via, line, startedAt, finishedAt, outcome, problem } = run
  const groups = outcome?.rejections.groups ?? []
  const { otherKinds = 0, otherProblems = 0 } = outcome?.rejections ?? {}
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
      ...(problem === null ? {} : { problem: describe(en, problem) }),
      ...(outcome?.removalProblem ? { removal_problem: describe(en, outcome.removalProblem) } : {}),
      ...(outcome?.ahead ? { ahead: outcome.ahead } : {}),
      ...(outcome?.repeated ? { repeated: outcome.repeated.records } : {}),
    },
    ...groups.map((group) => ({
      type: "problem",
      record: group.type,
      member: group.field,
      reason: describe(en, group),
      code: group.code,
      params: group.params,
      cause: group.cause,
      lines: group.lines,
      first_line: group.samples[0].line,
      first_identity: group.samples[0].identity,
    })),
    ...(otherProblems === 0 ? [] : [{ type: "others", kinds: otherKinds, times: otherProblems }]),
  ]
  return lines.map((each) => `${JSON.stringify(each)}\n`).join("")
}

const importWays = ["file", "pull", "push"] as const

const listedCounts = ["accepted", "adjusted", "waiting", "rejected", "removed"] as const
const countNames = [...listedCounts, "revoked", "restored"] as const
type CountName = (typeof countNames)[number]

type RunsProps = Readonly<{
  view: ConsoleView
  runs: readonly ImportRun[]
  /** The latest failed run of each source. */
  failing: readonly ImportRun[]
  pending: PendingSummary
}>

export const ImportsPage = ({ view, runs, failing, pending }: RunsProps) => {
  const { imports } = view.texts
  return (
    <ConsolePage view={view} title={imports.title}>
      {failing.length > 0 && <Troubled view={view} failing={failing} />}
      {pending.groups.length > 0 && <PendingRecords view={view} pending={pending} />}
      {runs.length === 0 ? (
        <p class="empty">{imports.none}</p>
      ) : (
        importWays.map((way) => (
          <TableSection
            title={imports.ways[way]}
            rows={runs.filter(({ via }) => via === way)}
            columns={columnsOf(view, failing)}
            empty={imports.noneOfWay}
          />
        ))
      )}
    </ConsolePage>
  )
}

const Troubled = ({ view, failing }: Pick<RunsProps, "view" | "failing">) => {
  const { imports } = view.texts
  return (
    <TableSection
      title={imports.attentionTitle}
      hint={imports.attentionHint}
      rows={failing}
      columns={[
        ...nameColumns(view),
        { head: imports.why, cell: (run) => <Trouble view={view} run={run} /> },
      ]}
    />
  )
}

const Trouble = ({ view, run }: RunProps) => {
  const { imports } = view.texts
  const { problem, outcome, finishedAt } = run
  if (problem !== null) {
    return (
      <>
        <Pill tone="danger">{imports.failed}</Pill> <ProblemMessage view={view} message={problem} />
      </>
    )
  }
  if (finishedAt === null) return <Pill tone="danger">{imports.interrupted}</Pill>
  if (outcome === null) return null
  if (outcome.removalProblem !== null) {
    return (
      <>
        <Pill tone="warning">{imports.nothingRemoved}</Pill>{" "}
        <ProblemMessage view={view} message={outcome.removalProblem} />
      </>
    )
  }
  const [first] = outcome.rejections.groups
  return (
    <>
      <Pill tone="warning">{imports.linesRejected(outcome.counts.rejected)}</Pill>{" "}
      {first !== undefined && <Reason view={view} group={first} />}
    </>
  )
}

const PendingRecords = ({ view, pending }: Pick<RunsProps, "view" | "pending">) => {
  const { imports } = view.texts
  return (
    <TableSection
      title={imports.pendingTitle}
      hint={imports.pendingHint(pending.items, pending.purchases)}
      rows={pending.groups}
      columns={[
        {
          head: imports.missing,
          cell: ({ type, identity }) => (
            <>
              {imports.needs[type]} <span class="mono clamp">{displayName(identity, "–")}</span>
            </>
          ),
        },
        {
          head: imports.waiting,
          isNumber: true,
          cell: ({ type, records }) => imports.pendingRecords(type, records),
        },
        {
          head: imports.pendingSince,
          cell: ({ sinceMs }) => (
            <RelativeTime view={view} at={formatTimestamp(new Date(sinceMs))} />
          ),
        },
      ]}
    />
  )
}

function nameColumns(view: ConsoleView): readonly Column<ImportRun>[] {
  const { imports } = view.texts
  return [
    {
      head: imports.started,
      cell: ({ id, startedAt }) => (
        <a href={paths.importRun(id)}>
          <RelativeTime view={view} at={startedAt} />
        </a>
      ),
    },
    {
      head: imports.source,
      cell: ({ source }) => (
        <span class="mono clamp">
          <bdi>{displayName(source, "-")}</bdi>
        </span>
      ),
    },
  ]
}

/** Runs in `troubled`, and others that need attention, have a badge. */
function columnsOf(
  view: ConsoleView,
  troubled: RunsProps["failing"],
): readonly Column<ImportRun>[] {
  const { imports } = view.texts
  const isTroubled = ({ id }: ImportRun) => troubled.some((each) => each.id === id)
  const badgeOf = (run: ImportRun) => {
    const rejected = run.outcome?.counts.rejected ?? 0
    if (run.finishedAt === null || run.problem !== null) return null
    if (isTroubled(run)) return imports.needsAttention
    if (run.outcome?.ahead) return imports.clockAhead
    if (run.outcome?.repeated) return imports.codesRepeated
    return rejected > 0 ? imports.linesRejected(rejected) : null
  }
  return [
    ...nameColumns(view),
    {
      head: imports.finished,
      cell: (run) => (
        <>
          <Finish view={view} run={run} />{" "}
          {badgeOf(run) !== null && <Pill tone="warning">{badgeOf(run)}</Pill>}
        </>
      ),
    },
    ...listedCounts.map((name) => ({
      head: imports[name],
      isNumber: true,
      cell: (run: ImportRun) => formatCount(view, run, name),
    })),
  ]
}

const formatCount = ({ locale }: ConsoleView, { outcome }: ImportRun, name: CountName) =>
  outcome?.counts[name].toLocaleString(locale) ?? "–"

type RunProps = Readonly<{ view: ConsoleView; run: ImportRun }>

const Finish = ({ view, run }: RunProps) =>
  run.finishedAt === null ? (
    <Pill tone="warning">{view.texts.imports.notFinished}</Pill>
  ) : (
    <>
      <RelativeTime view={view} at={run.finishedAt} />{" "}
      {run.problem !== null && <Pill tone="danger">{view.texts.imports.failed}</Pill>}
    </>
  )

export const ImportPage = ({ view, run }: RunProps) => {
  const { imports } = view.texts
  const { outcome } = run
  return (
    <ConsolePage view={view} title={imports.runTitle(run.id)}>
      {run.problem !== null && (
        <p class="notice danger">
          {labelOf(view, outcome)} <ProblemMessage view={view} message={run.problem} />
        </p>
      )}
      {outcome !== null && outcome.removalProblem !== null && (
        <p class="notice warning">
          {imports.nothingRemoved} <ProblemMessage view={view} message={outcome.removalProblem} />
        </p>
      )}
      {outcome !== null && outcome.ahead !== null && (
        <p class="notice warning">{imports.ahead(outcome.ahead.records, outcome.ahead.seconds)}</p>
      )}
      {outcome !== null && outcome.repeated !== null && (
        <p class="notice warning">
          {imports.repeated(outcome.repeated.records, outcome.repeated.firstLines)}
        </p>
      )}
      <section class="panel">
        <dl class="facts">
          <Fact name={imports.source}>
            {imports.ways[run.via]},{" "}
            <span class="mono">
              <bdi>{displayName(run.source, "-")}</bdi>
            </span>
          </Fact>
          <Fact name={imports.started} value={<RelativeTime view={view} at={run.startedAt} />} />
          <Fact name={imports.finished} value={<Finish view={view} run={run} />} />
          <Fact name={imports.lines} value={linesOf(run).toLocaleString(view.locale)} />
          {countNames.map((name) => (
            <Fact name={imports[name]} value={formatCount(view, run, name)} />
          ))}
        </dl>
        {outcome === null && run.finishedAt !== null && run.problem === null && (
          <p>{imports.noCounts}</p>
        )}
        <p class="actions">
          <QuietLink href={`${paths.importRun(run.id)}/report`}>{imports.report}</QuietLink>
        </p>
        <p class="hint">{imports.reportHint}</p>
      </section>
      {outcome !== null && <Problems view={view} rejections={outcome.rejections} />}
    </ConsolePage>
  )
}

function labelOf({ texts: { imports } }: ConsoleView, outcome: ImportRun["outcome"]): string {
  if (outcome === null) return imports.notReadToEnd
  return outcome.stoppedAt === null ? imports.nothingSaved : imports.restNotSaved
}

type ProblemsProps = Readonly<{ view: ConsoleView; rejections: RunOutcome["rejections"] }>

const Problems = ({ view, rejections }: ProblemsProps) => {
  const { imports } = view.texts
  const { groups, otherKinds, otherProblems } = rejections
  return (
    <>
      <TableSection
        title={imports.problems}
        rows={groups}
        columns={[
          {
            head: imports.problem,
            cell: (group) => <Reason view={view} group={group} />,
          },
          { head: imports.record, cell: ({ type }) => nameRecord(view, type) },
          { head: imports.cause, cell: ({ cause }) => imports.causes[cause] },
          numberColumn(view, imports.count, "lines"),
          {
            head: imports.first,
            cell: ({ samples }) =>
              samples.map(({ line, identity }) => (
                <div>
                  {imports.line(line)}{" "}
                  {identity !== null && (
                    <span class="mono clamp">
                      <bdi>{displayName(identity, "–")}</bdi>
                    </span>
                  )}
                </div>
              )),
          },
        ]}
        empty={imports.noProblems}
      />
      {otherProblems > 0 && <p class="hint">{imports.others(otherKinds, otherProblems)}</p>}
    </>
  )
}

const Reason = ({ view, group }: Readonly<{ view: ConsoleView; group: RejectionGroup }>) => (
  <>
    <span class="mono">{group.field}</span> <ProblemMessage view={view} message={group} />
  </>
)

function nameRecord({ texts }: ConsoleView, type: string | null): string {
  const names: Readonly<Record<string, string>> = texts.imports.records
  return type === null ? "–" : (Object.hasOwn(names, type) && names[type]) || type
}

/** Errors of systems and databases are in English. */
export const ProblemMessage = ({
  view,
  message,
}: Readonly<{ view: ConsoleView; message: Message }>) => {
  const parts = describe(view.texts.problems, message).split(/`([^`]+)`/)
  const shown = parts.map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))
  return message.code === "other" ? <span lang="en">{shown}</span> : shown
}
