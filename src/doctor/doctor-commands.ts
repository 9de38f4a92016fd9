import { version } from "../../package.json"
import type { Config } from "../config/config.ts"
import {
  describeImportRun,
  describePending,
  importRunObject,
  pendingObject,
} from "../feed/feed-commands.ts"
import { limitPerThread, rejectedSitesRate } from "../keys/rate-limits.ts"
import { describeMailServer } from "../mail/email.ts"
import { command, flag, option, UsageError } from "../platform/cli/command.ts"
import { renderTable, replaceControlCharacters, toJson } from "../platform/cli/output.ts"
import type { SchemaVersions } from "../platform/database/schema-versions.ts"
import { httpUrl } from "../platform/ip-range.ts"
import { describe } from "../platform/problem.ts"
import { formatCount, pluralize } from "../platform/text.ts"
import type { LastBackup } from "../store/metadata.ts"
import { findLocalServerUrl, type Node, toLoopbackUrl } from "../store/node.ts"
import { describeStore } from "../store/open-store.ts"
import type { Finding } from "./finding.ts"
import { type DoctorReport, runChecks } from "./run-checks.ts"

export const commands = {
  doctor: command({
    options: {
      quick: flag("run only checks that take less than a second, for scripts and health checks"),
      backups: option(
        "FOLDER",
        "also check that the newest backup in FOLDER is recent and can be restored with this master key",
      ),
      outside: option(
        "URL",
        "also check the public address as products and strangers see it: certificate, TLS versions, PAZAR_TRUSTED_PROXIES, that /operator and /metrics are closed, and that responses arrive unchanged",
      ),
      full: flag(
        "also compare every index of a SQLite database with its rows, and daily sums with all purchases; takes several times as long",
      ),
      repair: flag("with --full: count daily sums that are wrong again"),
      json: flag('print one object: the facts, "problems", "warnings" and "checks"'),
    },
    help: `Run the command as the server's user, with the server's settings. It changes nothing without
--repair, and prints no secrets.`,
    afterOptions: `Exit status:
  0  no problems; warnings, such as repaired sums, are not problems
  1  problems
  2  the database is missing, moved, older, newer or unreachable`,
    async run({ values }, context) {
      if (values.quick && values.full)
        throw new UsageError("--quick and --full cannot be used together")
      if (values.repair && !values.full) throw new UsageError("--repair needs --full")
      const outside = values.outside === undefined ? null : URL.parse(values.outside)
      if (values.outside !== undefined && !/^https?:$/.test(outside?.protocol ?? ""))
        throw new UsageError("--outside must be like https://api.example.com")
      context.lowerPriority()
      context.showProgress("checking …")
      const depth = values.quick ? "quick" : values.full ? "full" : "normal"
      const report = await runChecks(context.env, new Date(), {
        depth,
        isRepairing: values.repair,
        backups: values.backups ?? null,
        outside,
      })
      const server = report.config && (await findServer(report.config, report.status?.nodes ?? []))
      context.showProgress("")
      const { findings } = report
      const [problems, warnings] = [
        countLevel(findings, "problem"),
        countLevel(findings, "warning"),
      ]
      const facts = renderTable(context.hasColors, ["Version", version], listFacts(report, server))
      const checks = findings.map(({ messages: _, about, ...check }) => ({
        ...check,
        ...(about?.kind === "import" && { runId: about.id }),
      }))
      const summary = `${pluralize(problems, "problem")}, ${pluralize(warnings, "warning")}\n`
      await context.write(
        values.json
          ? toJson({ ...toObject(report, server), problems, warnings, checks })
          : `${facts}\n${findings.map(render).join("")}${summary}`,
      )
      if (findings.some(isNoDatabase)) return 2
      return problems > 0 ? 1 : 0
    },
  }),
}

/** All commands exit with 2 if they cannot open the database. */
const isNoDatabase = ({ check, level }: Finding) => check === "database" && level === "problem"

const countLevel = (findings: readonly Finding[], level: Finding["level"]) =>
  findings.filter((finding) => finding.level === level).length

const indent = " ".repeat("problem  ".length)

function render({ check, level, detail, hint }: Finding): string {
  const lines = [`${level.padEnd(indent.length)}${check}: ${detail}`]
  if (hint !== null) lines.push(`${indent}${hint}`)
  return lines.map((line) => `${replaceControlCharacters(line)}\n`).join("")
}

/** Null if the URL is unknown: PORT is 0, and no server has registered in the database. */
type Server = Readonly<{ url: string; state: keyof typeof serverStates }> | null

const serverStates = {
  ready: "ready",
  "not ready": "responds, not ready",
  absent: "no response",
  foreign: "another program responds",
} as const

const responseMsMax = 3_000

