import { isOverdue } from "../domain/feed/feed-store.ts"
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
    pending: await feed.readPending(needsMax),
    nodes: await nodes.list(secondsBefore(now, nodeGoneSeconds)),
    /** Always null for PostgreSQL. */
    lastBackup: await findLastBackup(metadata),
  }
}

const needsMax = 10
