/** Alerts operators by e-mail: each incident once, and at most one e-mail an hour per kind, whatever the number of nodes. */

import { renderData } from "../../domain/events/event.ts"
import type { MessageStore } from "../../domain/events/message.ts"
import { dueMsOf, isOverdue, type PullStore } from "../../domain/feed/feed-store.ts"
import { type AlertKind, alertSeconds } from "../../domain/mail/email.ts"
import { hourWindowMs } from "../../domain/sign-in/sign-in-failures.ts"
import type { Locale } from "../../domain/values/locale.ts"
import type { Message } from "../../domain/values/problems/problem.ts"
import { formatTimestamp, secondsAfter } from "../../domain/values/time/timestamp.ts"
import type { Needs } from "../operation.ts"
import { type Encrypting, encryptEmail } from "../sign-in/invitation-operations.ts"

/** `signInFailures` counts e-mails per kind and hour. */
export type Alerting = Encrypting &
  Needs<"emails" | "operators" | "metadata" | "signInFailures" | "tokens"> &
  Readonly<{ locale: Locale; consoleUrl: string }>

/** `incidents` are the current ones, by a key that identifies them. */
export async function sendAlerts(
  services: Alerting,
  about: AlertKind,
  incidents: ReadonlyMap<string, readonly Message[]>,
): Promise<void> {
  const { emails, metadata, signInFailures, tokens, locale, consoleUrl, now } = services
  const key = `alerted ${about}`
  const known: readonly string[] = JSON.parse((await metadata.find(key)) ?? "[]")
  const current = [...incidents.keys()]
  const rememberCurrent = () => metadata.put(key, JSON.stringify(current))
  const fresh = current.filter((each) => !known.includes(each))
  if (fresh.length === 0) {
    // An incident that has ended and begins again is a new one.
    if (known.length > current.length) await rememberCurrent()
    return
  }
  const addresses = await listAddresses(services)
  if (addresses.length === 0) return
  const limits = [{ bucket: tokens.digest(`alert ${about}`), failuresMax: 1 }]
  const isLimited = (await signInFailures.take(limits, now().getTime(), hourWindowMs)) !== null
  if (isLimited) return
  const problems = fresh.flatMap((each) => incidents.get(each) ?? [])
  const alert = { kind: "alert", about, problems, url: consoleUrl, locale } as const
  const expiresAt = secondsAfter(now(), alertSeconds)
  await emails.insert(addresses.map((to) => encryptEmail(services, { ...alert, to }, expiresAt)))
  await rememberCurrent()
}

async function listAddresses({ operators }: Pick<Alerting, "operators">) {
  const all = (await operators.list()).flatMap(({ email }) => email ?? [])
  return [...new Set(all)]
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
    const { name, lastSuccessAt } = pull
    const data = renderData("pull.overdue", {
      name,
      due_at: formatTimestamp(new Date(dueMsOf(pull, nowMs) ?? nowMs)),
      ...(lastSuccessAt === null ? {} : { last_success_at: lastSuccessAt }),
    })
    const idempotencyKey = `pull.overdue ${lastSuccessAt ?? "never"} ${name}`
    const at = formatTimestamp(now())
    await messages.enqueue({ type: "pull.overdue", at, account: null, data, idempotencyKey })
  }
}