/** Sends a request to the server on this machine that has registered in the database, else to HOST and PORT. */
async function findServer({ host, port }: Config, nodes: readonly Node[]): Promise<Server> {
  const registered = findLocalServerUrl(nodes)
  if (registered === null && port === 0) return null
  const url = registered ?? toLoopbackUrl(httpUrl(host, port))
  try {
    const signal = AbortSignal.timeout(responseMsMax)
    const response = await fetch(`${url}/readyz`, { signal, redirect: "manual" })
    const { status } = Object(await response.json().catch(() => null))
    if (status === "ready") return { url, state: "ready" }
    return { url, state: status === "unavailable" ? "not ready" : "foreign" }
  } catch {
    return { url, state: "absent" }
  }
}

function toObject({ config, schema, status }: DoctorReport, server: Server) {
  return {
    version,
    database: config && { kind: config.store.kind, place: describeStore(config.store) },
    schema,
    server,
    nodes: status?.nodes.map(({ id: _, ...node }) => node) ?? null,
    counts: status?.counts ?? null,
    operators: status?.operators ?? null,
    mailServer: config?.mailServer ? describeMailServer(config.mailServer) : null,
    lastImport: status?.lastImport ? importRunObject(status.lastImport) : null,
    pulls: status?.pulls.map(({ name, everySeconds, lastSuccessAt, problem, isOverdue }) => {
      const text = problem && describe(problem)
      return { name, everySeconds, lastSuccessAt, problem: text, isOverdue }
    }),
    waiting: status && pendingObject(status.pending),
    lastBackup: status?.lastBackup ?? null,
  }
}

const kinds = { sqlite: "SQLite", postgres: "PostgreSQL" } as const

function listFacts({ config, schema, status }: DoctorReport, server: Server) {
  if (config === null) return []
  const rows = [
    ["Database", `${kinds[config.store.kind]}, ${describeStore(config.store)}`],
    ["Schema", describeSchema(schema)],
    [
      "Server",
      server === null ? "unknown: PORT is 0" : `${server.url}: ${serverStates[server.state]}`,
    ],
  ]
  if (status === null) return rows
  const { mailServer } = config
  const { counts, operators, lastImport: run, pending, nodes, pulls, lastBackup } = status
  return [
    ...rows,
    ...nodes.map(({ host, url, version, threads, startedAt }) => [
      "Node",
      `${host}, ${url}: version ${version}, ${pluralize(threads, "thread")}, since ${startedAt}`,
    ]),
    ...Object.entries(counts).map(([name, count]) => [capitalize(name), String(count)]),
    ["Operators", operators === 0 ? "none: run `pazar operator create NAME`" : String(operators)],
    ["E-mail", mailServer ? describeMailServer(mailServer) : "none: set PAZAR_SMTP_URL"],
    ["Rate limits", describeRateLimits(config, nodes)],
    [
      "Last import",
      run ? `${run.id}, ${run.startedAt}, by ${run.via}: ${describeImportRun(run)}` : "none",
    ],
    ...pulls.map(({ name, lastSuccessAt }) => [
      "Pull",
      `${name}: ${lastSuccessAt === null ? "never succeeded" : `last succeeded at ${lastSuccessAt}`}`,
    ]),
    ["Pending", describePending(pending, new Date()) ?? "none"],
    ...(config.store.kind === "sqlite" ? [["Last backup", describeBackup(lastBackup)]] : []),
  ]
}

const capitalize = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

function describeSchema(schema: SchemaVersions | null): string {
  if (schema === null) return "unknown"
  const { current, needed } = schema
  if (current === needed) return `${current}, current`
  return `${current ?? "none"}; this version needs ${needed}`
}

/** What the listed servers allow together. Without one, what this configuration allows. */
function describeRateLimits(config: Config, nodes: readonly Node[]): string {
  const { failedValidationsMax } = config
  if (failedValidationsMax === null) return "off"
  const servers = nodes.length > 0 ? nodes : [config]
  function multiply(limit: number): string {
    const parts = servers.map(({ threads }) => [limitPerThread(limit, threads), threads] as const)
    const total = parts.reduce((sum, [perThread, threads]) => sum + perThread * threads, 0)
    const shown = parts.map(
      ([perThread, threads]) => `${perThread} × ${pluralize(threads, "thread")}`,
    )
    return `${shown.join(" + ")} = ${total}`
  }
  const failures = `${multiply(failedValidationsMax)} failed validations in ten minutes`
  const rejectedSites = `${multiply(rejectedSitesRate.burst)} rejected sites per day`
  return `PAZAR_RATE_LIMIT ${failedValidationsMax}: ${failures}, ${rejectedSites}`
}

const describeBackup = (last: LastBackup | null) =>
  last === null ? "none" : `${last.at}, ${formatCount(last.bytes)} bytes`
