/** Runs every check. Each part is independent: a store that cannot be opened does not hide a full disk. */
import type { Environment } from "../config/settings.ts"
import { checkBackups } from "./check-backups.ts"
import { checkMachine, checkSettings } from "./check-machine.ts"
import { checkStore } from "./check-store.ts"
import type { Finding } from "./finding.ts"

type Examination = Readonly<{
  env: Environment
  now: Date
  isThorough: boolean
  /** The folder of the backups; null where they are not checked. */
  backups: string | null
}>

export async function examine(examination: Examination): Promise<readonly Finding[]> {
  const { env, now, isThorough, backups } = examination
  const { config, findings } = checkSettings(env)
  const own = {
    path: config?.store.kind === "sqlite" ? config.store.path : null,
    backupEveryMs: config?.backups?.everyMs ?? null,
    masterKeys: config,
  }
  const { findings: aboutStore, counts } =
    config === null ? { findings: [], counts: null } : await checkStore(config, isThorough, now)
  const aboutMachine = config === null ? [] : checkMachine(config)
  const aboutBackups = backups === null ? [] : await checkBackups(backups, now, { ...own, counts })
  return [...findings, ...aboutStore, ...aboutMachine, ...aboutBackups]
}
