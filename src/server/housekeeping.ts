/** Background work on one thread of each process. */
import { hostname } from "node:os"
import { version } from "../../package.json"
import { auditSeconds } from "../access/audit-event.ts"
import { tokens } from "../access/token.ts"
import type { Config } from "../config/config.ts"
import { enqueueOverduePulls, listIncidents, sendAlerts } from "../doctor/alerts.ts"
import { tombstoneMs } from "../feed/feed-record.ts"
import { findMailFailure, recordMailServer } from "../mail/email.ts"
import { openEmailSender, openMailTransport } from "../mail/sender.ts"
import { answerReset } from "../people/invitation-operations.ts"
import { sessionIdleSeconds, sessionLifeSeconds } from "../people/session.ts"
import type { Log } from "../platform/log.ts"
import { daysBefore, formatTimestamp, secondsBefore, type Timestamp } from "../platform/time.ts"
import { type BackgroundTask, type Every, every, repeat } from "../platform/timers.ts"
import { heartbeatSeconds, type Node, type NodeStore } from "../store/node.ts"
import type { Store } from "../store/store.ts"
import type { Metrics } from "../usage/metrics.ts"
import { messageDays } from "../webhooks/delivery.ts"
import { bodyOf, disableFull } from "../webhooks/endpoint-operations.ts"
import { createDnsResolver, createFindTarget, lookUpHost, openSender } from "../webhooks/sender.ts"
import { createEndpointCipher } from "../webhooks/webhook.ts"
import type { App } from "./app.ts"
import { openDailyBackups } from "./daily-backups.ts"

type HousekeepingOptions = Readonly<{
  config: Config
  app: App
  url: string
  metrics: Metrics
  log: Log
}>

export function openHousekeeping(options: HousekeepingOptions): BackgroundTask {
  const { config, app, url, log } = options
  const { store, now } = app
  const { threads, backupFolder: folder } = config
  const self = { id: tokens.create(), host: hostname(), url, version, threads }
  const tasks = [
    openCleaning(store, now, log),
    openNodeHeartbeat({ nodes: store.nodes, now, every, log }, self),
    openWebhooks(options),
    ...openMail(options),
    ...(folder === null || config.store.kind !== "sqlite"
      ? []
      : [openDailyBackups({ ...store, path: config.store.path, folder, now, every, log })]),
  ]
  return {
    async close() {
      await Promise.all(tasks.map((each) => each.close()))
    },
  }
}

const minuteMs = 60_000
/** How often monitoring commonly reads metrics. */
const countEveryMs = 15_000
const roundsPerHour = 60
/** Far longer than a batch, so that requests get most of the CPU time. */
const pauseMs = 20

/** Deletes expired rows every minute, and old usage and deliveries every hour. Several processes may do so concurrently. */
function openCleaning(store: Store, now: () => Date, log: Log): BackgroundTask {
  let isClosed = false
  let rounds = 0

  /** Between two batches, so that requests are not delayed. */
  async function pause(): Promise<void> {
    await Bun.sleep(pauseMs)
    if (isClosed) throw new HousekeepingClosed()
  }
  async function round(): Promise<void> {
    try {
      await deleteExpired(store, now(), pause)
      if (rounds % roundsPerHour === 0) await prune(store, formatTimestamp(now()), pause)
      rounds += 1
    } catch (fault) {
      if (!(fault instanceof HousekeepingClosed))
        log.failure("failed to delete expired rows", fault)
    }
  }
  const cleaning = repeat(every, minuteMs, round)
  return {
    close() {
      isClosed = true
      return cleaning.close()
    },
  }
}

/** SQLite deletes this many rows in about 3 ms, during which it serves no request. */
const batchRowsMax = 300

async function deleteExpired(store: Store, now: Date, pause: () => Promise<void>): Promise<void> {
  const at = formatTimestamp(now)
  const idleSince = secondsBefore(now, sessionIdleSeconds)
  const createdBefore = secondsBefore(now, sessionLifeSeconds)
  const batches = [
    () => store.signInFailures.deleteExpired(now.getTime(), batchRowsMax),
    () => store.sessions.deleteExpired(idleSince, createdBefore, batchRowsMax),
    () => store.invitations.deleteExpired(at, batchRowsMax),
    () => store.signInLinks.deleteExpired(at, batchRowsMax),
    () => store.emails.deleteExpired(at, batchRowsMax),
    () => store.audit.deleteExpired(secondsBefore(now, auditSeconds), batchRowsMax),
    () => store.counts.deleteExpired(at, batchRowsMax),
    () => store.feed.deleteOldTombstones(now.getTime() - tombstoneMs, batchRowsMax),
    () => store.messages.deleteExpired(daysBefore(at, messageDays), batchRowsMax),
  ]
  for (const deleteBatch of batches) {
    while ((await deleteBatch()) >= batchRowsMax) await pause()
  }
}

