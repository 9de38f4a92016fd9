import { paths } from "../access/paths.ts"
import { ConsolePage, stateColumn, type Tone } from "../console/frame.tsx"
import type { ConsoleServices } from "../console/services.ts"
import type { Locale } from "../platform/locale.ts"
import type { PageApp, View } from "../platform/pages/context.ts"
import { type Column, DataTable } from "../platform/pages/data-table.tsx"
import {
  Copyable,
  displayName,
  Fact,
  formatDateTime,
  Panel,
  Pill,
  RelativeTime,
} from "../platform/pages/elements.tsx"
import { addList, cutPage, FilterSelect } from "../platform/pages/list.tsx"
import { describe, type Message } from "../platform/problem.ts"
import { formatTimestamp } from "../platform/time.ts"
import type { PendingGroup } from "./feed-record.ts"
import {
  emptyOutcome,
  type ImportRun,
  isOverdue,
  type Pull,
  type RejectionGroup,
  warningsOf,
} from "./import-run.ts"

const needsShown = 6
const importWays = ["file", "pull", "push"] as const

export function addImportsRoutes(app: PageApp, { feed, pulls, now }: ConsoleServices): void {
  addList(app, {
    path: paths.imports,
    file: "imports",
    filterNames: ["via"],
    async open(c, { filters }) {
      const view = c.var.view
      const { imports } = view.texts
      const via = importWays.find((each) => each === filters.via) ?? null
      const syncs = await pulls.list()
      const pending = (await feed.readPending(needsShown)).groups
      return {
        columns: runColumns(view),
        async read(after, rowsMax) {
          const before = /^[1-9]\d{0,8}$/.test(after ?? "") ? Number(after) : null
          const runs = await feed.listRuns(rowsMax + 1, via, before)
          return cutPage(runs, rowsMax, ({ id }) => String(id))
        },
        filters: (
          <FilterSelect
            name="via"
            label={imports.source}
            every={imports.allWays}
            options={importWays.map((each) => [each, imports.ways[each]])}
            chosen={filters.via}
          />
        ),
        linkOf: ({ id }) => paths.importRun(id),
        empty: imports.none,
        page: (list) => (
          <ConsolePage view={view} title={view.texts.navigation.data}>
            {pending.length > 0 && (
              <Panel id="pending-title" title={imports.pendingTitle}>
                <p>{imports.pendingHint}</p>
                <DataTable view={view} columns={pendingColumns(imports)} rows={pending} />
              </Panel>
            )}
            {syncs.length > 0 && (
              <Panel id="syncs-title" title={view.texts.home.checks.pulls}>
                <DataTable view={view} columns={syncColumns(view, now())} rows={syncs} />
              </Panel>
            )}
            <h2>{imports.title}</h2>
            {list}
          </ConsolePage>
        ),
      }
    },
  })

  app.get(`${paths.imports}/:id`, async (c) => {
    const id = c.req.param("id")
    const run = /^[1-9]\d{0,8}$/.test(id) ? await feed.findRun(Number(id)) : null
    return run === null ? c.notFound() : c.html(<ImportPage view={c.var.view} run={run} />)
  })
}

type Texts = View["texts"]["imports"]

/** With the priority of their columns. */
const listedCounts = [
  ["accepted"],
  ["rejected"],
  ["waiting", 2],
  ["adjusted", 3],
  ["removed", 3],
] as const
const countNames = [...listedCounts.map(([name]) => name), "revoked", "restored"] as const

export function runColumns(view: View): readonly Column<ImportRun>[] {
  const { imports } = view.texts
  return [
    {
      head: imports.source,
      isWide: true,
      value: ({ source }) => source,
      cell: ({ source }) => <bdi>{displayName(source, "-")}</bdi>,
    },
    { head: imports.started, kind: "time", value: ({ startedAt }) => startedAt },
    stateColumn<ImportRun>(view.texts.columns.state, (run) => stateOf(imports, run)),
    ...listedCounts.map(
      ([name, priority]): Column<ImportRun> => ({
        head: imports[name],
        kind: "number",
        ...(priority !== undefined && { priority }),
        value: ({ outcome }) => outcome?.counts[name] ?? null,
      }),
    ),
  ]
}

