import { version } from "../../package.json"
import type { Config } from "../config/config.ts"
import {
  describeImportRun,
  describePending,
  importRunObject,
  pendingObject,
} from "../feed/feed-commands.ts"
import { isOverdue } from "../feed/import-run.ts"
import { limitPerThread, rejectedSitesRate } from "../keys/rate-limits.ts"
import { describeMailServer } from "../mail/email.ts"
import { command, type Environment, flag, option, UsageError } from "../platform/cli/command.ts"
import { renderTable, replaceControlCharacters, toJson } from "../platform/cli/output.ts"
import {
  MigrationNeeded,
  NotPazarDatabase,
  type SchemaVersions,
  StoreTooNew,
} from "../platform/database/schema-versions.ts"
import { findErrorCode, StoreUnavailable } from "../platform/error.ts"
import { httpUrl } from "../platform/ip-range.ts"
import { describe } from "../platform/problem.ts"
import { formatCount, pluralize } from "../platform/text.ts"
import { secondsBefore } from "../platform/time.ts"
import { MasterKeyError, openMasterKeys } from "../store/master-key.ts"
import { findLastBackup, type LastBackup } from "../store/metadata.ts"
import { findLocalServerUrl, type Node, nodeGoneSeconds, toLoopbackUrl } from "../store/node.ts"
import { describeStore, openStore } from "../store/open-store.ts"
import type { Store } from "../store/store.ts"
import { checkBackups } from "./check-backups.ts"
import { checkMachine, checkSettings } from "./check-machine.ts"
import { checkOutside, type OwnServer } from "./check-outside.ts"
import {
  checkIdentityProvider,
  checkMailServer,
  runQuickChecks,
  runSlowChecks,
} from "./check-store.ts"
import { createDoctorPasses } from "./doctor-pass.ts"
import { type Finding, problem } from "./finding.ts"

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

type Options = Readonly<{
  depth: "quick" | "normal" | "full"
  /** Repairs daily sums that are wrong; only with "full". */
  isRepairing: boolean
  backups: string | null
  outside: URL | null
}>

/** Fields are null if the settings are invalid or the database cannot be opened. */
type DoctorReport = Readonly<{
  config: Config | null
  schema: SchemaVersions | null
  status: Awaited<ReturnType<typeof readStatus>> | null
  findings: readonly Finding[]
}>

/** If the database cannot be opened, the other checks still run. */
async function runChecks(env: Environment, now: Date, options: Options): Promise<DoctorReport> {
  const { depth, backups, outside } = options
  const { config, findings } = checkSettings(env)
  const { own, ...store } = config === null ? noStore : await examineStore(config, now, options)
  const ownDatabase = {
    path: config?.store.kind === "sqlite" ? config.store.path : null,
    counts: store.status?.counts ?? null,
    masterKeys: config,
  }
  return {
    ...store,
    config,
    findings: [
      ...findings,
      ...store.findings,
      ...(config === null ? [] : checkMachine(config)),
      ...(config === null || depth === "quick" ? [] : await checkMailServer(config)),
      ...(config === null || depth === "quick" ? [] : await checkIdentityProvider(config)),
      ...(backups === null ? [] : await checkBackups(backups, now, ownDatabase)),
      ...(outside === null
        ? []
        : await checkOutside({ url: outside, publicUrl: config?.publicUrl ?? null, own, now })),
    ],
  }
}

type StoreReport = Omit<DoctorReport, "config"> & Readonly<{ own: OwnServer }>

const noStore: StoreReport = { schema: null, status: null, findings: [], own: null }

async function examineStore(
  config: Config,
  now: Date,
  { depth, isRepairing }: Options,
): Promise<StoreReport> {
  try {
    const store = await openStore(config.store, "command")
    try {
      const status = await readStatus(store, now)
      const slow = { isFull: depth === "full", isRepairing }
      const deep = depth === "quick" ? [] : await runSlowChecks(store, config, slow)
      return {
        schema: { current: store.schemaVersion, needed: store.schemaVersion },
        status,
        findings: [...(await runQuickChecks(config, store, version, now)), ...deep],
        own: await identifyServer(store, config, now),
      }
    } finally {
      await store.close()
    }
  } catch (error) {
    const explained = [MigrationNeeded, NotPazarDatabase, StoreTooNew, StoreUnavailable]
    const isExplained =
      explained.some((kind) => error instanceof kind) || findErrorCode(error) !== null
    if (!(error instanceof Error) || !isExplained) throw error
    const isOther = error instanceof MigrationNeeded || error instanceof StoreTooNew
    const findings = [problem("database", error.message, "Its contents were not checked.")]
    return { ...noStore, schema: isOther ? error.versions : null, findings }
  }
}

async function identifyServer(store: Store, config: Config, now: Date): Promise<OwnServer> {
  try {
    const passes = createDoctorPasses(await openMasterKeys(store.metadata, config))
    const signingKeyIds = (await store.signingKeys.list()).map(({ id }) => id)
    return { pass: passes.create(now.getTime()), signingKeyIds }
  } catch (error) {
    // `checkMasterKey` reports a wrong master key.
    if (error instanceof MasterKeyError) return null
    throw error
  }
}

async function readStatus(store: Store, now: Date) {
  const { checks, operators, feed, nodes, pulls, metadata } = store
  const nowMs = now.getTime()
  return {
    counts: await checks.countRows(),
    operators: (await operators.list()).length,
    lastImport: (await feed.listRuns(1))[0] ?? null,
    pulls: (await pulls.list()).map((pull) => ({ ...pull, isOverdue: isOverdue(pull, nowMs) })),
    pending: await feed.readPending(10),
    nodes: await nodes.list(secondsBefore(now, nodeGoneSeconds)),
    lastBackup: await findLastBackup(metadata),
  }
}
