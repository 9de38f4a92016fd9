import { version } from "../../../package.json"
import { type Config, readConfig } from "../../config/config.ts"
import { checkQuickly, type Trouble } from "../../doctor/quick-checks.ts"
import type { ImportRun } from "../../domain/feed/import-run.ts"
import { isOverdue, type Pull } from "../../domain/feed/pull.ts"
import { type Node, nodeGoneSeconds } from "../../domain/running/node.ts"
import {
  findLastBackup,
  type LastBackup,
  type Store,
  StoreUnavailable,
} from "../../domain/store.ts"
import { httpUrl } from "../../domain/values/network.ts"
import { counted } from "../../domain/values/text.ts"
import { secondsBefore } from "../../domain/values/time/timestamp.ts"
import { describeStore, openStore } from "../../store/open.ts"
import { MigrationNeeded, type SchemaVersions, StoreTooNew } from "../../store/sql/migrate.ts"
import type * as declared from "../declarations/usage.ts"
import {
  describeNeed,
  describeRun,
  describeWaiting,
  runObject,
  waitingGroupsMax,
  waitingObject,
} from "../feed/imports.ts"
import type { Run } from "../frame/command.ts"
import { writeRecord } from "../frame/output.ts"
import { findOwnUrl, reachableUrl } from "../frame/server-address.ts"

/** Needs no master key, so that it also works where other commands fail. */
export const status: Run<typeof declared.status> = async ({ values }, context) => {
  const config = readConfig(context.env, { mayLackKey: true })
  const store = await readStoreStatus(config, new Date())
  const server = await readServerStatus(config, store.facts?.nodes ?? [])
  const object = statusObject(config, store, server)
  const rows = listRows(config, store, server)
  await writeRecord(context, values.json, object, [["Version", version], ...rows])
  if (store.problem === null) return 0
  context.tell(`pazar: ${store.problem}`)
  return 2
}

/** Null stands for an unknown value; `problem` says why the store cannot be used. */
type StoreStatus = Readonly<{
  schema: SchemaVersions | null
  facts: Awaited<ReturnType<typeof readFacts>> | null
  problem: string | null
}>

async function readStoreStatus(config: Config, now: Date): Promise<StoreStatus> {
  let schema: SchemaVersions | null = null
  try {
    const store = await openStore(config.store, "command")
    schema = { current: store.schemaVersion, needed: store.schemaVersion }
    try {
      return { schema, facts: await readFacts(config, store, now), problem: null }
    } finally {
      await store.close()
    }
  } catch (error) {
    if (error instanceof MigrationNeeded || error instanceof StoreTooNew) {
      return { schema: error.versions, facts: null, problem: error.message }
    }
    if (!(error instanceof StoreUnavailable)) throw error
    return { schema, facts: null, problem: error.message }
  }
}

async function readFacts(config: Config, store: Store, now: Date) {
  const { operatorReads, feed, nodes, pulls, metadata } = store
  return {
    counts: await operatorReads.countRows(),
    lastImport: (await feed.listRuns(1))[0] ?? null,
    waiting: await feed.readWaiting(waitingGroupsMax),
    /** The servers that run on the store, on this machine and on others. */
    nodes: await nodes.list(secondsBefore(now, nodeGoneSeconds)),
    pulls: await pulls.list(),
    lastBackup: config.store.kind === "sqlite" ? await findLastBackup(metadata) : null,
    warnings: await checkQuickly(config, store, version, now),
  }
}

/** `absent`: nothing listens there. `foreign`: another program does. Null where none is known. */
type ServerStatus = Readonly<{
  url: string
  state: "ready" | "not ready" | "absent" | "foreign"
}> | null

const answerMsMax = 3_000

/** Asks the server that the store knows on this machine, else where the settings say that one listens. */
async function readServerStatus(
  { host, port }: Pick<Config, "host" | "port">,
  nodes: readonly Node[],
): Promise<ServerStatus> {
  const known = findOwnUrl(nodes)
  if (known === null && port === 0) return null
  const url = known ?? reachableUrl(httpUrl(host, port))
  try {
    const signal = AbortSignal.timeout(answerMsMax)
    const response = await fetch(`${url}/readyz`, { signal, redirect: "manual" })
    const answer = await response.json().catch(() => null)
    return { url, state: states[String(Object(answer).status)] ?? "foreign" }
  } catch {
    return { url, state: "absent" }
  }
}

/** By the answer of `/readyz`. */
const states: Readonly<Record<string, "ready" | "not ready">> = {
  ready: "ready",
  unavailable: "not ready",
}

