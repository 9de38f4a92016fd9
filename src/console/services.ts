import { version } from "../../package.json"
import type { Actor } from "../access/actor.ts"
import type { ListedAuditEvent } from "../access/audit-event.ts"
import type { Config } from "../config/config.ts"
import type { Setting } from "../config/settings.ts"
import { readDiskSpace } from "../doctor/check-machine.ts"
import { listFailedChecks } from "../doctor/check-store.ts"
import type { ImportPageServices } from "../feed/import-pages.tsx"
import type { ImportRun } from "../feed/import-run.ts"
import type { KeySearchServices } from "../keys/key-facts.tsx"
import type { PeoplePageServices } from "../people/session-pages.ts"
import type { Message } from "../platform/problem.ts"
import { formatTimestamp, lastRange, secondsBefore } from "../platform/time.ts"
import type { PurchasePageServices } from "../purchases/sale-pages.tsx"
import type { SigningKeyStore } from "../signing/signing-key.ts"
import type { SigningKeyServices } from "../signing/signing-key-operations.ts"
import { findLastBackup, type LastBackup } from "../store/metadata.ts"
import { type Node, nodeGoneSeconds } from "../store/node.ts"
import { describeStore } from "../store/open-store.ts"
import type { Store } from "../store/store.ts"
import { durationQuantile, type Metrics, sumMetrics } from "../usage/metrics.ts"
import type { UsagePageServices } from "../usage/request-pages.tsx"
import { type BusyAuthor, summarizeDays, type UsageDay } from "../usage/usage.ts"
import type { WebhookPageServices } from "../webhooks/endpoint-pages.tsx"

/** A warning of `pazar doctor`. `detail` is in English. */
export type Warning = Readonly<{
  check: string
  level: "warning" | "problem"
  detail: string
  messages?: Readonly<{ detail: Message; why: Message | null; hint: Message | null }>
  about?:
    | Readonly<{ kind: "import" | "author"; id: number }>
    | Readonly<{ kind: "webhook"; id: string }>
}>

export type ConsoleHome = Readonly<{
  /** Yesterday and today. */
  days: readonly UsageDay[]
  /** Validations of this process since its start; null if there were none. */
  latencySecondsP99: number | null
  /** Since yesterday: after midnight, today has few requests. */
  busiest: readonly BusyAuthor[]
  runs: readonly ImportRun[]
  events: readonly ListedAuditEvent[]
  version: string
  store: Readonly<{ kind: "sqlite" | "postgres"; location: string; schema: number }>
  isReady: boolean
  /** False while writes fail: after a move or on a full disk. */
  isWritable: boolean
  nodes: readonly Node[]
  /** Null with PostgreSQL. */
  disk: Readonly<{ freeBytes: number; storeBytes: number }> | null
  /** Null with PostgreSQL and before the first backup. */
  lastBackup: LastBackup | null
  warnings: readonly Warning[]
}>

export type ConsoleServices = PeoplePageServices &
  KeySearchServices &
  PurchasePageServices &
  WebhookPageServices &
  UsagePageServices &
  ImportPageServices &
  Readonly<{
    signingKeys: SigningKeyStore
    signingKeyServices(actor: Actor): SigningKeyServices
    readHome(): Promise<ConsoleHome>
    settings: readonly Setting[]
  }>

const rowsShown = 5

/** Reads the home page. All queries are fast enough for a page. `threads` are the metrics of every thread. */
export async function readConsoleHome(
  config: Config,
  store: Store,
  { now, isWritable, threads }: { now: Date; isWritable: boolean; threads: readonly Metrics[] },
): Promise<ConsoleHome> {
  const { store: location } = config
  const range = lastRange(formatTimestamp(now), 2)
  const { routes } = sumMetrics(threads)
  return {
    nodes: await store.nodes.list(secondsBefore(now, nodeGoneSeconds)),
    lastBackup: await findLastBackup(store.metadata),
    days: summarizeDays(range, await store.usage.listOfAll(range)),
    latencySecondsP99: durationQuantile(routes.validate_purchase.buckets, 0.99),
    busiest: await store.usage.listBusiest(range, rowsShown),
    runs: await store.feed.listRuns(rowsShown),
    events: await store.audit.list({ accountId: null, kind: null }, null, rowsShown),
    version,
    store: { kind: location.kind, location: describeStore(location), schema: store.schemaVersion },
    isReady: await store.probe().then(
      () => true,
      () => false,
    ),
    isWritable,
    disk: readDiskSpace(config),
    warnings: await listFailedChecks(config, store, version, now),
  }
}
