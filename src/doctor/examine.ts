/** Reads the facts and runs every check. A database that cannot be opened does not hide a full disk. */
import { version } from "../../package.json"
import type { Config } from "../config/config.ts"
import type { Environment } from "../config/settings.ts"
import { StoreUnavailable } from "../domain/store.ts"
import type { RowCounts } from "../domain/usage/operator-reads.ts"
import { findErrorCode } from "../domain/values/error.ts"
import { openStore } from "../store/open.ts"
import { MigrationNeeded, NotOurs, type SchemaVersions, StoreTooNew } from "../store/sql/migrate.ts"
import { checkBackups } from "./check-backups.ts"
import { checkMachine, checkSettings } from "./check-machine.ts"
import { checkDeeply } from "./check-store.ts"
import { readFacts } from "./facts.ts"
import { type Finding, problem } from "./finding.ts"
import { checkQuickly } from "./quick-checks.ts"

type Depth = "quick" | "normal" | "full"

/** Null where the settings or the database do not allow to read them. */
export type Examined = Readonly<{
  config: Config | null
  schema: SchemaVersions | null
  facts: (Awaited<ReturnType<typeof readFacts>> & Readonly<{ counts: RowCounts }>) | null
  findings: readonly Finding[]
}>

/** `backups` is the folder of the backups; null where they are not checked. */
export async function examine(
  env: Environment,
  now: Date,
  depth: Depth,
  backups: string | null,
): Promise<Examined> {
  const { config, findings } = checkSettings(env)
  const store = config === null ? noStore : await examineStore(config, now, depth)
  const ofBackups = {
    path: config?.store.kind === "sqlite" ? config.store.path : null,
    counts: store.facts?.counts ?? null,
    masterKeys: config,
  }
  return {
    ...store,
    config,
    findings: [
      ...findings,
      ...store.findings,
      ...(config === null ? [] : checkMachine(config)),
      ...(backups === null ? [] : await checkBackups(backups, now, ofBackups)),
    ],
  }
}

type OfStore = Omit<Examined, "config">

const noStore: OfStore = { schema: null, facts: null, findings: [] }

async function examineStore(config: Config, now: Date, depth: Depth): Promise<OfStore> {
  try {
    const store = await openStore(config.store, "command")
    try {
      const counts = await store.operatorReads.countRows()
      const deep = depth === "quick" ? [] : await checkDeeply(store, config, depth === "full")
      return {
        schema: { current: store.schemaVersion, needed: store.schemaVersion },
        facts: { ...(await readFacts(store, now)), counts },
        findings: [...(await checkQuickly(config, store, version, now)), ...deep],
      }
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!(error instanceof Error) || !isExplained(error)) throw error
    const isOther = error instanceof MigrationNeeded || error instanceof StoreTooNew
    const findings = [problem("database", error.message, "Nothing in it was checked.")]
    return { schema: isOther ? error.versions : null, facts: null, findings }
  }
}

const isExplained = (error: Error) =>
  [MigrationNeeded, NotOurs, StoreTooNew, StoreUnavailable].some((kind) => error instanceof kind) ||
  findErrorCode(error) !== null
