/** Checks for `pazar doctor --quick`, the console and alerts by e-mail. Each takes less than a second. */
import type { Config } from "../config/config.ts"
import { type ImportRun, isOverdue, type Pull } from "../feed/import-run.ts"
import {
  describeMailServer,
  type EmailStore,
  emailDelayMsMax,
  findMailFailure,
  type MailFailure,
} from "../mail/email.ts"
import { MailFailed, openMailTransport } from "../mail/sender.ts"
import { createIdentityProvider, ProviderFailed } from "../people/identity.ts"
import { message } from "../platform/problem.ts"
import { secondsBefore } from "../platform/time.ts"
import { failedBackupMetadataKey, findLastBackup } from "../store/metadata.ts"
import { type Node, nodeGoneSeconds } from "../store/node.ts"
import type { Store } from "../store/store.ts"
import { checkFailedBackup, checkLastBackup } from "./check-backups.ts"
import { checkMachine, listConfigWarnings } from "./check-machine.ts"
import {
  checkClock,
  checkMasterKey,
  checkPending,
  checkWebhooks,
  checkWrites,
} from "./check-store.ts"
import { type Finding, ok, problem, warning } from "./finding.ts"

export const runsMax = 20

type FailedCheck = Finding & Readonly<{ level: "warning" | "problem" }>

export const listFailedChecks = async (...args: Parameters<typeof runQuickChecks>) =>
  [
    ...(await runQuickChecks(...args)),
    ...listConfigWarnings(args[0]),
    ...checkMachine(args[0]),
  ].filter((finding): finding is FailedCheck => finding.level !== "ok")

export async function runQuickChecks(config: Config, store: Store, version: string, now: Date) {
  const { feed, pulls, emails, endpoints, nodes, metadata, checks } = store
  const troubled = await feed.listTroubledRuns(now, runsMax)
  const running = await nodes.list(secondsBefore(now, nodeGoneSeconds))
  const [anyRun] = await feed.listRuns(1)
  const isBackupDue = config.store.kind === "sqlite" && anyRun !== undefined
  const lastBackup = isBackupDue ? await findLastBackup(metadata) : null
  return [
    ...(await checkWrites(checks)),
    await checkMasterKey(store, config),
    ...troubled.map(checkImportRun),
    ...(await pulls.list()).flatMap((pull) => checkPull(pull, now)),
    ...checkVersions(running, version),
    ...(isBackupDue ? [checkLastBackup(lastBackup?.at ?? null, config.backupFolder, now)] : []),
    ...checkFailedBackup(await metadata.find(failedBackupMetadataKey)),
    ...(await checkPending(feed, now)),
    ...(await checkWebhooks(endpoints)),
    ...(await checkMail(emails, config.mailServer && (await findMailFailure(metadata)), now)),
    ...(await checkClock(checks, now)),
  ]
}

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

function checkVersions(nodes: readonly Pick<Node, "host" | "version">[], version: string) {
  const versions = [version, ...nodes.map((node) => node.version)]
  const newest = versions.toSorted(Bun.semver.order).at(-1) ?? version
  const older = nodes.filter((node) => Bun.semver.order(node.version, newest) !== 0)
  return older.map(({ host, version: own }) =>
    warning("upgrade", message("older_server", { host, own, newest }), message("install_newest")),
  )
}

const check = "e-mail"

/** E-mails that wait for long show that the mail server does not accept them, or that none is set. */
async function checkMail(
  emails: Pick<EmailStore, "findWaiting">,
  failure: MailFailure | null,
  now: Date,
): Promise<readonly Finding[]> {
  const waiting = await emails.findWaiting()
  if (failure !== null) {
    const { since, problem: why } = failure
    const detail = message("mail_down", { at: since, count: 0, ...waiting })
    return [problem(check, detail, message("check_mail"), why)]
  }
  if (waiting === null || now.getTime() - Date.parse(waiting.since) < emailDelayMsMax) return []
  return [warning(check, message("mail_delayed", waiting), message("check_mail"))]
}

export async function checkMailServer(
  { mailServer, siteName }: Pick<Config, "mailServer" | "siteName">,
  attemptMsMax = 30_000,
): Promise<readonly Finding[]> {
  if (mailServer === null) return []
  const transport = openMailTransport(mailServer, siteName, attemptMsMax)
  try {
    await transport.verify()
    return [ok(check, `${describeMailServer(mailServer)} accepts connections`)]
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error
    return [problem(check, error.problem, message("check_mail"))]
  } finally {
    transport.close()
  }
}

export async function checkIdentityProvider({
  identityProvider: settings,
}: Pick<Config, "identityProvider">): Promise<readonly Finding[]> {
  if (settings === null) return []
  const { issuer } = settings
  try {
    await createIdentityProvider(settings).begin("", false)
    return [ok("OpenID Connect", `${issuer} responds`)]
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    const hint = "Check PAZAR_OIDC_ISSUER and the provider. Passwords still work."
    return [problem("OpenID Connect", `${issuer}: ${error.message}`, hint)]
  }
}
