/** What the home page of the console shows. */

import type { ListedAuditEvent } from "../access/audit-event.ts"
import type { ImportRun } from "../feed/import-run.ts"
import type { Message } from "../platform/problem.ts"
import type { LastBackup } from "../store/metadata.ts"
import type { Node } from "../store/node.ts"
import type { BusyAuthor, UsageDay } from "../usage/usage.ts"

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