function statusObject(config: Config, store: StoreStatus, server: ServerStatus) {
  const { schema, facts, problem } = store
  return {
    version,
    store: { kind: config.store.kind, place: describeStore(config.store) },
    schema,
    counts: facts?.counts ?? null,
    lastImport: facts?.lastImport ? runObject(facts.lastImport) : null,
    waiting: facts && waitingObject(facts.waiting),
    nodes: facts?.nodes.map(nodeObject) ?? null,
    pulls: facts?.pulls.map(pullObject) ?? null,
    lastBackup: facts?.lastBackup ?? null,
    warnings: facts?.warnings.map(warningObject) ?? null,
    problem,
    threads: config.threads,
    server,
  }
}

function nodeObject({ host, url, version, threads, startedAt, lastSeenAt }: Node) {
  return { host, url, version, threads, startedAt, lastSeenAt }
}

function pullObject(pull: Pull) {
  const { name, everySeconds, lastSuccessAt, problem } = pull
  return { name, everySeconds, lastSuccessAt, problem, isOverdue: isOverdue(pull, Date.now()) }
}

/** `import` is left out where it is about none. */
const warningObject = ({ runId, ...warning }: Trouble) => ({ ...warning, import: runId })

const kinds = { sqlite: "SQLite", postgres: "PostgreSQL" } as const

function listRows(config: Config, { schema, facts }: StoreStatus, server: ServerStatus) {
  const rows = [
    ["Store", `${kinds[config.store.kind]}, ${describeStore(config.store)}`],
    ["Schema", describeSchema(schema)],
    ["Threads", String(config.threads)],
    ["Server", describeServer(server)],
  ]
  if (facts === null) return rows
  const { counts, lastImport, waiting, nodes, pulls, lastBackup, warnings } = facts
  return [
    ...rows,
    ...(nodes.length === 0 ? [["Nodes", "none"]] : nodes.map(describeNode)),
    ["Accounts", String(counts.accounts)],
    ["Items", String(counts.items)],
    ["Purchases", String(counts.purchases)],
    ["Keys", String(counts.keys)],
    ["Last import", lastImport === null ? "none" : describeImport(lastImport)],
    ...pulls.map(describePull),
    ["Waiting", describeWaiting(waiting, new Date()) ?? "none"],
    ...waiting.groups.map((group) => ["Waits for", describeNeed(group)]),
    ...(config.store.kind === "sqlite" ? [["Last backup", describeBackup(lastBackup)]] : []),
    ...warnings.map(({ check, level, detail }) => [levels[level], `${check}: ${detail}`]),
  ]
}

const levels = { warning: "Warning", problem: "Problem" } as const

const describeNode = ({ host, url, version, threads, startedAt }: Node) => [
  "Node",
  `${host}, ${url}: version ${version}, ${counted(threads, "thread")}, since ${startedAt}`,
]

function describePull(pull: Pull) {
  const { name, everySeconds, lastSuccessAt, problem } = pull
  const facts = [
    ...(everySeconds === null ? [] : [`every ${everySeconds} s`]),
    lastSuccessAt === null ? "never succeeded" : `last succeeded at ${lastSuccessAt}`,
    ...(isOverdue(pull, Date.now()) ? ["overdue"] : []),
    ...(problem === null ? [] : [`the last round failed: ${problem}`]),
  ]
  return ["Pull", `${name}: ${facts.join(", ")}`]
}

function describeBackup(last: LastBackup | null): string {
  if (last === null) return "none"
  // A clock that was set back is told among the problems.
  const hours = Math.max(0, Math.floor((Date.now() - Date.parse(last.at)) / 3_600_000))
  const size = last.bytes === null ? "" : `, ${last.bytes.toLocaleString("en")} bytes`
  return `${last.at}, ${hours === 0 ? "less than an hour" : counted(hours, "hour")} ago${size}`
}

const describeImport = (run: ImportRun) =>
  `${run.id}, ${run.startedAt}, by ${run.via}: ${describeRun(run)}`

function describeSchema(schema: SchemaVersions | null): string {
  if (schema === null) return "unknown"
  const { current, needed } = schema
  if (current === null) return `none; this version needs ${needed}`
  return current === needed ? `${current}, current` : `${current}; this version needs ${needed}`
}

const serverStates = {
  ready: "answers and is ready",
  "not ready": "answers and is not ready",
  absent: "nothing answers",
  foreign: "another program answers",
} as const

const describeServer = (server: ServerStatus) =>
  server === null ? "not asked: PORT is 0" : `${server.url}: ${serverStates[server.state]}`
