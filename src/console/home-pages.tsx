import { AuditTable } from "../access/audit-pages.tsx"
import { paths } from "../access/paths.ts"
import { ProblemMessage, runColumns } from "../feed/import-pages.tsx"
import type { Locale } from "../platform/locale.ts"
import type { PageApp, View } from "../platform/pages/context.ts"
import { type Column, DataTable } from "../platform/pages/data-table.tsx"
import {
  CopyButton,
  Fact,
  Panel,
  Pill,
  QuietLink,
  RelativeTime,
  Tiles,
} from "../platform/pages/elements.tsx"
import { describe } from "../platform/problem.ts"
import { type BusyAuthor, callsOf, errorsOf, noCalls, type OutcomeCalls } from "../usage/usage.ts"
import { ConsolePage } from "./frame.tsx"
import type { ConsoleHome, ConsoleServices, Warning } from "./services.ts"

export function addHomeRoutes(app: PageApp, { readHome }: ConsoleServices): void {
  app.get(paths.home, async (c) => c.html(<HomePage view={c.var.view} home={await readHome()} />))
}

type Props = Readonly<{ view: View; home: ConsoleHome }>

const HomePage = ({ view, home }: Props) => {
  const { home: texts, imports } = view.texts
  return (
    <ConsolePage view={view} title={view.texts.navigation.home}>
      <TodayTiles view={view} home={home} />
      <Attention view={view} home={home} />
      <div class="pair">
        <Panel id="busiest-title" title={texts.busiest}>
          <DataTable
            empty={texts.noRequests}
            view={view}
            rows={home.busiest}
            columns={busyColumns(view)}
            linkOf={({ accountId }) => paths.author(accountId)}
          />
        </Panel>
        <Panel id="imports-title" title={texts.latestImports}>
          <DataTable
            empty={imports.none}
            view={view}
            rows={home.runs}
            columns={runColumns(view).slice(0, 3)}
            linkOf={({ id }) => paths.importRun(id)}
          />
        </Panel>
      </div>
      <Panel id="changes-title" title={texts.latestChanges}>
        <AuditTable view={view} events={home.events} />
      </Panel>
      <Machine view={view} home={home} />
    </ConsolePage>
  )
}

const busyColumns = ({ texts }: View): readonly Column<BusyAuthor>[] => [
  { head: texts.authors.author, isWide: true, value: ({ username }) => username },
  { head: texts.columns.requests, kind: "number", value: ({ calls }) => calls },
]

const tasksShown = 3

/** Warnings in groups with the same advice. */
const Attention = ({ view, home: { warnings, isWritable } }: Props) => {
  const { home: texts, overview } = view.texts
  const notWritable = { check: "writes", level: "problem", detail: texts.notWritable } as const
  const all: readonly Warning[] = isWritable ? warnings : [notWritable, ...warnings]
  if (all.length === 0) return <p class="notice good">{texts.noWarnings}</p>
  const groups = Map.groupBy(all, ({ check, messages }) => `${check} ${messages?.hint?.code}`)
  const tasks = [...groups.values()].flatMap((group) => {
    const advice = adviceFor(view, group)
    return group.slice(0, tasksShown).map((warning) => ({ ...warning, advice }))
  })
  const columns: readonly Column<Warning>[] = [
    {
      head: texts.problem,
      isWide: true,
      value: ({ detail }) => detail,
      cell: ({ detail, messages }) => (
        <>
          {messages ? <ProblemMessage view={view} message={messages.detail} /> : detail}
          {messages?.why && [": ", <ProblemMessage view={view} message={messages.why} />]}
        </>
      ),
    },
    {
      head: texts.solve,
      value: () => null,
      cell: (warning) => <WarningButton view={view} warning={warning} />,
    },
  ]
  return (
    <section class="panel tasks" aria-labelledby="attention-title">
      <h2 id="attention-title">{overview.attention}</h2>
      <DataTable view={view} rows={tasks} columns={columns} groupOf={({ advice }) => advice} />
    </section>
  )
}

/** The subject of similar warnings and what to do. */
function adviceFor(view: View, warnings: readonly Warning[]) {
  const { home: texts } = view.texts
  const names: Readonly<Record<string, string>> = texts.checks
  const [{ check = "", about = undefined, messages = undefined } = {}] = warnings
  const isProblem = warnings.some(({ level }) => level === "problem")
  return (
    <>
      <Pill tone={isProblem ? "danger" : "warning"}>{names[check] ?? check}</Pill>{" "}
      <span class="hint">
        {about?.kind === "import"
          ? texts.importAgain
          : messages?.hint && <ProblemMessage view={view} message={messages.hint} />}{" "}
        {warnings.length > tasksShown && (
          // Only imports and webhooks are that many.
          <a href={check === "webhooks" ? paths.webhooks : paths.imports}>
            {texts.moreTasks(warnings.length - tasksShown)}
          </a>
        )}
      </span>
    </>
  )
}

