/** The sender of webhooks, put together. One thread of each program runs it. */
import { version } from "../../package.json"
import type { Metrics } from "../counters/metrics.ts"
import { every } from "../domain/values/time/timers.ts"
import type { Log } from "../log/log.ts"
import { bodyOf } from "../operations/events/endpoints.ts"
import { tellOverduePulls } from "../operations/events/overdue-pulls.ts"
import { createEndpointVault } from "../secrets/vaults.ts"
import { createLookups, lookUpHost, lookupTimes } from "../webhooks/lookups.ts"
import { openSender } from "../webhooks/sender.ts"
import { createFindTarget } from "../webhooks/target.ts"
import type { App } from "./app.ts"
import type { Housekeeping } from "./housekeeping.ts"

type WebhookServices = Readonly<{
  app: Pick<App, "store" | "eventVault" | "masterKeys" | "now" | "targetRules">
  metrics: Metrics
  log: Log
}>

const overdueEveryMs = 60_000

export function openWebhooks(services: WebhookServices): Housekeeping {
  const { app, metrics, log } = services
  const { messages, pulls } = app.store
  const sender = openSender({
    messages,
    vault: createEndpointVault(app.masterKeys),
    bodyOf: ({ endpoint, event }) => bodyOf(app.eventVault, endpoint, event),
    findTarget: createFindTarget(app.targetRules, createLookups(lookUpHost, lookupTimes)),
    nowMs: () => Date.now(),
    every,
    random: Math.random,
    version,
    onSent(result) {
      metrics.webhookDeliveries[result] += 1
    },
    onWaiting(messages) {
      metrics.server.webhookQueue = messages
    },
    onFault: (fault) => log.failure("webhooks could not be sent", fault),
  })
  const stopTelling = every(overdueEveryMs, () => {
    tellOverduePulls({ pulls, messages, now: app.now }).catch((fault) =>
      log.failure("overdue pulls could not be told", fault),
    )
  })
  return {
    async close() {
      stopTelling()
      await sender.close()
    },
  }
}
