/** Notes in the store once a minute that this server runs, and removes the note when it stops. */

import { type Node, type NodeStore, nodeSeenEverySeconds } from "../domain/running/node.ts"
import { daysBefore } from "../domain/values/time/date-arithmetic.ts"
import type { Every } from "../domain/values/time/every.ts"
import { formatTimestamp } from "../domain/values/time/timestamp.ts"
import type { Log } from "../log/log.ts"

export type NodeHeartbeat = Readonly<{ close(): Promise<void> }>

type HeartbeatServices = Readonly<{ nodes: NodeStore; now: () => Date; every: Every; log: Log }>

/** Rows of crashed nodes are kept this long. No command shows them, but an operator may read the table. */
const forgetDays = 1

export function openNodeHeartbeat(
  { nodes, now, every, log }: HeartbeatServices,
  node: Omit<Node, "startedAt" | "lastSeenAt">,
): NodeHeartbeat {
  const startedAt = formatTimestamp(now())

  async function note(): Promise<void> {
    const lastSeenAt = formatTimestamp(now())
    await nodes.put({ ...node, startedAt, lastSeenAt })
    await nodes.forget(daysBefore(lastSeenAt, forgetDays))
  }
  const orLog = (work: Promise<void>) =>
    work.catch((fault) => log.failure("this node could not be noted in the store", fault))

  let noting = orLog(note())
  const stopTimer = every(nodeSeenEverySeconds * 1000, () => {
    noting = noting.then(() => orLog(note()))
  })
  return {
    async close() {
      stopTimer()
      await noting
      await orLog(nodes.remove(node.id))
    },
  }
}
