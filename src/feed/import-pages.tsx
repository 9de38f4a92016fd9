import { paths } from "../access/paths.ts"
import { currentView, Page, type PageApp } from "../platform/pages/context.ts"
import {
  type Column,
  column,
  DataTable,
  stateColumn,
  type Tone,
} from "../platform/pages/data-table.tsx"
import {
  Copyable,
  displayName,
  Fact,
  formatDateTime,
  Panel,
  Pill,
  RelativeTime,
} from "../platform/pages/elements.tsx"
import { addList, cutPage, FilterSelect, type OpenList } from "../platform/pages/list.tsx"
import { type Message, translate } from "../platform/problem.ts"
import { currentLocale, type PlainKey, t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import type { PendingGroup } from "./feed-record.ts"
import {
  emptyOutcome,
  type FeedStore,
  type ImportRun,
  isOverdue,
  listWarnings,
  type Pull,
  type PullStore,
} from "./import-run.ts"
import type { RejectionGroup } from "./rejections.ts"

const needsShown = 6
const importWays = ["file", "pull", "push"] as const

export type ImportPageServices = Readonly<{ feed: FeedStore; pulls: PullStore; now: () => Date }>

export function addImportPages(app: PageApp, services: ImportPageServices): void {
  const { feed } = services
  addList<ImportRun, "via">(app, {
    path: paths.imports,
    file: "imports",
    filterNames: ["via"],
    open: (_, { filters }) => openImports(services, filters.via),
  })

  app.get(`${paths.imports}/:id`, async (c) => {
    const id = c.req.param("id")
    const run = /^[1-9]\d{0,8}$/.test(id) ? await feed.findRun(Number(id)) : null
    return run === null ? c.notFound() : c.html(<ImportPage run={run} />)
  })
}

async function openImports(
  { feed, pulls, now }: ImportPageServices,
  chosen: string,
): Promise<OpenList<ImportRun>> {
  const via = importWays.find((each) => each === chosen) ?? null
  const syncs = await pulls.list()
  const pending = (await feed.readPending(needsShown)).groups
  return {
    columns: runColumns(),
    async read(after, rowsMax) {
      const before = /^[1-9]\d{0,8}$/.test(after ?? "") ? Number(after) : null
      const runs = await feed.listRuns(rowsMax + 1, via, before)
      return cutPage(runs, rowsMax, ({ id }) => String(id))
    },
    filters: (
      <FilterSelect
        name="via"
        label={t("Source")}
        every={t("All sources")}
        options={importWays.map((each) => [each, t(importWayTexts[each])])}
        chosen={chosen}
      />
    ),
    linkOf: ({ id }) => paths.importRun(id),
    empty: t("No imports yet. Run “pazar import FILE” on the server."),
    page: (list) => (
      <Page title={t("Data")}>
        {pending.length > 0 && (
          <Panel id="pending-title" title={t("Pending records")}>
            <p>
              {t(
                "These records were sent, but not what they refer to. Import the missing records; until then the codes are unknown.",
              )}
            </p>
            <DataTable columns={pendingColumns()} rows={pending} />
          </Panel>
        )}
        {syncs.length > 0 && (
          <Panel id="syncs-title" title={t("Database syncs")}>
            <DataTable columns={syncColumns(now())} rows={syncs} />
          </Panel>
        )}
        <h2>{t("Imports")}</h2>
        {list}
      </Page>
    ),
  }
}

const pendingColumns = (): readonly Column<PendingGroup>[] => [
  column(t("Missing"), ({ type, identity }) => `${t(recordTexts[type])} ${identity}`, {
    isWide: true,
  }),
  column(
    t("Pending # count"),
    ({ type, records: n }) =>
      type === "account" ? t("{n item|items}", { n }) : t("{n purchase|purchases}", { n }),
    { kind: "number" },
  ),
  column(t("Since"), ({ sinceMs }) => formatTimestamp(new Date(sinceMs)), { kind: "time" }),
]

const countNames = [
  ...(["accepted", "rejected", "waiting", "adjusted", "removed", "revoked", "restored"] as const),
]

export const runColumns = (): readonly Column<ImportRun>[] => {
  const countColumn = (name: keyof typeof importCountTexts, priority?: 2 | 3) =>
    column<ImportRun>(t(importCountTexts[name]), ({ outcome }) => outcome?.counts[name] ?? null, {
      kind: "number",
      ...(priority && { priority }),
    })
  return [
    column(t("Source"), ({ source }) => source, {
      isWide: true,
      cell: ({ source }) => <bdi>{displayName(source, "-")}</bdi>,
    }),
    column(t("Started"), ({ startedAt }) => startedAt, { kind: "time" }),
    stateColumn(t("Status"), readState),
    countColumn("accepted"),
    countColumn("rejected"),
    countColumn("waiting", 2),
    countColumn("adjusted", 3),
    countColumn("removed", 3),
  ]
}

function readState({
  finishedAt,
  problem,
  outcome,
}: ImportRun): readonly [tone: Tone, text: string] {
  if (finishedAt === null) return ["warning", t("Interrupted or running")]
  if (problem !== null) return ["danger", t("Failed")]
  const rejected = outcome?.counts.rejected ?? 0
  const warning =
    (outcome?.removalProblem && t("Nothing removed")) ??
    (rejected > 0 ? t("{n line|lines} rejected", { n: rejected }) : null) ??
    (listWarnings(outcome?.remarks ?? {}).length > 0 ? t("Warnings") : null)
  return warning ? ["warning", warning] : ["good", t("Succeeded")]
}

function syncColumns(now: Date): readonly Column<Pull>[] {
  return [
    column(t("Database sync"), ({ name }) => name),
    column(
      t("Interval"),
      ({ everySeconds }) => (everySeconds === null ? t("manual") : formatInterval(everySeconds)),
      { priority: 3 },
    ),
    column(t("Last success"), ({ lastSuccessAt }) => lastSuccessAt, { kind: "time" }),
    column(t("Status"), ({ problem }) => (problem === null ? "" : translate(problem)), {
      isWide: true,
      cell(sync) {
        const { problem } = sync
        const isLate = isOverdue(sync, now.getTime())
        const isSuccess = problem === null && sync.lastSuccessAt === sync.lastReadAt
        return (
          <>
            <Pill tone={isLate ? "danger" : isSuccess ? "good" : "warning"}>
              {isLate ? t("Overdue") : isSuccess ? t("Succeeded") : t("Failed")}
            </Pill>{" "}
            {problem !== null && <ProblemMessage message={problem} />}
          </>
        )
      },
    }),
  ]
}

const intervalUnits = { hour: 3_600, minute: 60, second: 1 } as const

/** In the largest unit of which it is a multiple. */
function formatInterval(everySeconds: number): string {
  const units = Object.entries(intervalUnits)
  const [unit = "second", seconds = 1] = units.find(([, each]) => everySeconds % each === 0) ?? []
  const format = { style: "unit", unit, unitDisplay: "long" } as const
  return (everySeconds / seconds).toLocaleString(currentLocale(), format)
}

const ImportPage = ({ run }: Readonly<{ run: ImportRun }>) => {
  const view = currentView()
  const { outcome, problem } = run
  const command = findCommand(run)
  const [tone, state] = readState(run)
  const { removalProblem = null, remarks = {}, isApplied = true } = outcome ?? {}
  const saved = isApplied
    ? t("No deletion or revocation was saved. Other changes were saved:")
    : t("Nothing was saved:")
  const failures = [
    [outcome === null ? t("The input could not be read completely:") : saved, problem],
    [`${t("Nothing removed")}:`, removalProblem],
  ] as const
  const warnings = listWarnings(remarks).map((warning) => ["", warning] as const)
  return (
    <Page title={nameOfRun(run.id)}>
      {[...failures, ...warnings].map(
        ([what, why]) =>
          why && (
            <p class={`notice ${problem === null ? "warning" : "danger"}`}>
              {what} <ProblemMessage message={why} />
            </p>
          ),
      )}
      <section class="panel">
        <dl class="facts">
          <Fact name={t("Source")}>
            {t(importWayTexts[run.via])}, <bdi class="mono">{displayName(run.source, "-")}</bdi>
          </Fact>
          <Fact name={t("Status")}>
            <Pill tone={tone}>{state}</Pill>
          </Fact>
          <Fact name={t("Started")} value={<RelativeTime at={run.startedAt} />} />
          {run.finishedAt !== null && (
            <Fact name={t("Finished")}>
              <RelativeTime at={run.finishedAt} />
            </Fact>
          )}
          <Fact name={t("Lines read")} value={run.line.toLocaleString(view.locale)} />
          {outcome !== null &&
            countNames.map((name) => (
              <Fact
                name={t(importCountTexts[name])}
                value={outcome.counts[name].toLocaleString(view.locale)}
              />
            ))}
        </dl>
      </section>
      <Problems run={run} />
      {command !== null && (
        <Panel id="again-title" title={t("Import again")}>
          <p>
            <Copyable text={command} />
          </p>
        </Panel>
      )}
    </Page>
  )
}

const Problems = ({ run: { outcome } }: Readonly<{ run: ImportRun }>) => {
  const { groups, otherKinds, otherProblems } = (outcome ?? emptyOutcome).rejections
  if (groups.length === 0) return null
  return (
    <Panel id="problems-title" title={t("Rejected lines")}>
      <p>{t("Correct these fields at the source and import again. Accepted lines are kept.")}</p>
      <ul class="plain-list">
        {groups.map((group) => (
          <ProblemGroup group={group} />
        ))}
      </ul>
      {otherProblems > 0 && (
        <p class="hint">
          {t("{kinds more kind|more kinds} of problems, {problems line|lines}.", {
            kinds: otherKinds,
            problems: otherProblems,
          })}
        </p>
      )}
    </Panel>
  )
}

const ProblemGroup = ({ group }: Readonly<{ group: RejectionGroup }>) => {
  const { type, field, lines, samples } = group
  const name = new Map<string | null, PlainKey>(Object.entries(recordTexts)).get(type)
  return (
    <li>
      <strong>{t("{n line:|lines:}", { n: lines })}</strong>{" "}
      {type !== null && (name === undefined ? type : t(name))}{" "}
      <code>
        <bdi>{field}</bdi>
      </code>{" "}
      <ProblemMessage message={group} />
      <div class="hint">
        {samples.map(({ line, identity }, at) => (
          <>
            {at > 0 && " · "}
            {t("line {line}", { line })}{" "}
            {identity !== null && <bdi class="mono">{displayName(identity, "–", 60)}</bdi>}
          </>
        ))}
      </div>
    </li>
  )
}

/** The command that imports the same data with every rejected line in a file, or with the limit that stopped it. */
function findCommand({ via, source, outcome, problem }: ImportRun): string | null {
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
export const ProblemMessage = ({ message }: Readonly<{ message: Message }>) => {
  const params = Object.entries(message.params).map(([name, value]) => [
    name,
    isTimestamp(value) ? formatDateTime(value) : value,
  ])
  const text = translate({ ...message, params: Object.fromEntries(params) })
  const shown = text
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))
  return message.code === "other" ? <span lang="en">{shown}</span> : shown
}

const importWayTexts = { file: "File", pull: "Database sync", push: "API push" } as const

const importCountTexts = {
  accepted: "Accepted",
  adjusted: "Normalized",
  waiting: "Pending # count",
  rejected: "Rejected",
  removed: "Removed",
  revoked: "Revoked # count",
  restored: "Restored",
} as const

const recordTexts = {
  account: "author",
  item: "item",
  purchase: "purchase",
  key: "key",
  password: "password",
} as const

export const nameOfRun = (id: number) => t("Import {id}", { id: String(id) })
