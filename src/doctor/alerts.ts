/** Alerts operators by e-mail: each incident once, and at most one e-mail per hour and limit, whatever the number of nodes. */

import { dueMsOf, type ImportRun, isOverdue, type PullStore } from "../feed/import-run.ts"
import { type AlertKind, alertSeconds } from "../mail/email.ts"
import { mayGetAlerts } from "../people/person.ts"
import { encryptEmail } from "../people/person-email-operations.ts"
import type { Encrypting, PeopleServices } from "../people/services.ts"
import { hourWindowMs, type SignInFailureStore } from "../people/sign-in-throttle.ts"
import type { MetadataStore } from "../platform/database/metadata.ts"
import type { Locale } from "../platform/locale.ts"
import type { Message } from "../platform/problem.ts"
import { formatTimestamp, secondsAfter } from "../platform/time.ts"
import { failedBackupMetadataKey } from "../store/metadata.ts"
import type { Store } from "../store/store.ts"
import type { MessageStore } from "../webhooks/delivery.ts"
import { listAutoDisabled } from "../webhooks/endpoint-operations.ts"
import { renderData } from "../webhooks/webhook.ts"
import { checkFailedBackup } from "./check-backups.ts"
import { checkImportRun, checkPull, describeDisabled, runsMax } from "./check-store.ts"
import type { Finding } from "./finding.ts"

/** `signInFailures` counts e-mails per hour. */
type Alerting = Encrypting &
  Pick<PeopleServices, "emails" | "operators" | "tokens"> &
  Readonly<{ metadata: MetadataStore; signInFailures: SignInFailureStore }> &
  Readonly<{ locale: Locale; consoleUrl: string }>

type Incident = Readonly<{
  /** Identifies the incident: a pull that becomes overdue again is another one. */
  key: string
  /** Incidents of a kind that share an e-mail per hour. */
  limitedBy: string
  messages: readonly Message[]
}>

export async function sendAlerts(
  services: Alerting,
  about: AlertKind,
  incidents: readonly Incident[],
): Promise<void> {
  const { emails, metadata, signInFailures, tokens, locale, consoleUrl, now } = services
  const metadataKey = `alerted ${about}`
  const readKnown = async (): Promise<readonly string[]> =>
    JSON.parse((await metadata.find(metadataKey)) ?? "[]")
  const known = await readKnown()
  const fresh = incidents.filter(({ key }) => !known.includes(key))
  async function remember(sent: readonly Incident[]): Promise<void> {
    // Another node may have sent others. An incident that has ended and begins again is a new one.
    const sentBefore = await readKnown()
    const all = incidents.filter((each) => sentBefore.includes(each.key) || sent.includes(each))
    await metadata.put(metadataKey, JSON.stringify(all.map(({ key }) => key)))
  }
  if (fresh.length === 0) {
    if (known.length > incidents.length) await remember([])
    return
  }
  const addresses = await listAddresses(services)
  if (addresses.length === 0) return
  const due: Incident[] = []
  for (const [limitedBy, group] of Map.groupBy(fresh, (each) => each.limitedBy)) {
    const limits = [{ bucket: tokens.digest(`alert ${about} ${limitedBy}`), failuresMax: 1 }]
    const isLimited = (await signInFailures.take(limits, now().getTime(), hourWindowMs)) !== null
    if (!isLimited) due.push(...group)
  }
  if (due.length === 0) return
  const problems = due.flatMap(({ messages }) => messages)
  const alert = { kind: "alert", about, problems, url: consoleUrl, locale } as const
  const expiresAt = secondsAfter(now(), alertSeconds)
  await emails.insert(addresses.map((to) => encryptEmail(services, { ...alert, to }, expiresAt)))
  await remember(due)
}

async function listAddresses({ operators }: Pick<Alerting, "operators">) {
  const receivers = (await operators.list()).filter((each) => each.hasAlerts && mayGetAlerts(each))
  return [...new Set(receivers.flatMap(({ email }) => email ?? []))]
}

type OverduePullServices = Readonly<{
  pulls: Pick<PullStore, "list">
  messages: Pick<MessageStore, "enqueue">
  now: () => Date
}>

/** Once per pull until it succeeds again, on whatever node. */
export async function enqueueOverduePulls({
  pulls,
  messages,
  now,
}: OverduePullServices): Promise<void> {
  const nowMs = now().getTime()
  const overdue = (await pulls.list()).filter((pull) => isOverdue(pull, nowMs))
  for (const pull of overdue) {
    const { name, lastReadAt, lastSuccessAt } = pull
    const data = renderData("pull.overdue", {
      name,
      due_at: formatTimestamp(new Date(dueMsOf(pull, nowMs) ?? nowMs)),
      ...(lastSuccessAt === null ? {} : { last_success_at: lastSuccessAt }),
    })
    const idempotencyKey = `pull.overdue ${lastReadAt ?? "never"} ${name}`
    const at = formatTimestamp(now())
    await messages.enqueue({ type: "pull.overdue", at, account: null, data, idempotencyKey })
  }
}

export async function listIncidents(
  { feed, pulls, endpoints, metadata }: Pick<Store, "feed" | "pulls" | "endpoints" | "metadata">,
  now: Date,
): Promise<ReadonlyMap<AlertKind, readonly Incident[]>> {
  const runs = await feed.listTroubledRuns(now, runsMax)
  const [stopped, others] = [runs.filter(isMassChange), runs.filter((run) => !isMassChange(run))]
  const failedBackup = await metadata.find(failedBackupMetadataKey)
  const disabled = listAutoDisabled(await endpoints.listAll())
  return new Map<AlertKind, readonly Incident[]>([
    [
      "mass_change",
      stopped.map((run) => {
        const { id, via, source } = run
        // A file or pull that is stopped again is the same incident; pushes are unrelated.
        const key = via === "push" ? `${id}` : `${via} ${source}`
        return { ...toIncident(key, checkImportRun(run)), limitedBy: `${via} ${source}` }
      }),
    ],
    [
      "import",
      others
        .filter((run) => !isSeen(run))
        .map((run) => toIncident(`${run.id}`, checkImportRun(run))),
    ],
    [
      "pull",
      (await pulls.list()).flatMap((pull) =>
        checkPull(pull, now).map((each) => toIncident(`${pull.name} ${pull.lastReadAt}`, each)),
      ),
    ],
    ["backup", checkFailedBackup(failedBackup).map((finding) => toIncident("backup", finding))],
    [
      "webhook",
      disabled.map((endpoint) =>
        toIncident(`${endpoint.id} ${endpoint.disabled?.at}`, describeDisabled(endpoint)),
      ),
    ],
  ])
}

/** A mass change needs a decision, and the source's data is outdated until then. */
function isMassChange({ problem, outcome }: ImportRun): boolean {
  const code = (problem ?? outcome?.removalProblem)?.code ?? ""
  return ["too_many_deletes", "too_many_revokes", "too_many_missing"].includes(code)
}

/** Rejected lines, which a person who runs the command has seen. */
const isSeen = ({ problem, outcome }: ImportRun) =>
  outcome?.isByHand === true &&
  (problem === null ? outcome.removalProblem === null : problem.code === "rejected_strictly")

function toIncident(key: string, { messages }: Finding): Incident {
  if (messages === undefined) throw new Error("an incident has no translated message")
  const { detail, why, hint } = messages
  return { key, limitedBy: "", messages: [detail, why, hint].filter((each) => each !== null) }
}