function stateOf(
  texts: Texts,
  { finishedAt, problem, outcome }: ImportRun,
): readonly [tone: Tone, text: string] {
  if (finishedAt === null) return ["warning", texts.notFinished]
  if (problem !== null) return ["danger", texts.failed]
  const rejected = outcome?.counts.rejected ?? 0
  const warning =
    (outcome?.removalProblem && texts.nothingRemoved) ??
    (rejected > 0 ? texts.linesRejected(rejected) : null) ??
    (warningsOf(outcome?.remarks ?? {}).length > 0 ? texts.withWarnings : null)
  return warning ? ["warning", warning] : ["good", texts.succeeded]
}

const pendingColumns = (imports: Texts): readonly Column<PendingGroup>[] => [
  {
    head: imports.missing,
    isWide: true,
    value: ({ type, identity }) => `${imports.records[type]} ${identity}`,
  },
  {
    head: imports.waiting,
    kind: "number",
    value: ({ type, records }) => imports.pendingRecords(type, records),
  },
  {
    head: imports.pendingSince,
    kind: "time",
    value: ({ sinceMs }) => formatTimestamp(new Date(sinceMs)),
  },
]

function syncColumns(view: View, now: Date): readonly Column<Pull>[] {
  const { columns, imports, problems } = view.texts
  return [
    { head: imports.ways.pull, value: ({ name }) => name },
    {
      head: imports.interval,
      priority: 3,
      value: ({ everySeconds }) =>
        everySeconds === null ? imports.manual : formatInterval(everySeconds, view.locale),
    },
    { head: imports.lastSuccess, kind: "time", value: ({ lastSuccessAt }) => lastSuccessAt },
    {
      head: columns.state,
      isWide: true,
      value: ({ problem }) => (problem === null ? "" : describe(problems, problem)),
      cell(sync) {
        const { problem } = sync
        const isLate = isOverdue(sync, now.getTime())
        const isSuccess = problem === null && sync.lastSuccessAt === sync.lastReadAt
        return (
          <>
            <Pill tone={isLate ? "danger" : isSuccess ? "good" : "warning"}>
              {isLate ? imports.overdue : isSuccess ? imports.succeeded : imports.failed}
            </Pill>{" "}
            {problem !== null && <ProblemMessage view={view} message={problem} />}
          </>
        )
      },
    },
  ]
}

const intervalUnits = { hour: 3_600, minute: 60, second: 1 } as const

/** In the largest unit of which it is a multiple. */
function formatInterval(everySeconds: number, locale: Locale): string {
  const units = Object.entries(intervalUnits)
  const [unit = "second", seconds = 1] = units.find(([, each]) => everySeconds % each === 0) ?? []
  const format = { style: "unit", unit, unitDisplay: "long" } as const
  return (everySeconds / seconds).toLocaleString(locale, format)
}

export const ImportPage = ({ view, run }: Readonly<{ view: View; run: ImportRun }>) => {
  const { imports } = view.texts
  const { outcome, problem } = run
  const command = commandOf(run)
  const [tone, state] = stateOf(imports, run)
  const { removalProblem = null, remarks = {}, isApplied = true } = outcome ?? {}
  const saved = isApplied ? imports.restNotSaved : imports.nothingSaved
  const failures = [
    [outcome === null ? imports.notReadToEnd : saved, problem],
    [`${imports.nothingRemoved}:`, removalProblem],
  ] as const
  const warnings = warningsOf(remarks).map((warning) => ["", warning] as const)
  return (
    <ConsolePage view={view} title={imports.runTitle(run.id)}>
      {[...failures, ...warnings].map(
        ([what, why]) =>
          why && (
            <p class={`notice ${problem === null ? "warning" : "danger"}`}>
              {what} <ProblemMessage view={view} message={why} />
            </p>
          ),
      )}
      <section class="panel">
        <dl class="facts">
          <Fact name={imports.source}>
            {imports.ways[run.via]}, <bdi class="mono">{displayName(run.source, "-")}</bdi>
          </Fact>
          <Fact name={view.texts.columns.state}>
            <Pill tone={tone}>{state}</Pill>
          </Fact>
          <Fact name={imports.started} value={<RelativeTime view={view} at={run.startedAt} />} />
          {run.finishedAt !== null && (
            <Fact name={imports.finished}>
              <RelativeTime view={view} at={run.finishedAt} />
            </Fact>
          )}
          <Fact name={imports.lines} value={run.line.toLocaleString(view.locale)} />
          {outcome !== null &&
            countNames.map((name) => (
              <Fact name={imports[name]} value={outcome.counts[name].toLocaleString(view.locale)} />
            ))}
        </dl>
      </section>
      <Problems view={view} run={run} />
      {command !== null && (
        <Panel id="again-title" title={imports.again}>
          <p>
            <Copyable view={view} text={command} />
          </p>
        </Panel>
      )}
    </ConsolePage>
  )
}

