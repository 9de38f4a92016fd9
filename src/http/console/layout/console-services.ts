import type { ImportRun } from "../../../domain/feed/import-run.ts"
import type { PendingSummary } from "../../../domain/feed/pending-record.ts"
import type { Pull } from "../../../domain/feed/pull.ts"
import type { Node } from "../../../domain/health/node.ts"
import type { InvitationStore } from "../../../domain/sign-in/invitation.ts"
import type { TwoFactorStore } from "../../../domain/sign-in/two-factor.ts"
import type { LastBackup, Store } from "../../../domain/store.ts"
import type { Message } from "../../../domain/values/problems/problem.ts"
import type { Setting } from "../../../domain/values/setting.ts"
import type { PageServices } from "../../pages/page-services.ts"

/** A check of `pazar doctor` that found something. `detail` is in English. */
export type Warning = Readonly<{
  check: string
  level: "warning" | "problem"
  detail: string
  messages?: Readonly<{ detail: Message; why: Message | null; hint: Message | null }>
  /** The import that it is about. */
  runId?: number
}>

export type ConsoleStatus = Readonly<{
  version: string
  store: Readonly<{ kind: "sqlite" | "postgres"; location: string; schema: number }>
  isReady: boolean
  /** False while writes fail, as after a move or on a full disk. */
  isWritable: boolean
  nodes: readonly Node[]
  /** Null where the store is not embedded. */
  disk: Readonly<{ freeBytes: number; storeBytes: number }> | null
  lastImport: ImportRun | null
  pulls: readonly (Pull & Readonly<{ isOverdue: boolean }>)[]
  waiting: PendingSummary
  /** Null with PostgreSQL, and where none was made. */
  lastBackup: LastBackup | null
  warnings: readonly Warning[]
}>

/** Whether operators must set up a second factor before they see anything else. */
export type TwoFactorPolicy = Readonly<{
  isRequired(): Promise<boolean>
  put(isRequired: boolean): Promise<void>
}>

export type ConsoleServices = PageServices &
  Pick<
    Store,
    | "authorSearch"
    | "failedRequests"
    | "feed"
    | "operatorLists"
    | "operatorReads"
    | "operators"
    | "operatorSignIn"
  > &
  Readonly<{
    authorInvitations: InvitationStore
    authorSecondFactors: TwoFactorStore
    readStatus(): Promise<ConsoleStatus>
    settings: readonly Setting[]
    twoFactorPolicy: TwoFactorPolicy
  }>
