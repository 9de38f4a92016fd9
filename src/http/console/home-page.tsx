import type { Child } from "hono/jsx"
import type { BusyAuthor } from "../../domain/usage/operator-reads.ts"
import { callsOf, errorsOf, noCalls, type OutcomeCalls } from "../../domain/usage/outcome.ts"
import type { Locale } from "../../domain/values/locale.ts"
import { describe } from "../../domain/values/problems/problem.ts"
import { CopyButton } from "../pages/components/copy-button.tsx"
import { type Column, DataTable } from "../pages/components/data-table.tsx"
import { Fact, Pill, RelativeTime } from "../pages/components/formatted-values.tsx"
import { Panel, QuietLink } from "../pages/components/panels-and-tables.tsx"
import { AuditTable } from "./audit-page.tsx"
import { ProblemMessage, runColumns } from "./imports-page.tsx"
import { type ConsoleApp, type ConsoleView, viewWithNotice } from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleHome, ConsoleServices, Warning } from "./layout/console-services.ts"

export function addHomeRoutes(app: ConsoleApp, { readHome }: ConsoleServices): void {
  app.get(paths.home, async (c) =>
    c.html(<HomePage view={viewWithNotice(c)} home={await readHome()} />),
  )
}

type Props = Readonly<{ view: ConsoleView; home: ConsoleHome }>

const HomePage = ({ view, home }: Props) => {
  const { home: texts, imports, audit } = view.texts
  return (
    <ConsolePage view={view} title={view.texts.navigation.home}>
      <Attention view={view} home={home} />
      <Tiles view={view} home={home} />
      <div class="pair">
        <Panel id="busiest-title" title={texts.busiest}>
          <Rows rows={home.busiest} empty={texts.noRequests}>
            <DataTable
              view={view}
              rows={home.busiest}
              columns={busyColumns(view)}
              linkOf={({ accountId }) => paths.author(accountId)}
            />
          </Rows>
        </Panel>
        <Panel id="imports-title" title={texts.latestImports}>
          <Rows rows={home.runs} empty={imports.none}>
            <DataTable
              view={view}
              rows={home.runs}
              columns={runColumns(view).slice(0, 3)}
              linkOf={({ id }) => paths.importRun(id)}
            />
          </Rows>
        </Panel>
      </div>
      <Panel id="changes-title" title={texts.latestChanges}>
        <Rows rows={home.events} empty={audit.none}>
          <AuditTable view={view} events={home.events} />
        </Rows>
      </Panel>
      <Machine view={view} home={home} />
    </ConsolePage>
  )
}

type RowsProps = Readonly<{ rows: readonly unknown[]; empty: string; children?: Child }>

const Rows = ({ rows, empty, children }: RowsProps) =>
  rows.length === 0 ? <p class="hint">{empty}</p> : <>{children}</>

const busyColumns = ({ texts }: ConsoleView): readonly Column<BusyAuthor>[] => [
  { head: texts.authors.author, isWide: true, value: ({ username }) => username },
  { head: texts.columns.requests, kind: "number", value: ({ calls }) => calls },
]

const Attention = ({ view, home: { warnings, isWritable } }: Props) => {
  const { home: texts, overview } = view.texts
  if (warnings.length === 0 && isWritable) return <p class="notice good">{texts.noWarnings}</p>
  return (
    <Panel id="attention-title" title={overview.attention}>
      <ul class="plain-list tasks">
        {!isWritable && <li>{texts.notWritable}</li>}
        {warnings.map((warning) => (
          <WarningItem view={view} warning={warning} />
        ))}
      </ul>
    </Panel>
  )
}

type WarningProps = Readonly<{ view: ConsoleView; warning: Warning }>

/** What is wrong, what to do, and one button. */
const WarningItem = ({ view, warning }: WarningProps) => {
  const { check, level, detail, messages } = warning
  const { home: texts, problems } = view.texts
  const checks: Readonly<Record<string, string>> = texts.checks
  const hint = messages?.hint ?? null
  const text = hint === null ? "" : describe(problems, hint)
  const [, command = null] = /`([^`]+)`/.exec(text) ?? []
  const page = pageOf(view, warning, `${detail} ${text}`)
  return (
    <li>
      <div>
        <Pill tone={level === "problem" ? "danger" : "warning"}>{checks[check] ?? check}</Pill>{" "}
        {messages === undefined ? detail : <ProblemMessage view={view} message={messages.detail} />}
        {messages?.why && [": ", <ProblemMessage view={view} message={messages.why} />]}
        {hint !== null && (
          <div class="hint">
            <ProblemMessage view={view} message={hint} />
          </div>
        )}
      </div>
      {page === null && command !== null ? (
        <CopyButton view={view} text={command} />
      ) : (
        <QuietLink href={page?.[0] ?? "#machine"}>{page?.[1] ?? texts.machine}</QuietLink>
      )}
    </li>
  )
}

/** The page of the subject, or of the settings that the texts name. Null if there is none. */
function pageOf(
  { texts }: ConsoleView,
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

const Tiles = ({ view, home: { days, latencySecondsP99 } }: Props) => {
  const texts = view.texts.home
  const [before = noCalls, today = noCalls] = days
  const format = (value: number, options = {}) =>
    value.toLocaleString(view.locale, { maximumFractionDigits: 1, ...options })
  const rateOf = (calls: OutcomeCalls) =>
    callsOf(calls) === 0 ? "–" : format(calls.ok / callsOf(calls), { style: "percent" })
  const tiles = [
    [texts.requests, format(callsOf(today)), texts.yesterday(format(callsOf(before)))],
    [texts.successRate, rateOf(today), texts.yesterday(rateOf(before))],
    [
      texts.errors,
      format(errorsOf(today)),
      texts.errorsNote(format(today.serverErrors), format(errorsOf(before))),
    ],
    [
      texts.latency,
      latencySecondsP99 === null ? "–" : `${format(latencySecondsP99 * 1000)} ms`,
      texts.latencyNote,
    ],
  ] as const
  return (
    <dl class="figures">
      {tiles.map(([label, value, note], at) => (
        <div>
          <dt>{label}</dt>
          <dd class="figure">{at === 3 ? value : <a href={paths.traffic}>{value}</a>}</dd>
          <dd class="hint">{note}</dd>
        </div>
      ))}
    </dl>
  )
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
          {lastBackup?.bytes != null && ` · ${formatBytes(lastBackup.bytes, view.locale)}`}
        </Fact>
      </dl>
      <h3>{texts.nodes}</h3>
      <Rows rows={nodes} empty={texts.noNodes}>
        <DataTable
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
      </Rows>
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
