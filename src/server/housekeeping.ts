/** Background work on one thread of each process: deletes expired rows and records a heartbeat. */
import { hostname } from "node:os"
import { version } from "../../package.json"
import { heartbeatSeconds, type Node, type NodeStore } from "../domain/health/node.ts"
import type { Store } from "../domain/store.ts"
import { daysBefore, formatTimestamp } from "../domain/values/time/timestamp.ts"
import { type Every, every } from "../domain/values/timers.ts"
import type { Log } from "../log/log.ts"
import {
  deleteExpired,
  pruneDeliveries,
  pruneUsage,
} from "../operations/maintenance/delete-expired.ts"
import { tokens } from "../secrets/sign-in/tokens.ts"
import type { App } from "./app.ts"
import type { BackgroundTask } from "./background-task.ts"

/** `url` and `threads` describe this server. `close` also closes `others`. */
export function openHousekeeping(
  { store, now }: Pick<App, "store" | "now">,
  log: Log,
  { url, threads }: Pick<Node, "url" | "threads">,
  others: readonly BackgroundTask[],
): BackgroundTask {
  const cleaning = openCleaning(store, now, log)
  const heartbeat = openNodeHeartbeat(
    { nodes: store.nodes, now, every, log },
    { id: tokens.create(), host: hostname(), url, version, threads },
  )
  return {
    async close() {
      await Promise.all([cleaning, heartbeat, ...others].map((each) => each.close()))
    },
  }
}

const roundEveryMs = 60_000
const roundsPerHour = 60
/** Far longer than a batch, so that requests get most of the CPU time. */
const pauseMs = 20

/** Deletes expired rows every minute, and old usage and deliveries every hour. Several processes may do so concurrently. */
function openCleaning(store: Store, now: () => Date, log: Log): BackgroundTask {
  let isClosed = false
  let rounds = 0

  async function pause(): Promise<void> {
    await Bun.sleep(pauseMs)
    if (isClosed) throw new HousekeepingClosed()
  }
  async function round(): Promise<void> {
    try {
      await deleteExpired(store, { now, pause })
      if (rounds % roundsPerHour === 0) {
        await pruneUsage(store.counts, store.sites, { now, pause })
        await pruneDeliveries(store.messages, { pause })
      }
      rounds += 1
    } catch (fault) {
      if (!(fault instanceof HousekeepingClosed)) {
        log.failure("failed to delete expired rows", fault)
      }
    }
  }
  let running = round()
  const timer = setInterval(() => {
    running = running.then(round)
  }, roundEveryMs)
  return {
    async close() {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
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

  async function record(): Promise<void> {
    const lastSeenAt = formatTimestamp(now())
    await nodes.put({ ...node, startedAt, lastSeenAt })
    await nodes.deleteExpired(daysBefore(lastSeenAt, retentionDays))
  }
  const orLog = (work: Promise<void>) =>
    work.catch((fault) => log.failure("node heartbeat failed", fault))

  let recording = orLog(record())
  const stopTimer = every(heartbeatSeconds * 1000, () => {
    recording = recording.then(() => orLog(record()))
  })
  return {
    async close() {
      stopTimer()
      await recording
      await orLog(nodes.remove(node.id))
    },
  }
}
