/** The facts of the console's status page. All of it is quick enough for a page. */
import { version } from "../../package.json"
import type { Config } from "../config/config.ts"
import { checkClock } from "../doctor/check-clock.ts"
import { checkMachine, readDisk } from "../doctor/check-machine.ts"
import { listDoubts } from "../doctor/check-settings.ts"
import { checkWaiting } from "../doctor/check-store.ts"
import { isOverdue } from "../domain/feed/pull.ts"
import { nodeGoneSeconds } from "../domain/running/node.ts"
import { lastBackupMark, type Store } from "../domain/store.ts"
import { secondsBefore } from "../domain/values/time/date-arithmetic.ts"
import type { ConsoleStatus } from "../http/console/frame/services.ts"
import { describeStore } from "../store/open.ts"

/** `wallClock`, because the heartbeats of nodes have its time. */
export async function readConsoleStatus(
  config: Config,
  store: Store,
  wallClock: () => Date,
): Promise<ConsoleStatus> {
  const now = wallClock()
  const [lastImport = null] = await store.feed.listRuns(1)
  const pulls = await store.pulls.list()
  const findings = [
    ...listDoubts(config),
    ...checkMachine(config),
    ...(await checkClock(store.checks, now)),
    ...(await checkWaiting(store.feed, now)),
  ]
  return {
    version,
    store: {
      kind: config.store.kind,
      place: describeStore(config.store),
      schema: store.schemaVersion,
    },
    isReady: await store.probe().then(
      () => true,
      () => false,
    ),
    nodes: await store.nodes.list(secondsBefore(now, nodeGoneSeconds)),
    replicaLagSeconds: store.measure().replicaLagSeconds,
    disk: readDisk(config),
    lastImport,
    pulls: pulls.map((pull) => ({ ...pull, isOverdue: isOverdue(pull, now.getTime()) })),
    waiting: await store.feed.readWaiting(0),
    lastBackupAt: await store.metadata.find(lastBackupMark),
    warnings: findings.flatMap(({ check, level, detail, hint }) =>
      level === "ok" ? [] : [{ check, level, detail, hint }],
    ),
  }
}
