import type { ImportRun } from "../../domain/feed/import-run.ts"
import type { PendingSummary } from "../../domain/feed/pending-record.ts"
import type { Locale } from "../../domain/values/locale.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { Fact, Pill, RelativeTime } from "../pages/components/formatted-values.tsx"
import { Panel, Table, TableSection } from "../pages/components/panels-and-tables.tsx"
import { ProblemMessage } from "./imports-page.tsx"
import { type ConsoleApp, type ConsoleView, viewWithNotice } from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleHome, ConsoleServices } from "./layout/console-services.ts"

export function addStatusRoutes(app: ConsoleApp, { readHome }: ConsoleServices): void {
  app.get(paths.home, async (c) =>
    c.html(<StatusPage view={viewWithNotice(c)} status={await readHome()} />),
  )
}

type Props = Readonly<{ view: ConsoleView; status: ConsoleHome }>

const storeKinds = { sqlite: "SQLite", postgres: "PostgreSQL" } as const

const StatusPage = ({ view, status }: Props) => {
  const texts = view.texts.status
  return (
    <ConsolePage view={view} title={texts.title}>
      {!status.isWritable && <p class="notice danger">{texts.notWritable}</p>}
      <Warnings view={view} status={status} />
      <section class="panel">
        <dl class="facts">
          <Fact name={texts.readiness}>
            <Pill tone={status.isReady ? "good" : "danger"}>
              {status.isReady ? texts.ready : texts.notReady}
            </Pill>
          </Fact>
          <Fact name={view.texts.columns.version} value={status.version} />
          <Fact name={texts.store}>
            {storeKinds[status.store.kind]}, <span class="mono">{status.store.location}</span>
          </Fact>
          <Fact name={texts.schema} value={status.store.schema} />
          <StorageFacts view={view} status={status} />
          <Fact name={texts.lastImport}>
            {status.runs.slice(0, 1).map((run) => (
              <LastImport view={view} run={run} />
            ))}
            {status.runs.length === 0 && view.texts.imports.none}
          </Fact>
          <Fact
            name={view.texts.imports.pendingTitle}
            value={<PendingRecords view={view} pending={status.pending} />}
          />
        </dl>
      </section>
      {status.pulls.length > 0 && <Pulls view={view} status={status} />}
      <Nodes view={view} status={status} />
    </ConsolePage>
  )
}

const Warnings = ({ view, status: { warnings, isWritable } }: Props) => {
  const texts = view.texts.status
  const checks: Readonly<Record<string, string>> = texts.checks
  if (warnings.length === 0) {
    return isWritable ? <p class="notice good">{texts.noWarnings}</p> : null
  }
  return (
    <Panel id="warnings-title" title={texts.warnings}>
      {/* For a moved database, `pazar doctor` reports only the move. */}
      {isWritable && <p class="hint">{texts.warningsHint}</p>}
      <ul class="plain-list">
        {warnings.map(({ check, level, detail, messages, about }) => (
          <li>
            <Pill tone={level === "problem" ? "danger" : "warning"}>{texts.levels[level]}</Pill>{" "}
            {checks[check] ?? check}:{" "}
            {messages === undefined ? (
              detail
            ) : (
              <ProblemMessage view={view} message={messages.detail} />
            )}
            {messages?.why && (
              <>
                : <ProblemMessage view={view} message={messages.why} />
              </>
            )}
            .{" "}
            {about?.kind === "import" ? (
              <a href={paths.importRun(about.id)}>{view.texts.imports.whyOf(about.id)}</a>
            ) : (
              messages?.hint && <ProblemMessage view={view} message={messages.hint} />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const StorageFacts = ({ view, status }: Props) => {
  const texts = view.texts.status
  const { disk } = status
  if (disk === null) {
    return <Fact name={texts.lastBackup} value={texts.postgresBackup} />
  }
  return (
    <>
      <Fact name={texts.disk}>
        {texts.diskFree(
          formatBytes(disk.freeBytes, view.locale),
          formatBytes(disk.storeBytes, view.locale),
        )}
      </Fact>
      <Fact name={texts.lastBackup}>
        <RelativeTime view={view} at={status.lastBackup?.at ?? null} />
        {status.lastBackup?.bytes != null &&
          ` · ${formatBytes(status.lastBackup.bytes, view.locale)}`}
      </Fact>
    </>
  )
}

const LastImport = ({ view, run }: { view: ConsoleView; run: ImportRun }) => {
  const texts = view.texts.status
  const { startedAt, finishedAt, outcome, source, via, problem } = run
  return (
    <>
      <RelativeTime view={view} at={startedAt} />, {texts.via[via]},{" "}
      <span class="mono">{source}</span>
      {": "}
      {problem !== null ? (
        <>
          {view.texts.imports.failed}: <ProblemMessage view={view} message={problem} />
        </>
      ) : outcome === null ? (
        finishedAt === null && texts.unfinished
      ) : (
        texts.counts(outcome.counts.accepted, outcome.counts.rejected, outcome.counts.removed)
      )}
    </>
  )
}

const Pulls = ({ view, status: { pulls } }: Props) => {
  const texts = view.texts.status
  return (
    <TableSection
      title={view.texts.imports.ways.pull}
      rows={pulls}
      columns={[
        { head: texts.pull, cell: ({ name }) => <span class="mono clamp">{name}</span> },
        {
          head: texts.interval,
          cell: ({ everySeconds: seconds }) =>
            seconds === null ? texts.onceOnly : texts.everySeconds(seconds),
        },
        {
          head: texts.lastSuccess,
          cell: ({ lastSuccessAt, isOverdue }) => (
            <>
              <RelativeTime view={view} at={lastSuccessAt} />{" "}
              {isOverdue && <Pill tone="danger">{texts.overdue}</Pill>}
            </>
          ),
        },
        {
          head: texts.lastRun,
          cell: ({ problem }) =>
            problem === null ? (
              <Pill tone="good">{texts.succeeded}</Pill>
            ) : (
              <>
                <Pill tone="warning">{view.texts.imports.failed}</Pill>{" "}
                <ProblemMessage view={view} message={problem} />
              </>
            ),
        },
      ]}
    />
  )
}

const PendingRecords = ({ view, pending }: { view: ConsoleView; pending: PendingSummary }) => {
  const { items, purchases, sinceMs } = pending
  const texts = view.texts.status
  if (sinceMs === null) return <>{texts.noPending}</>
  return (
    <>
      <a href={paths.imports}>{texts.pendingRecords(items, purchases)}</a>, {texts.pendingSince}{" "}
      <RelativeTime view={view} at={formatTimestamp(new Date(sinceMs))} />
    </>
  )
}

const Nodes = ({ view, status: { nodes } }: Props) => {
  const texts = view.texts.status
  const { columns } = view.texts
  return (
    <Panel id="nodes-title" title={texts.nodes}>
      {nodes.length === 0 ? (
        <p>{texts.noNodes}</p>
      ) : (
        <Table
          rows={nodes}
          columns={[
            { head: texts.host, cell: ({ host }) => host },
            { head: columns.url, class: "mono", cell: ({ url }) => url },
            { head: columns.version, cell: ({ version }) => version },
            { head: texts.threads, cell: ({ threads }) => threads },
            {
              head: texts.since,
              cell: ({ startedAt }) => <RelativeTime view={view} at={startedAt} />,
            },
          ]}
        />
      )}
    </Panel>
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