/** Leads to the subject, or copies the command that the advice names. */
const WarningButton = ({ view, warning }: Readonly<{ view: View; warning: Warning }>) => {
  const { detail, messages } = warning
  const hint = messages?.hint ? describe(view.texts.problems, messages.hint) : ""
  const page = pageOf(view, warning, `${detail} ${hint}`)
  const [, command = null] = /`([^`]+)`/.exec(hint) ?? []
  if (page === null && command !== null) return <CopyButton view={view} text={command} />
  return (
    <QuietLink href={page?.[0] ?? "#machine"}>{page?.[1] ?? view.texts.home.machine}</QuietLink>
  )
}

/** The page of the subject, or of the settings that the texts name. Null if there is none. */
function pageOf(
  { texts }: View,
  { check, about }: Warning,
  text: string,
): readonly [path: string, name: string] | null {
  const { authors, imports, navigation, webhooks } = texts
  if (about?.kind === "import") return [paths.importRun(about.id), imports.runTitle(about.id)]
  if (about?.kind === "author") return [paths.author(about.id), authors.author]
  if (about?.kind === "webhook") return [`${paths.webhooks}/${about.id}`, webhooks.title]
  if (check === "pulls" || check === "waiting") return [paths.imports, navigation.data]
  const isSetting = /\b(PAZAR|DATABASE)_/.test(text) && !text.includes("`")
  return isSetting ? [paths.settings, navigation.settings] : null
}

const TodayTiles = ({ view, home }: Props) => {
  const texts = view.texts.home
  const { days, latencySecondsP99 } = home
  const [before = noCalls, today = noCalls] = days
  const day = days.at(-1)?.day ?? ""
  const format = (value: number, options = {}) =>
    value.toLocaleString(view.locale, { maximumFractionDigits: 1, ...options })
  const rateOf = (calls: OutcomeCalls) =>
    callsOf(calls) === 0 ? "–" : format(calls.ok / callsOf(calls), { style: "percent" })
  const path = paths.trafficOn(day)
  const tiles = [
    {
      label: texts.requests,
      value: format(callsOf(today)),
      note: texts.yesterday(format(callsOf(before))),
      path,
    },
    { label: texts.successRate, value: rateOf(today), note: texts.yesterday(rateOf(before)), path },
    {
      label: texts.errors,
      value: format(errorsOf(today)),
      note: texts.errorsNote(format(today.serverErrors), format(errorsOf(before))),
      path: paths.trafficOn(day, "errors"),
    },
    {
      label: texts.latency,
      value: latencySecondsP99 === null ? "–" : `${format(latencySecondsP99 * 1000)} ms`,
      note: texts.latencyNote,
    },
  ]
  return <Tiles tiles={tiles} />
}

const storeKinds = { sqlite: "SQLite", postgres: "PostgreSQL" } as const

const Machine = ({ view, home }: Props) => {
  const { columns, home: texts } = view.texts
  const { store, disk, lastBackup, nodes, isReady } = home
  return (
    <details class="fold">
      <summary>
        <h2>{texts.machine}</h2>
      </summary>
      <dl class="facts" id="machine">
        <Fact name={texts.readiness}>
          <Pill tone={isReady ? "good" : "danger"}>{isReady ? texts.ready : texts.notReady}</Pill>
        </Fact>
        <Fact name={columns.version} value={home.version} />
        <Fact name={texts.store}>
          {storeKinds[store.kind]}, <span class="mono">{store.location}</span>
        </Fact>
        <Fact name={texts.schema} value={store.schema} />
        {disk !== null && (
          <Fact
            name={texts.disk}
            value={texts.diskFree(
              formatBytes(disk.freeBytes, view.locale),
              formatBytes(disk.storeBytes, view.locale),
            )}
          />
        )}
        <Fact name={texts.lastBackup}>
          {disk === null ? (
            texts.postgresBackup
          ) : (
            <RelativeTime view={view} at={lastBackup?.at ?? null} />
          )}
          {lastBackup !== null && ` · ${formatBytes(lastBackup.bytes, view.locale)}`}
        </Fact>
      </dl>
      <h3>{texts.nodes}</h3>
      <DataTable
        empty={texts.noNodes}
        view={view}
        rows={nodes}
        columns={[
          { head: texts.host, value: ({ host }) => host },
          { head: columns.url, kind: "code", isWide: true, value: ({ url }) => url },
          { head: columns.version, value: ({ version }) => version },
          { head: texts.threads, kind: "number", value: ({ threads }) => threads },
          { head: texts.since, kind: "time", value: ({ startedAt }) => startedAt },
        ]}
      />
    </details>
  )
}

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const

/** `1.5 GB`, in powers of 1,000 as disks are sold. */
function formatBytes(bytes: number, locale: Locale): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return (bytes / 1000 ** power).toLocaleString(locale, {
    style: "unit",
    unit: units[power],
    maximumFractionDigits: 1,
  })
}
