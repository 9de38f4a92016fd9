/** Fills a store with a month of traffic, as it is with every key in use: the most that the console can meet. */
import type { RunOutcome } from "../../src/domain/feed/import-run.ts"
import type { Store } from "../../src/domain/store.ts"
import {
  type KeySighting,
  noBound,
  type TrafficCount,
  type UsageCount,
} from "../../src/domain/usage/usage.ts"
import {
  daysBefore,
  formatTimestamp,
  lastDays,
  secondsBefore,
} from "../../src/domain/values/time/timestamp.ts"
import { reasonsOf, routes } from "../../src/metrics/labels.ts"
import { durationBounds } from "../../src/metrics/memory.ts"

const now = new Date()
const at = formatTimestamp(now)
const keptDays = lastDays(at, 2)

/** Every number that a server writes. */
const counts: readonly TrafficCount[] = [
  ...routes.flatMap((operation) => [
    ...reasonsOf[operation].map((detail) => ({ kind: "request" as const, operation, detail })),
    ...[...durationBounds.map(String), noBound].map((detail) => ({
      kind: "duration" as const,
      operation,
      detail,
    })),
  ]),
  ...["ok", "wrong", "throttled", "suspended"].map((detail) => ({
    kind: "sign_in" as const,
    operation: "",
    detail,
  })),
].map((each, index) => ({ ...each, count: 1 + ((index * 7919) % 10_000) }))

export async function fillTraffic(store: Store, usernames: readonly string[]) {
  for (let hour = 0; hour < 30 * 24; hour += 1) {
    await store.counts.add(secondsBefore(now, hour * 3_600), { traffic: counts })
  }
  for (const day of keptDays) {
    await store.counts.add(`${day}T12:00:00Z`, {
      signIns: usernames.map((username, index) => ({
        username,
        outcome: "wrong",
        signIns: index + 1,
      })),
    })
  }
}

const outcomes = ["ok", "unknown_code", "revoked_code", "invalid_parameter"] as const

/** Every hundredth key looks shipped. */
export async function fillKeys({ counts }: Store, keyIds: readonly string[]): Promise<void> {
  for (const [index, keyId] of keyIds.entries()) {
    const calls = keptDays.flatMap((day) =>
      outcomes.map(
        (outcome): UsageCount => ({
          keyId,
          operation: "validate_purchase",
          outcome,
          hour: `${day}T12:00:00Z`,
          calls: 1 + ((index * 31) % 500),
        }),
      ),
    )
    const sightings = Array.from(
      { length: index % 100 === 0 ? 500 : 5 },
      (_, network): KeySighting => ({
        keyId,
        network: `10.${network >> 8}.${network & 255}.0/24`,
        lastUsedAt: daysBefore(at, network % 10),
      }),
    )
    await counts.add(at, { calls, sightings })
  }
}

const outcome: RunOutcome = {
  counts: { accepted: 2_000_000, adjusted: 15_992, waiting: 0, rejected: 714, removed: 0 },
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
