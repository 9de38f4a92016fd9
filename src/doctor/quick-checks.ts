/** Checks that take less than a second, for `pazar doctor --quick` and the console. */
import type { Config } from "../config/config.ts"
import { type ImportRun, isOverdue, type Pull } from "../domain/feed/feed-store.ts"
import { type Node, nodeGoneSeconds } from "../domain/health/node.ts"
import { failedBackupMetadataKey, lastBackupMetadataKey, type Store } from "../domain/store.ts"
import { message } from "../domain/values/problems/problem.ts"
import { secondsBefore } from "../domain/values/time/timestamp.ts"
import { checkFailedBackup, checkLastBackup } from "./check-backups.ts"
import { checkMachine, listConfigWarnings } from "./check-machine.ts"
import { checkOutbox } from "./check-mail.ts"
import {
  checkClock,
  checkMasterKey,
  checkPending,
  checkWebhooks,
  checkWrites,
} from "./check-store.ts"
import { type Finding, problem, warning } from "./finding.ts"

const runsMax = 20

export type FailedCheck = Finding & Readonly<{ level: "warning" | "problem" }>

export const listFailedChecks = async (...args: Parameters<typeof runQuickChecks>) =>
  [
    ...(await runQuickChecks(...args)),
    ...listConfigWarnings(args[0]),
    ...checkMachine(args[0]),
  ].filter(isFailed)

export async function runQuickChecks(
  config: Config,
  store: Store,
  version: string,
  now: Date,
): Promise<readonly Finding[]> {
  const { feed, pulls, emails, endpoints, nodes, metadata, checks } = store
  const troubled = await feed.listTroubledRuns(now, runsMax)
  const running = await nodes.list(secondsBefore(now, nodeGoneSeconds))
  const [anyRun] = await feed.listRuns(1)
  const isBackupDue = config.store.kind === "sqlite" && anyRun !== undefined
  const lastBackup = isBackupDue ? await metadata.find(lastBackupMetadataKey) : null
  return [
    ...(await checkWrites(checks)),
    await checkMasterKey(store, config),
    ...troubled.map(checkImportRun),
    ...(await pulls.list()).flatMap((pull) => checkPull(pull, now)),
    ...checkVersions(running, version),
    ...(isBackupDue ? [checkLastBackup(lastBackup, config.backupFolder, now)] : []),
    ...checkFailedBackup(await metadata.find(failedBackupMetadataKey)),
    ...(await checkPending(feed, now)),
    ...(await checkWebhooks(endpoints)),
    ...(await checkOutbox(emails, now)),
    ...(await checkClock(checks, now)),
  ]
}

const isFailed = (finding: Finding): finding is FailedCheck => finding.level !== "ok"

/** `run` is a result of `listTroubledRuns`. */
export function checkImportRun(run: ImportRun): Finding {
  const { id, source, outcome, finishedAt, line } = run
  const seeImport = message("see_import", { id })
  const about = (finding: Finding): Finding => ({ ...finding, about: { kind: "import", id } })
  if (run.problem !== null) {
    const failed = message("import_failed", { id, source })
    return about(problem("imports", failed, seeImport, run.problem))
  }
  if (finishedAt === null) {
    const interrupted = message("import_interrupted", { id, source, line })
    return about(problem("imports", interrupted, seeImport))
  }
  const { counts, removalProblem = null } = outcome ?? {}
  const detail =
    removalProblem === null
      ? message("import_rejected", { id, source, lines: counts?.rejected ?? 0 })
      : message("import_removed_nothing", { id, source })
  return about(warning("imports", detail, seeImport, removalProblem))
}

export function checkPull(pull: Pull, now: Date): readonly Finding[] {
  if (!isOverdue(pull, now.getTime())) return []
  const { name, lastSuccessAt } = pull
  const at = lastSuccessAt === null ? {} : { at: lastSuccessAt }
  return [problem("pulls", message("pull_overdue", { name, ...at }), message("see_pull"))]
}

export function checkVersions(
  nodes: readonly Pick<Node, "host" | "version">[],
  version: string,
): readonly Finding[] {
  const versions = [version, ...nodes.map((node) => node.version)]
  const newest = versions.toSorted(Bun.semver.order).at(-1) ?? version
  const older = nodes.filter((node) => Bun.semver.order(node.version, newest) !== 0)
  return older.map(({ host, version: own }) =>
    warning("upgrade", message("older_server", { host, own, newest }), message("install_newest")),
  )
}