/** Rows that are read: few of them have expired. */
const siteRowsMax = 2_000

/** Deletes old usage, sites and deliveries. */
async function prune(
  { counts, sites, messages }: Store,
  at: Timestamp,
  pause: () => Promise<void>,
): Promise<void> {
  /** Each step returns the next cursor, null at the end. */
  async function inBatches<Cursor>(first: Cursor, step: (after: Cursor) => Promise<Cursor | null>) {
    let after = await step(first)
    while (after !== null) {
      await pause()
      after = await step(after)
    }
  }
  await inBatches("", (after) => counts.prune(at, after, batchRowsMax))
  await inBatches<string | null>(null, (after) => sites.deleteExpired(at, after, siteRowsMax))
  await inBatches("", (after) => messages.prune(after, batchRowsMax))
}

class HousekeepingClosed extends Error {
  override name = "HousekeepingClosed"
}

/** Rows of crashed nodes are kept this long, for operators who query the table. */
const retentionDays = 1

/** Records every minute that this server runs, and deletes the record when it stops. */
export function openNodeHeartbeat(
  { nodes, now, every, log }: Readonly<{ nodes: NodeStore; now(): Date; every: Every; log: Log }>,
  node: Omit<Node, "startedAt" | "lastSeenAt">,
): BackgroundTask {
  const startedAt = formatTimestamp(now())
  const orLog = (work: Promise<void>) =>
    work.catch((fault) => log.failure("node heartbeat failed", fault))

  async function record(): Promise<void> {
    const lastSeenAt = formatTimestamp(now())
    await nodes.put({ ...node, startedAt, lastSeenAt })
    await nodes.deleteExpired(daysBefore(lastSeenAt, retentionDays))
  }
  const recording = repeat(every, heartbeatSeconds * 1000, () => orLog(record()))
  return {
    async close() {
      await recording.close()
      await orLog(nodes.remove(node.id))
    },
  }
}

function openWebhooks({ app, metrics, log }: HousekeepingOptions): BackgroundTask {
  const { endpoints, messages, pulls } = app.store
  const sender = openSender({
    messages,
    cipher: createEndpointCipher(app.masterKeys),
    bodyOf: ({ endpoint, event }) => bodyOf(app.eventCipher, endpoint, event),
    findTarget: createFindTarget(app.targetRules, createDnsResolver(lookUpHost)),
    nowMs: () => Date.now(),
    every,
    random: Math.random,
    version,
    onSent(result) {
      metrics.webhookDeliveries[result] += 1
    },
    onFault: (fault) => log.failure("failed to deliver webhooks", fault),
  })
  const stopOverdueTimer = every(minuteMs, () => {
    enqueueOverduePulls({ pulls, messages, now: app.now }).catch((fault) =>
      log.failure("failed to queue pull.overdue webhooks", fault),
    )
  })
  const counting = repeat(every, countEveryMs, async () => {
    try {
      metrics.server.webhookQueue = await disableFull({ endpoints, messages, now: app.now })
    } catch (fault) {
      log.failure("failed to count pending webhooks", fault)
    }
  })
  return {
    async close() {
      stopOverdueTimer()
      await counting.close()
      await sender.close()
    },
  }
}

function openMail({
  config: { mailServer, siteName, siteLocale: locale, publicUrl },
  app,
  url: ownUrl,
  metrics: { server: gauges },
  log,
}: HousekeepingOptions): readonly BackgroundTask[] {
  const url = publicUrl ?? ownUrl
  const mailing = app.createMailing(url)
  if (mailServer === null || mailing === null) return []
  const { store, emailCipher, now } = app
  const { people, operators, invitations } = store
  const onFault = (fault: unknown) => log.failure("failed to send e-mails", fault)
  const sender = openEmailSender({
    emails: store.emails,
    cipher: emailCipher,
    transport: openMailTransport(mailServer, siteName),
    siteName,
    signInUrl: `${url}/login`,
    answerReset: (email) =>
      answerReset({ people, operators, invitations, tokens, now }, mailing, email),
    nowMs: () => Date.now(),
    every,
    async wasFailing() {
      const failure = await findMailFailure(store.metadata)
      gauges.mailReady = failure === null ? 1 : 0
      return failure !== null
    },
    async onServer(problem) {
      gauges.mailReady = problem === null ? 1 : 0
      await recordMailServer(store.metadata, problem, formatTimestamp(now()))
    },
    onFault,
    onGivenUp: ({ message }) => log.warn("gave up an e-mail", { problem: message }),
  })
  const services = { ...store, emailCipher, tokens, now, locale, consoleUrl: `${url}/console` }

  async function alert(): Promise<void> {
    for (const [about, incidents] of await listIncidents(store, now()))
      await sendAlerts(services, about, incidents)
  }
  return [sender, repeat(every, minuteMs, () => alert().catch(onFault))]
}
