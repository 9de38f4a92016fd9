import { version } from "../../package.json"
import type { Metrics } from "../counters/metrics.ts"
import { every } from "../domain/values/timers.ts"
import type { Log } from "../log/log.ts"
import { bodyOf } from "../operations/events/endpoint-operations.ts"
import { enqueueOverduePulls } from "../operations/maintenance/send-alerts.ts"
import { createEndpointCipher } from "../secrets/ciphers.ts"
import { openSender } from "../webhooks/sender.ts"
import { createDnsResolver, createFindTarget, lookUpHost } from "../webhooks/target.ts"
import type { App } from "./app.ts"
import type { BackgroundTask } from "./background-task.ts"

const overdueEveryMs = 60_000

export function openWebhooks(app: App, metrics: Metrics, log: Log): BackgroundTask {
  const { messages, pulls } = app.store
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
    onPending(messages) {
      metrics.server.webhookQueue = messages
    },
    onFault: (fault) => log.failure("failed to deliver webhooks", fault),
  })
  const stopOverdueTimer = every(overdueEveryMs, () => {
    enqueueOverduePulls({ pulls, messages, now: app.now }).catch((fault) =>
      log.failure("failed to queue pull.overdue webhooks", fault),
    )
  })
  return {
    async close() {
      stopOverdueTimer()
      await sender.close()
    },
  }
}