const Problems = ({ view, run: { outcome } }: Readonly<{ view: View; run: ImportRun }>) => {
  const { groups, otherKinds, otherProblems } = (outcome ?? emptyOutcome).rejections
  if (groups.length === 0) return null
  const { imports } = view.texts
  return (
    <Panel id="problems-title" title={imports.problemsTitle}>
      <p>{imports.advice}</p>
      <ul class="plain-list">
        {groups.map((group) => (
          <ProblemGroup view={view} group={group} />
        ))}
      </ul>
      {otherProblems > 0 && <p class="hint">{imports.others(otherKinds, otherProblems)}</p>}
    </Panel>
  )
}

const ProblemGroup = ({ view, group }: Readonly<{ view: View; group: RejectionGroup }>) => {
  const { imports } = view.texts
  const names: Readonly<Record<string, string>> = imports.records
  const { type, field, lines, samples } = group
  return (
    <li>
      <strong>{imports.linesOf(lines)}</strong>{" "}
      {type !== null && ((Object.hasOwn(names, type) && names[type]) || type)}{" "}
      <code>
        <bdi>{field}</bdi>
      </code>{" "}
      <ProblemMessage view={view} message={group} />
      <div class="hint">
        {samples.map(({ line, identity }, at) => (
          <>
            {at > 0 && " · "}
            {imports.line(line)}{" "}
            {identity !== null && <bdi class="mono">{displayName(identity, "–", 60)}</bdi>}
          </>
        ))}
      </div>
    </li>
  )
}

/** The command that imports the same data with every rejected line in a file, or with the limit that stopped it. */
export function commandOf({ via, source, outcome, problem }: ImportRun): string | null {
  const stopped = problem ?? outcome?.removalProblem
  const { option, needed } = stopped?.params ?? {}
  const rejected = outcome?.counts.rejected ?? 0
  if (via === "push" || (rejected === 0 && option === undefined)) return null
  const options = [
    ...(outcome?.removalProblem ? ["--full"] : []),
    ...(rejected > 0 ? ["--report rejected.ndjson"] : []),
    ...(option === undefined ? [] : [`${option} ${needed ?? "N"}`]),
  ]
  const target = source === "-" ? "FILE" : quote(source)
  return [via === "pull" ? "pazar pull" : "pazar import", target, ...options].join(" ")
}

/** For a shell. A name that begins with a dash is not an option. */
const quote = (text: string) => {
  const path = text.replace(/^-/, "./-")
  return /^[\w./:@%+=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

const isTimestamp = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)

/** Commands between backticks are code, and times are in the language of the reader. Errors of systems and databases are in English. */
export const ProblemMessage = ({ view, message }: Readonly<{ view: View; message: Message }>) => {
  const params = Object.entries(message.params).map(([name, value]) => [
    name,
    isTimestamp(value) ? formatDateTime(value, view.locale) : value,
  ])
  const text = describe(view.texts.problems, { ...message, params: Object.fromEntries(params) })
  const shown = text
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))
  return message.code === "other" ? <span lang="en">{shown}</span> : shown
}
