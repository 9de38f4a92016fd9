import { AuditTable } from "../access/audit-pages.tsx"
import { paths } from "../access/paths.ts"
import { nameOfRun, ProblemMessage, runColumns } from "../feed/import-pages.tsx"
import { Page, type PageApp } from "../platform/pages/context.ts"
import { type Column, column, DataTable } from "../platform/pages/data-table.tsx"
import {
  CopyButton,
  Fact,
  Panel,
  Pill,
  QuietLink,
  RelativeTime,
  Tiles,
} from "../platform/pages/elements.tsx"
import { translate } from "../platform/problem.ts"
import { currentLocale, t } from "../platform/t.ts"
import { callsOf, errorsOf, noCalls, type OutcomeCalls } from "../usage/usage.ts"
import type { ConsoleHome, Warning } from "./home.ts"

type HomeServices = Readonly<{ readHome(): Promise<ConsoleHome> }>

export function addHomePages(app: PageApp, { readHome }: HomeServices): void {
  app.get(paths.home, async (c) => c.html(<HomePage home={await readHome()} />))
}

type Props = Readonly<{ home: ConsoleHome }>

const HomePage = ({ home }: Props) => (
  <Page title={t("Home")}>
    <TodayTiles home={home} />
    <Attention home={home} />
    <div class="pair">
      <Panel id="busiest-title" title={t("Busiest authors since yesterday")}>
        <DataTable
          empty={t("No requests since yesterday.")}
          rows={home.busiest}
          columns={[
            { head: t("Author"), isWide: true, value: ({ username }) => username },
            { head: t("Requests # column"), kind: "number", value: ({ calls }) => calls },
          ]}
          linkOf={({ accountId }) => paths.author(accountId)}
        />
      </Panel>
      <Panel id="imports-title" title={t("Latest imports")}>
        <DataTable
          empty={t("No imports yet. Run “pazar import FILE” on the server.")}
          rows={home.runs}
          columns={runColumns().slice(0, 3)}
          linkOf={({ id }) => paths.importRun(id)}
        />
      </Panel>
    </div>
    <Panel id="changes-title" title={t("Latest changes")}>
      <AuditTable events={home.events} />
    </Panel>
    <Machine home={home} />
  </Page>
)

const tasksShown = 3

/** Warnings in groups with the same advice. */
const Attention = ({ home: { warnings, isWritable } }: Props) => {
  const notWritable = {
    check: "writes",
    level: "problem",
    detail: t(
      "The database is not writable: sign-ins, imports and changes fail. See the log of the server.",
    ),
  } as const
  const all: readonly Warning[] = isWritable ? warnings : [notWritable, ...warnings]
  if (all.length === 0) return <p class="notice good">{t("Nothing needs attention.")}</p>
  const groups = Map.groupBy(all, ({ check, messages }) => `${check} ${messages?.hint?.code}`)
  const tasks = [...groups.values()].flatMap((group) => {
    const advice = renderAdvice(group)
    return group.slice(0, tasksShown).map((warning) => ({ ...warning, advice }))
  })
  const columns: readonly Column<Warning>[] = [
    column(t("Problem"), ({ detail }) => detail, {
      isWide: true,
      cell: ({ detail, messages }) => (
        <>
          {messages ? <ProblemMessage message={messages.detail} /> : detail}
          {messages?.why && [": ", <ProblemMessage message={messages.why} />]}
        </>
      ),
    }),
    column(t("Solution"), () => null, { cell: (warning) => <WarningButton warning={warning} /> }),
  ]
  return (
    <section class="panel tasks" aria-labelledby="attention-title">
      <h2 id="attention-title">{t("Needs attention")}</h2>
      <DataTable rows={tasks} columns={columns} groupOf={({ advice }) => advice} />
    </section>
  )
}

/** The subject of similar warnings and what to do. */
function renderAdvice(warnings: readonly Warning[]) {
  const [{ check = "", about = undefined, messages = undefined } = {}] = warnings
  const name = new Map(Object.entries(checkTexts)).get(check)
  const isProblem = warnings.some(({ level }) => level === "problem")
  return (
    <>
      <Pill tone={isProblem ? "danger" : "warning"}>{name === undefined ? check : t(name)}</Pill>{" "}
      <span class="hint">
        {about?.kind === "import"
          ? t("Correct the data or its source and import it again.")
          : messages?.hint && <ProblemMessage message={messages.hint} />}{" "}
        {warnings.length > tasksShown && (
          // Only imports and webhooks are that many.
          <a href={check === "webhooks" ? paths.webhooks : paths.imports}>
            {t("{n} more # problems", { n: warnings.length - tasksShown })}
          </a>
        )}
      </span>
    </>
  )
}

