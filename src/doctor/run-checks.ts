/** Runs all checks of `pazar doctor`. If the database cannot be opened, the other checks still run. */
import { version } from "../../package.json"
import type { Config } from "../config/config.ts"
import type { Environment } from "../platform/cli/command.ts"
import {
  MigrationNeeded,
  NotPazarDatabase,
  type SchemaVersions,
  StoreTooNew,
} from "../platform/database/schema-versions.ts"
import { findErrorCode, StoreUnavailable } from "../platform/error.ts"
import type { RowCounts } from "../store/checks.ts"
import { MasterKeyError, openMasterKeys } from "../store/master-key.ts"
import { openStore } from "../store/open-store.ts"
import type { Store } from "../store/store.ts"
import { checkBackups } from "./check-backups.ts"
import { checkMachine, checkSettings } from "./check-machine.ts"
import { checkOutside, type OwnServer } from "./check-outside.ts"
import { runSlowChecks } from "./check-store.ts"
import { createDoctorPasses } from "./doctor-pass.ts"
import { type Finding, problem } from "./finding.ts"
import {
  checkIdentityProvider,
  checkMailServer,
  readServerStatus,
  runQuickChecks,
} from "./quick-checks.ts"

type Options = Readonly<{
  depth: "quick" | "normal" | "full"
  /** Repairs daily sums that are wrong; only with "full". */
  isRepairing: boolean
  /** The folder of backups to check. */
  backups: string | null
  /** The public address to check. */
  outside: URL | null
}>

/** Fields are null if the settings are invalid or the database cannot be opened. */
export type DoctorReport = Readonly<{
  config: Config | null
  schema: SchemaVersions | null
  status:
    | (Awaited<ReturnType<typeof readServerStatus>> &
        Readonly<{ counts: RowCounts; operators: number }>)
    | null
  findings: readonly Finding[]
}>

export async function runChecks(
  env: Environment,
  now: Date,
  options: Options,
): Promise<DoctorReport> {
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
      ...(outside === null ? [] : await checkOutside(outside, config?.publicUrl ?? null, own, now)),
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
      const counts = await store.checks.countRows()
      const operators = (await store.operators.list()).length
      const slow = { isFull: depth === "full", isRepairing }
      const deep = depth === "quick" ? [] : await runSlowChecks(store, config, slow)
      return {
        schema: { current: store.schemaVersion, needed: store.schemaVersion },
        status: { ...(await readServerStatus(store, now)), counts, operators },
        findings: [...(await runQuickChecks(config, store, version, now)), ...deep],
        own: await identifyServer(store, config, now),
      }
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!(error instanceof Error) || !isExplained(error)) throw error
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

const isExplained = (error: Error) =>
  [MigrationNeeded, NotPazarDatabase, StoreTooNew, StoreUnavailable].some(
    (kind) => error instanceof kind,
  ) || findErrorCode(error) !== null
