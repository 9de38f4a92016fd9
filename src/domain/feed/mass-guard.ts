import type { Message } from "../values/problems/problem.ts"
import type { FeedRecord } from "./feed-record.ts"
import {
  findExcess,
  type MassGuardOptions,
  standardLimits,
  TooManyChanges,
} from "./mass-changes.ts"
import {
  addCounts,
  addTally,
  isRevoked,
  type KindCounts,
  type MassCounts,
  noRecords,
  noTally,
  sumOf,
  type Tally,
} from "./tally.ts"

/** `countAtStart` returns the stored and pending records when the run began. */
export function openMassGuard(
  { limits = standardLimits, before = noTally }: MassGuardOptions,
  countAtStart: () => Promise<KindCounts>,
) {
  let committed = noTally
  let totals: KindCounts | null = null

  /** A run without deletions and revocations may continue, whatever the one before it did. */
  function findProblem(changes: MassCounts): Message | null {
    const removed = addCounts(committed.removed, changes.removed)
    const revoked = committed.revoked + changes.revoked
    const counts = {
      removed: sumOf(removed) === 0 ? removed : addCounts(before.removed, removed),
      revoked: revoked === 0 ? revoked : before.revoked + revoked,
    }
    return findExcess(limits, counts, totals ?? fewest)
  }
  return {
    /** Called before a batch is written. Records are counted only if the batch could exceed a limit. */
    async prepare(records: readonly FeedRecord[]): Promise<void> {
      if (totals !== null || findProblem(mostChangesOf(records)) === null) return
      totals = await countAtStart()
    },
    /** Called before changes are written, with all changes of the transaction. Throws TooManyChanges. */
    check(tally: Tally): void {
      const problem = findProblem(tally)
      if (problem !== null) throw new TooManyChanges(problem)
    },
    /** Called after the commit. */
    keep(tally: Tally): void {
      committed = addTally(committed, tally)
    },
    kept: () => committed,
    /** Includes `before`. */
    counted: (): MassCounts => ({
      removed: addCounts(before.removed, committed.removed),
      revoked: before.revoked + committed.revoked,
    }),
  }
}

/** If even these totals are not exceeded, the records need not be counted. */
const fewest: KindCounts = { account: 1, item: 1, purchase: 1 }

/** The most that the records can delete and revoke, whatever is stored. */
function mostChangesOf(records: readonly FeedRecord[]): MassCounts {
  const removed = { ...noRecords }
  let revoked = 0
  for (const record of records) {
    if (record.type === "deleted account") removed.account += 1
    else if (record.type === "deleted item") removed.item += 1
    else if (record.type === "deleted purchase") removed.purchase += 1
    else if (record.type === "purchase") revoked += isRevoked(record.purchase) ? 1 : 0
    else if (record.type === "patched purchase") revoked += isRevoked(record) ? 1 : 0
  }
  return { removed, revoked }
}
