import type { MetadataStore } from "../../domain/store.ts"
import type { OperatorReads } from "../../domain/usage/operator-reads.ts"
import {
  addPurchaseDay,
  type PurchaseTotals,
  parseTrends,
  type Trends,
  trendsMark,
  type ValidationTotals,
  weekBefore,
} from "../../domain/usage/trends.ts"
import { formatTimestamp, lastRange, type Timestamp } from "../../domain/values/time/timestamp.ts"
import { goThrough, type Pace } from "./forget-expired.ts"

type CountedStores = Readonly<{
  operatorReads: Pick<OperatorReads, "countPurchases" | "countValidations">
  metadata: Pick<MetadataStore, "find" | "put">
}>

/** A batch blocks a thread of an embedded store. An item with 50,000 purchases takes 5 ms. */
const itemsMax = 5
const keysMax = 50

/** Counts purchases and validations in small batches. If two servers do so at the same time, the last one wins. */
export async function recordTrends(
  { operatorReads, metadata }: CountedStores,
  { now, pause }: Pace,
): Promise<PurchaseTotals> {
  const at = formatTimestamp(now())
  const totals = { valid: 0, revoked: 0 }
  await goThrough(0, pause, async (after) => {
    const { valid, revoked, last } = await operatorReads.countPurchases(after, itemsMax)
    totals.valid += valid
    totals.revoked += revoked
    return last
  })
  async function countValidations(until: Timestamp): Promise<ValidationTotals> {
    const sums = { validations: 0, unknown: 0 }
    await goThrough("", pause, async (after) => {
      const batch = await operatorReads.countValidations(lastRange(until, 2), after, keysMax)
      sums.validations += batch.validations
      sums.unknown += batch.unknown
      return batch.last
    })
    return sums
  }
  const validations = {
    recent: await countValidations(at),
    weekBefore: await countValidations(weekBefore(at)),
  }
  const days = parseTrends(await metadata.find(trendsMark))?.purchases ?? []
  const trends: Trends = { purchases: addPurchaseDay(days, at, totals), validations }
  await metadata.put(trendsMark, JSON.stringify(trends))
  return totals
}
