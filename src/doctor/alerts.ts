/** Alerts operators by e-mail: each incident once, and at most one e-mail per hour and limit, whatever the number of nodes. */
import { dueMsOf, isOverdue, type PullStore } from "../feed/import-run.ts"
import { type AlertKind, alertSeconds } from "../mail/email.ts"
import { mayGetAlerts } from "../people/person.ts"
import { encryptEmail } from "../people/person-email-operations.ts"
import type { Encrypting, PeopleServices } from "../people/services.ts"
import { hourWindowMs, type SignInFailureStore } from "../people/sign-in-throttle.ts"
import type { MetadataStore } from "../platform/database/metadata.ts"
import type { Locale } from "../platform/locale.ts"
import type { Message } from "../platform/problem.ts"
import { formatTimestamp, secondsAfter } from "../platform/time.ts"
import type { MessageStore } from "../webhooks/message.ts"
import { renderData } from "../webhooks/webhook.ts"

/** `signInFailures` counts e-mails per hour. */
export type Alerting = Encrypting &
  Pick<PeopleServices, "emails" | "operators" | "tokens"> &
  Readonly<{ metadata: MetadataStore; signInFailures: SignInFailureStore }> &
  Readonly<{ locale: Locale; consoleUrl: string }>

export type Incident = Readonly<{
  /** Identifies the incident: a pull that becomes overdue again is another one. */
  key: string
  /** Incidents of a kind that share an e-mail per hour. */
  limitedBy: string
  messages: readonly Message[]
}>

/** `incidents` are the current ones. */
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
