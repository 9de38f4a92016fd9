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

/** A warning of `pazar doctor`. `detail` is in English. */
export type Warning = Readonly<{
  check: string
  level: "warning" | "problem"
  detail: string
  messages?: Readonly<{ detail: Message; why: Message | null; hint: Message | null }>
  runId?: number
}>

export type ConsoleStatus = Readonly<{
  version: string
  store: Readonly<{ kind: "sqlite" | "postgres"; location: string; schema: number }>
  isReady: boolean
  /** False while writes fail: after a move or on a full disk. */
  isWritable: boolean
  nodes: readonly Node[]
  /** Null with PostgreSQL. */
  disk: Readonly<{ freeBytes: number; storeBytes: number }> | null
  lastImport: ImportRun | null
  pulls: readonly (Pull & Readonly<{ isOverdue: boolean }>)[]
  pending: PendingSummary
  /** Null with PostgreSQL and before the first backup. */
  lastBackup: LastBackup | null
  warnings: readonly Warning[]
}>

/** Whether operators must set up 2FA before they can use the console. */
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
    authorTwoFactor: TwoFactorStore
    readStatus(): Promise<ConsoleStatus>
    settings: readonly Setting[]
    twoFactorPolicy: TwoFactorPolicy
  }>
