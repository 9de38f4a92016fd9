import type { Actor } from "../access/actor.ts"
import type { ListedAuditEvent } from "../access/audit-event.ts"
import type { Setting } from "../config/settings.ts"
import type { ImportPageServices } from "../feed/import-pages.tsx"
import type { ImportRun } from "../feed/import-run.ts"
import type { KeyListServices } from "../keys/key-table.tsx"
import type { PeoplePageServices } from "../people/session-pages.ts"
import type { Message } from "../platform/problem.ts"
import type { PurchasePageServices } from "../purchases/sale-list.tsx"
import type { SigningKeyStore } from "../signing/signing-key.ts"
import type { SigningKeyServices } from "../signing/signing-key-operations.ts"
import type { LastBackup } from "../store/metadata.ts"
import type { Node } from "../store/node.ts"
import type { UsagePageServices } from "../usage/failed-requests.tsx"
import type { BusyAuthor, UsageDay } from "../usage/usage.ts"
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
  KeyListServices &
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