/** Leads to the subject, or copies the command that the advice names. */
const WarningButton = ({ warning }: Readonly<{ warning: Warning }>) => {
  const { detail, messages } = warning
  const hint = messages?.hint ? translate(messages.hint) : ""
  const page = findPage(warning, `${detail} ${hint}`)
  const [, command = null] = /`([^`]+)`/.exec(hint) ?? []
  if (page === null && command !== null) return <CopyButton text={command} />
  return (
    <QuietLink href={page?.[0] ?? "#machine"}>{page?.[1] ?? t("Servers and database")}</QuietLink>
  )
}

/** The page of the subject, or of the settings that the texts name. Null if there is none. */
function findPage(
  { check, about }: Warning,
  text: string,
): readonly [path: string, name: string] | null {
  if (about?.kind === "import") return [paths.importRun(about.id), nameOfRun(about.id)]
  if (about?.kind === "author") return [paths.author(about.id), t("Author")]
  if (about?.kind === "webhook") return [`${paths.webhooks}/${about.id}`, t("Webhooks")]
  if (check === "pulls" || check === "waiting") return [paths.imports, t("Data")]
  const isSetting = /\b(PAZAR|DATABASE)_/.test(text) && !text.includes("`")
  return isSetting ? [paths.settings, t("Settings")] : null
}

const TodayTiles = ({ home }: Props) => {
  const { days, latencySecondsP99 } = home
  const [before = noCalls, today = noCalls] = days
  const day = days.at(-1)?.day ?? ""
  const format = (value: number, options = {}) =>
    value.toLocaleString(currentLocale(), { maximumFractionDigits: 1, ...options })
  const formatRate = (calls: OutcomeCalls) =>
    callsOf(calls) === 0 ? "–" : format(calls.ok / callsOf(calls), { style: "percent" })
  const path = paths.trafficOn(day)
  const tiles = [
    {
      label: t("Requests today (UTC)"),
      value: format(callsOf(today)),
      note: t("yesterday {value}", { value: format(callsOf(before)) }),
      path,
    },
    {
      label: t("Success rate today"),
      value: formatRate(today),
      note: t("yesterday {value}", { value: formatRate(before) }),
      path,
    },
    {
      label: t("Errors today"),
      value: format(errorsOf(today)),
      note: t("{server} server errors; yesterday {before}", {
        server: format(today.serverErrors),
        before: format(errorsOf(before)),
      }),
      path: paths.trafficOn(day, "errors"),
    },
    {
      label: t("p99 of validations"),
      value: latencySecondsP99 === null ? "–" : `${format(latencySecondsP99 * 1000)} ms`,
      note: t("this server, since it started"),
    },
  ]
  return <Tiles tiles={tiles} />
}

const storeKinds = { sqlite: "SQLite", postgres: "PostgreSQL" } as const

const Machine = ({ home }: Props) => {
  const { store, disk, lastBackup, nodes, isReady } = home
  return (
    <details class="fold">
      <summary>
        <h2>{t("Servers and database")}</h2>
      </summary>
      <dl class="facts" id="machine">
        <Fact name={t("This server")}>
          <Pill tone={isReady ? "good" : "danger"}>{isReady ? t("Ready") : t("Not ready")}</Pill>
        </Fact>
        <Fact name={t("Version")} value={home.version} />
        <Fact name={t("Database")}>
          {storeKinds[store.kind]}, <span class="mono">{store.location}</span>
        </Fact>
        <Fact name={t("Schema version")} value={store.schema} />
        {disk !== null && (
          <Fact
            name={t("Disk")}
            value={t("{free} free; database size {store}", {
              free: formatBytes(disk.freeBytes),
              store: formatBytes(disk.storeBytes),
            })}
          />
        )}
        <Fact name={t("Last backup")}>
          {disk === null ? (
            t("Use the tools of PostgreSQL. Their backups are not shown here.")
          ) : (
            <RelativeTime at={lastBackup?.at ?? null} />
          )}
          {lastBackup !== null && ` · ${formatBytes(lastBackup.bytes)}`}
        </Fact>
      </dl>
      <h3>{t("Servers using this database")}</h3>
      <DataTable
        empty={t("No server has reported yet. Servers report once a minute.")}
        rows={nodes}
        columns={[
          { head: t("Host"), value: ({ host }) => host },
          { head: t("URL"), kind: "code", isWide: true, value: ({ url }) => url },
          { head: t("Version"), value: ({ version }) => version },
          { head: t("Threads"), kind: "number", value: ({ threads }) => threads },
          { head: t("Running since"), kind: "time", value: ({ startedAt }) => startedAt },
        ]}
      />
    </details>
  )
}

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const

/** `1.5 GB`, in powers of 1,000 as disks are sold. */
function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return (bytes / 1000 ** power).toLocaleString(currentLocale(), {
    style: "unit",
    unit: units[power],
    maximumFractionDigits: 1,
  })
}

export const checkTexts = {
  configuration: "Settings",
  disk: "Disk",
  "file limit": "File limit",
  permissions: "Permissions",
  clock: "Clock",
  waiting: "Pending records",
  imports: "Imports",
  pulls: "Database syncs",
  webhooks: "Webhooks",
  backups: "Backups",
  upgrade: "Version",
  writes: "Database",
  "master key": "Master key",
} as const
