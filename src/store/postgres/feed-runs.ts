/**
 * Neighbours of one type, no two of them about the same thing, need no order among themselves: the
 * server takes such a run as one statement. What stands between runs is mixed and keeps its order.
 */
import type { FeedRecord } from "../../domain/feed.ts"

export type CatalogueRecord = Exclude<FeedRecord, { type: "key" | "password" }>

export type Run = Readonly<{ type: "purchase" | "item" | "mixed"; records: CatalogueRecord[] }>

/** A statement for a whole run costs about as much as four for single records. */
const runRecordsMin = 8

export function cutIntoRuns(records: readonly CatalogueRecord[]): readonly Run[] {
  const runs: Run[] = []
  for (const neighbours of groupNeighbours(records)) {
    const type = typeOfRun(neighbours)
    const last = runs.at(-1)
    if (type === "mixed" && last?.type === "mixed") last.records.push(...neighbours)
    else runs.push({ type, records: neighbours })
  }
  return runs
}

function typeOfRun(neighbours: readonly CatalogueRecord[]): Run["type"] {
  const type = neighbours[0]?.type
  const isRun = neighbours.length >= runRecordsMin && (type === "purchase" || type === "item")
  return isRun ? type : "mixed"
}

function groupNeighbours(records: readonly CatalogueRecord[]): readonly CatalogueRecord[][] {
  const groups: CatalogueRecord[][] = []
  let group: CatalogueRecord[] = []
  let identities = new Set<unknown>()
  for (const record of records) {
    const identity = identityOf(record)
    if (record.type !== group[0]?.type || identities.has(identity)) {
      group = []
      groups.push(group)
      identities = new Set()
    }
    group.push(record)
    identities.add(identity)
  }
  return groups
}

function identityOf(record: CatalogueRecord): unknown {
  if (record.type === "item") return record.item.id
  return record.type === "purchase" ? record.purchase.code : record
}
