/** Fills a store with a month of traffic, so that every page has something to show. */
import { noCounts, noRemarks, type RunOutcome } from "../../src/domain/feed/import-run.ts"
import type { AuditEvent } from "../../src/domain/sign-in/audit-event.ts"
import type { Store } from "../../src/domain/store.ts"
import { type FailedCall, failedCallsMax } from "../../src/domain/usage/failed-calls.ts"
import type { KeyNetwork, UsageCount } from "../../src/domain/usage/usage.ts"
import { formatTimestamp, lastDays, secondsBefore } from "../../src/domain/values/time/timestamp.ts"

const now = new Date()
const at = formatTimestamp(now)
/** On SQLite a batch is one transaction; on PostgreSQL one statement, which has a deadline of 1.5 s. */
const rowsAtOnce = 500

const outcomes = ["ok", "unknown_code", "revoked_code", "invalid_parameter"] as const

/** Every hundredth key looks shipped. */
export async function fillKeys({ counts }: Store, keyIds: readonly string[]): Promise<void> {
  const days = lastDays(at, 30)
  const calls = keyIds.flatMap((keyId, index) =>
    days.flatMap((day) =>
      outcomes.map(
        (outcome): UsageCount => ({
          keyId,
          operation: "validate_purchase",
          outcome,
          day,
          calls: 1 + ((index * 31) % 500),
        }),
      ),
    ),
  )
  const networks = keyIds.flatMap((keyId, index) =>
    Array.from(
      { length: index % 100 === 0 ? 50 : 5 },
      (_, network): KeyNetwork => ({
        keyId,
        network: `10.${network >> 8}.${network & 255}.0/24`,
        lastDay: days[29 - (network % 7)] ?? "",
      }),
    ),
  )
  await inBatches(calls, (some) => counts.add(at, { calls: some }))
  await inBatches(networks, (some) => counts.add(at, { networks: some }))
}

/** As many failed calls as an author's log keeps; those with the last key are with one that was stopped. */
export async function fillLog({ counts }: Store, keyIds: readonly string[]): Promise<void> {
  const failures = Array.from({ length: failedCallsMax }, (_, call): FailedCall => {
    const isStopped = call % 5 === 0
    const when = secondsBefore(now, call * 1_000)
    return {
      keyId: (isStopped ? keyIds.at(-1) : keyIds[call % (keyIds.length - 1)]) ?? "",
      operation: "validate_purchase",
      reason: isStopped ? "revoked_key" : call % 3 === 0 ? "invalid_parameter" : "unknown_code",
      network: `10.0.${call % 250}.0/24`,
      code: isStopped ? "" : `0b7d3c1e-…-${call}`,
      firstAt: when,
      lastAt: when,
      calls: call + 1,
    }
  })
  await counts.add(at, { failures })
}

const outcome: RunOutcome = {
  ...noRemarks,
  counts: { ...noCounts, accepted: 2_000_000, adjusted: 15_992, rejected: 714 },
  removalProblem: "it has no end line, so it may have been cut off",
  refusals: {
    groups: Array.from({ length: 30 }, (_, index) => ({
      type: "item",
      member: `media.${index}`,
      reason: "is missing",
      cause: "itself",
      lines: 100 - index,
      firstLine: index,
      firstIdentity: `item ${index}`,
    })),
    otherKinds: 3,
    otherProblems: 12,
  },
}

export async function fillImports({ feed }: Store): Promise<void> {
  for (const via of ["file", "pull", "push"] as const) {
    for (let run = 0; run < 300; run += 1) {
      const writer = await feed.openBatches({ source: `${via} ${run % 3}`, via })
      await writer.put([], 1_000)
      await writer.finish(outcome)
    }
  }
}

const auditEvents = 100_000

/** A tenth of the events is about the first of these accounts. */
export async function fillAudit(
  { audit }: Store,
  accounts: readonly Readonly<{ id: number; username: string }>[],
): Promise<void> {
  const events = Array.from({ length: auditEvents }, (_, index): AuditEvent => {
    const account = accounts[index % 10 === 0 ? 0 : index % accounts.length] ?? null
    return {
      kind: "key",
      action: index % 2 === 0 ? "created" : "revealed",
      at: secondsBefore(now, (auditEvents - index) * 300),
      actor: { kind: "author", name: account?.username ?? "", network: "10.0.0.0/24" },
      account,
      subjectId: `key_${index}`,
      subjectName: `Key ${index}`,
      count: 1,
    }
  })
  await inBatches(events, (some) => audit.insert(...some))
}

async function inBatches<Row>(
  rows: readonly Row[],
  write: (some: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await write(rows.slice(from, from + rowsAtOnce))
  }
}
