import type { ImportRun } from "../../../domain/feed/import-run.ts"
import type { Pull } from "../../../domain/feed/pull.ts"
import type { WaitingSummary } from "../../../domain/feed/waiting-record.ts"
import type { KeyVault } from "../../../domain/keys/api-key.ts"
import type { Node } from "../../../domain/running/node.ts"
import type { Actor } from "../../../domain/sign-in/audit-event.ts"
import type { PasswordHasher } from "../../../domain/sign-in/password.ts"
import type { CodeThrottle, SecondFactorVault } from "../../../domain/sign-in/second-factor.ts"
import type { NoteVault } from "../../../domain/sign-in/session-note.ts"
import type { OnSignIn, SignInThrottle } from "../../../domain/sign-in/sign-in-failures.ts"
import type { Store } from "../../../domain/store.ts"
import type { Timestamp } from "../../../domain/values/time/timestamp.ts"
import type { TokenMaker } from "../../../domain/values/token.ts"
import type { Issuing } from "../../../operations/keys/issue-key.ts"
import type { Locale } from "../../api/answer/messages.ts"
import type { Site } from "../../pages/view.ts"

/** A check of `pazar doctor` that found something, in English, as the command prints it; pages translate it. */
export type Warning = Readonly<{
  check: string
  level: "warning" | "problem"
  detail: string
  hint: string | null
}>

export type ConsoleStatus = Readonly<{
  version: string
  store: Readonly<{ kind: "sqlite" | "postgres"; place: string; schema: number }>
  isReady: boolean
  nodes: readonly Node[]
  replicaLagSeconds: readonly number[]
  /** Null where the store is not embedded. */
  disk: Readonly<{ freeBytes: number; storeBytes: number }> | null
  lastImport: ImportRun | null
  pulls: readonly (Pull & Readonly<{ isOverdue: boolean }>)[]
  waiting: WaitingSummary
  /** Null where none was made by `pazar backup`. */
  lastBackupAt: Timestamp | null
  warnings: readonly Warning[]
}>

/** What is configured and where it comes from; no secret is in it. */
export type Setting = Readonly<{
  name: string
  /** Null where nothing is set, and for a secret. */
  value: string | null
  isSecret: boolean
  /** `file`: the variable NAME_FILE names `path`. */
  origin: "environment" | "file" | "default"
  path: string | null
}>

export type ConsoleServices = Readonly<{
  store: Store
  vault: KeyVault
  noteVault: NoteVault
  secondFactorVault: SecondFactorVault
  hasher: PasswordHasher
  tokens: TokenMaker
  /** The counts are apart from those of authors. */
  throttle: SignInThrottle
  codeThrottle: CodeThrottle
  onSignIn: OnSignIn
  now: () => Date
  /** For times that are compared with the clocks of other machines. */
  wallClock: () => Date
  keyServices(actor: Actor): Issuing
  readStatus(): Promise<ConsoleStatus>
  settings: readonly Setting[]
  /** Whether operators must set up a second factor before they see anything else. */
  isSecondFactorRequired: boolean
  siteLocale: Locale
  site: Site
  /** Links and cookies are built from it, as in `https://api.example.com`. */
  publicUrl: string
  /** The only name that pages are answered under; null for any. */
  publicHost: string | null
}>
