import type { Config } from "../config/config.ts"
import { isPendingTooLong } from "../feed/feed-record.ts"
import { type FeedStore, type ImportRun, isOverdue, type Pull } from "../feed/import-run.ts"
import { createKeyCipher } from "../keys/key.ts"
import {
  describeMailServer,
  type EmailStore,
  emailDelayMsMax,
  findMailFailure,
  type MailFailure,
} from "../mail/email.ts"
import { MailFailed, openMailTransport } from "../mail/sender.ts"
import { createIdentityProvider, ProviderFailed } from "../people/identity.ts"
import type { MasterKeys } from "../platform/crypto/cipher.ts"
import { DecryptionFailed } from "../platform/error.ts"
import { message } from "../platform/problem.ts"
import { pluralize } from "../platform/text.ts"
import { formatTimestamp, secondsBefore } from "../platform/time.ts"
import { createSigningKeyCipher } from "../signing/signing-key.ts"
import type { StoreChecks } from "../store/checks.ts"
import { MasterKeyError, type MasterKeySettings, openMasterKeys } from "../store/master-key.ts"
import { failedBackupMetadataKey, findLastBackup } from "../store/metadata.ts"
import { type Node, nodeGoneSeconds } from "../store/node.ts"
import type { Store } from "../store/store.ts"
import { listAutoDisabled } from "../webhooks/endpoint-operations.ts"
import { type EndpointStore, type ListedEndpoint, shownUrl } from "../webhooks/webhook.ts"
import { checkFailedBackup, checkLastBackup } from "./check-backups.ts"
import { checkMachine, listConfigWarnings } from "./check-machine.ts"
import { type Finding, type FindingSubject, ok, problem, warning } from "./finding.ts"

const accountsSampled = 100

type SlowChecks = Readonly<{ isFull: boolean; isRepairing: boolean }>

export const runSlowChecks = async (
  store: Store,
  config: Config,
  { isFull, isRepairing }: SlowChecks,
): Promise<readonly Finding[]> => [
  await checkIntegrity(store, isFull),
  ...(isFull ? [await checkSums(store.feed, isRepairing)] : []),
  ...(await checkKeys(store, config)),
]

async function checkSums(
  feed: Pick<FeedStore, "listWrongSums" | "repairSums">,
  isRepairing: boolean,
): Promise<Finding> {
  const wrong = await feed.listWrongSums()
  if (wrong.length === 0) return ok("sums", "daily sums match all purchases and items")
  if (!isRepairing) {
    const hint = "Run `pazar doctor --full --repair`, which counts them again."
    return problem("sums", "daily sums differ from the purchases or items", hint)
  }
  for (const accountId of wrong) await feed.repairSums(accountId)
  const hint = "Only another program or a damaged disk changes them."
  return warning("sums", "counted the daily sums again that were wrong", hint)
}

/** Validations work on a read-only database, so that otherwise only the log would show it. */
async function checkWrites({
  findReadOnly,
}: Pick<StoreChecks, "findReadOnly">): Promise<readonly Finding[]> {
  const why = await findReadOnly()
  if (why === null) return []
  return why === "standby"
    ? [problem("writes", message("standby"), message("name_primary"))]
    : [problem("writes", message("read_only"), message("allow_writes"))]
}

const endpointsListed = 10

/** Lists webhooks that Pazar disabled, and failing webhooks of the operators. Authors see theirs in the workspace. */
export async function checkWebhooks(endpoints: Pick<EndpointStore, "listAll">) {
  const all = await endpoints.listAll()
  if (all.length === 0) return []
  const disabled = listAutoDisabled(all)
  const failing = all.filter((each) => each.accountId === null && each.disabled === null)
  const findings = [
    ...disabled.slice(0, endpointsListed).map(describeDisabled),
    ...failing.flatMap(describeFailing),
  ]
  if (findings.length > 0) return findings
  return [ok("webhooks", `${pluralize(all.length, "webhook")}, none disabled by Pazar`)]
}

export function describeDisabled(endpoint: ListedEndpoint): Finding {
  const { id, url, accountId, username, disabled } = endpoint
  const owner = username === null ? {} : { owner: username }
  const detail = message("endpoint_off", { url: shownUrl(url), ...owner })
  const reason = disabled?.reason ?? "owner"
  const why = reason === "owner" ? null : message(`endpoint_${reason}`)
  const about: FindingSubject =
    accountId === null ? { kind: "webhook", id } : { kind: "author", id: accountId }
  return { ...warning("webhooks", detail, message("endpoint_owner"), why), about }
}

function describeFailing({ id, url, failingSince }: ListedEndpoint): readonly Finding[] {
  if (failingSince === null) return []
  const detail = message("endpoint_failed", { url: shownUrl(url), at: failingSince })
  const finding = warning("webhooks", detail, message("check_receiver"))
  return [{ ...finding, about: { kind: "webhook", id } }]
}

