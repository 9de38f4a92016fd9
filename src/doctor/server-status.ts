/** The state of a database and its servers, as `pazar doctor` prints it first and the console shows it. */
import { isOverdue } from "../domain/feed/pull.ts"
import { nodeGoneSeconds } from "../domain/health/node.ts"
import { findLastBackup, type Store } from "../domain/store.ts"
import { secondsBefore } from "../domain/values/time/timestamp.ts"

export async function readServerStatus({ feed, nodes, pulls, metadata }: Store, now: Date) {
  return {
    lastImport: (await feed.listRuns(1))[0] ?? null,
    pulls: (await pulls.list()).map((pull) => ({
      ...pull,
      isOverdue: isOverdue(pull, now.getTime()),
    })),
    waiting: await feed.readPending(needsMax),
    /** The servers that use the database, on this machine and on others. */
    nodes: await nodes.list(secondsBefore(now, nodeGoneSeconds)),
    /** Null with PostgreSQL, too. */
    lastBackup: await findLastBackup(metadata),
  }
}

/** More do not fit on a screen. */
const needsMax = 10
