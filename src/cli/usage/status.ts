import { version } from "../../../package.json"
import { type Config, readConfig } from "../../config/config.ts"
import type { ImportRun } from "../../domain/feed/import-run.ts"
import { isOverdue, type Pull } from "../../domain/feed/pull.ts"
import type { WaitingSummary } from "../../domain/feed/waiting-record.ts"
import type { Node } from "../../domain/running/node.ts"
import { describeStore } from "../../store/open.ts"
import type { SchemaVersions } from "../../store/sql/migrate.ts"
import { describeRun, runObject } from "../feed/import-run.ts"
import { describeNeed, describeWaiting, waitingObject } from "../feed/waiting.ts"
import { createCommand } from "../frame/command.ts"
import { renderTable } from "../frame/table.ts"
import { counted } from "../running/doctor.ts"
import {
  readServerStatus,
  readStoreStatus,
  type ServerStatus,
  type StoreStatus,
} from "./read-status.ts"

export const status = createCommand({
  name: "status",
  positionals: [],
  options: { json: { type: "boolean" } },
  summary: "show version, store, what is in it, and whether a server answers",
  help: `Run it with the settings of the server. It asks /readyz of the server that the store knows on this
machine, else at HOST and PORT. Exit status 2: the store is missing, older, newer or cannot be reached. A node
is a server on this store, on any machine; it notes itself once a minute. Records wait for an account or item that
is not there; they are taken when it arrives.`,
  async run({ values }, context) {
    const config = readConfig(context.env)
    const store = await readStoreStatus(config.store, new Date())
    const server = await readServerStatus(config, store.nodes ?? [])
    await context.write(
      values.json
        ? `${JSON.stringify(statusObject(config, store, server))}\n`
        : renderTable(context.terminal, ["Version", version], listRows(config, store, server)),
    )
    if (store.problem === null) return 0
    context.tell(`pazar: ${store.problem}`)
    return 2
  },
})

function statusObject(config: Config, store: StoreStatus, server: ServerStatus) {
  return {
    version,
    store: { kind: config.store.kind, place: describeStore(config.store) },
    schema: store.schema,
    counts: store.counts,
    last_import: store.lastImport && runObject(store.lastImport),
    waiting: store.waiting && waitingObject(store.waiting),
    nodes: store.nodes?.map(nodeObject) ?? null,
    pulls: store.pulls?.map(pullObject) ?? null,
    problem: store.problem,
    threads: config.threads,
    replicas: countReplicas(config),
    server,
  }
}

const nodeObject = ({ host, url, version, threads, startedAt, lastSeenAt }: Node) => ({
  ...{ host, url, version, threads, started_at: startedAt, last_seen_at: lastSeenAt },
})

const pullObject = (pull: Pull) => ({
  name: pull.name,
  every_seconds: pull.everySeconds,
  last_success_at: pull.lastSuccessAt,
  problem: pull.problem,
  is_overdue: isOverdue(pull, Date.now()),
})

const countReplicas = ({ store }: Config) =>
  store.kind === "postgres" ? store.replicaUrls.length : 0

const kinds = { sqlite: "SQLite", postgres: "PostgreSQL" } as const

function listRows(config: Config, store: StoreStatus, server: ServerStatus) {
  const { schema, counts, lastImport, waiting, nodes, pulls } = store
  const replicas = countReplicas(config)
  const rows = [
    ["Store", `${kinds[config.store.kind]}, ${describeStore(config.store)}`],
    ["Schema", describeSchema(schema)],
    ...(replicas === 0 ? [] : [["Replicas", String(replicas)]]),
    ["Threads", String(config.threads)],
    ["Server", describeServer(server)],
  ]
  if (counts === null || nodes === null || pulls === null) return rows
  const { accounts, items, purchases, keys } = counts
  return [
    ...rows,
    ...(nodes.length === 0 ? [["Nodes", "none"]] : nodes.map(describeNode)),
    ["Accounts", String(accounts)],
    ["Items", String(items)],
    ["Purchases", String(purchases)],
    ["Keys", String(keys)],
    ["Last import", lastImport === null ? "none" : describeImport(lastImport)],
    ...pulls.map(describePull),
    ...(waiting === null ? [] : listWaiting(waiting)),
  ]
}

const listWaiting = (waiting: WaitingSummary) => [
  ["Waiting", describeWaiting(waiting, new Date()) ?? "none"],
  ...waiting.groups.map((group) => ["Waits for", describeNeed(group)]),
]

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