async function checkPending(feed: Pick<FeedStore, "readPending">, now: Date) {
  const pending = await feed.readPending(1)
  const records = pending.items + pending.purchases
  if (!isPendingTooLong(pending, now.getTime()))
    return [ok("waiting", pluralize(records, "pending record"))]
  const [first] = pending.groups
  const { type = "", identity = "" } = first ?? {}
  const detail = message("records_wait", { records, type, identity })
  return [warning("waiting", detail, message("find_needed"))]
}

async function checkIntegrity({ checks }: Store, isThorough: boolean): Promise<Finding> {
  const corruption = await checks.listCorruption(isThorough)
  const [first] = corruption
  if (first === undefined) return ok("integrity", "no corruption found")
  return problem(
    "integrity",
    `${first}${corruption.length > 1 ? `, and ${corruption.length - 1} more` : ""}`,
    "Check the disk, keep a copy of the damaged database, and restore a backup.",
  )
}

async function checkKeys(store: Store, config: Config): Promise<readonly Finding[]> {
  try {
    const master = await openMasterKeys(store.metadata, config)
    return [await checkApiKeys(store, master), await checkSigningKeys(store, master)]
  } catch (error) {
    // `checkMasterKey` reports a wrong master key.
    if (error instanceof MasterKeyError) return []
    throw error
  }
}

/** Servers hold the key in memory, so that validations work even if its file was deleted. */
export async function checkMasterKey(
  { metadata }: Pick<Store, "metadata">,
  settings: MasterKeySettings,
): Promise<Finding> {
  try {
    const { previous, isReencrypted } = await openMasterKeys(metadata, settings)
    if (previous === null) return ok("master key", "matches this database")
    return isReencrypted
      ? warning("master key", message("key_not_needed"), message("remove_previous_key"))
      : warning("master key", message("key_still_needed"), message("run_reseal"))
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error
    return problem("master key", message("other", { text: error.message }), message("put_back_key"))
  }
}

async function checkApiKeys({ accounts, keys }: Store, master: MasterKeys): Promise<Finding> {
  const cipher = createKeyCipher(master)
  const sampled = await accounts.list("", accountsSampled)
  const all = (await Promise.all(sampled.map(({ id }) => keys.list(id)))).flat()
  const broken = all.filter((key) => !canDecrypt(() => cipher.decrypt(key.encrypted, key)))
  if (broken.length === 0)
    return ok("API keys", `decrypted a sample of ${pluralize(all.length, "key")}`)
  const detail = `${broken.length} of a sample of ${all.length} cannot be decrypted`
  return problem("API keys", detail, "Their rows are damaged: restore a backup, or rotate them.")
}

async function checkSigningKeys({ signingKeys }: Store, master: MasterKeys): Promise<Finding> {
  const cipher = createSigningKeyCipher(master)
  const all = await signingKeys.list()
  const missing = ["current", "next"].filter((state) => !all.some((key) => key.state === state))
  if (missing.length > 0) {
    const hint = all.length === 0 ? "Run `pazar migrate`, which creates both." : restoreKeys
    return problem("signing keys", `the ${missing.join(" and the ")} key is missing`, hint)
  }
  const broken = all.filter(({ id, encrypted }) => !canDecrypt(() => cipher.decrypt(encrypted, id)))
  if (broken.length === 0) return ok("signing keys", `decrypted ${pluralize(all.length, "key")}`)
  const detail = `${broken.length} of ${all.length} cannot be decrypted`
  return problem("signing keys", detail, restoreKeys)
}

const restoreKeys = "Restore a backup: products pin these keys."

function canDecrypt(decrypt: () => string): boolean {
  try {
    decrypt()
    return true
  } catch (error) {
    if (error instanceof DecryptionFailed) return false
    throw error
  }
}

/** More than the difference between two synchronized clocks. */
const aheadMsMax = 60_000
const differenceMsMax = 5_000

export async function checkClock(
  checks: Pick<StoreChecks, "findNewestTimestamp" | "readClock">,
  now: Date,
): Promise<readonly Finding[]> {
  const newest = await checks.findNewestTimestamp()
  const aheadMs = newest === null ? 0 : Date.parse(newest) - now.getTime()
  if (aheadMs > aheadMsMax) {
    const detail = message("clock_behind", { now: formatTimestamp(now), newest: `${newest}` })
    return [problem("clock", detail, message("sync_clocks_behind"))]
  }
  const server = await checks.readClock()
  const differenceMs = server === null ? 0 : Math.abs(server.getTime() - now.getTime())
  if (differenceMs > differenceMsMax) {
    const detail = message("clock_differs", { seconds: Math.round(differenceMs / 1000) })
    return [warning("clock", detail, message("sync_clocks"))]
  }
  return [ok("clock", "the last record in the database is not in the future")]
}

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
