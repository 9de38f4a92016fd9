/**
 * A full feed is everything: at its end the records that it does not name are removed. It must be
 * complete, and every line of it must name its record, also where the line is refused.
 */
import { normalizePurchaseCode } from "../domain/catalog/purchase-code.ts"
import type { AsOf, DatedIdentity } from "../domain/feed/as-of.ts"
import {
  datedIdentityOf,
  type FeedRecord,
  type FeedWriter,
  mentionOf,
  type RetainedRecord,
} from "../domain/feed/feed-record.ts"
import { excessOf, type MassLimits } from "../domain/feed/mass-changes.ts"
import { addCounts } from "../domain/feed/tally.ts"
import { type Message, message } from "../domain/values/problems/problem.ts"
import { trimWhitespace } from "../domain/values/text.ts"
import {
  type ChooseAsOf,
  type EndCounts,
  findIdentity,
  findPreviousUsername,
  type ParsedLine,
} from "./parse-line.ts"

export type FullSyncOptions = Readonly<{
  /** When the source was read; null: the earliest moment of its records, or when the import began. */
  asOf: AsOf | null
  /** For a record that is not in the feed and that others refer to. */
  onRetained(record: RetainedRecord): void
}>

export function createFullSync({ asOf, onRetained }: FullSyncOptions, limits: MassLimits) {
  const ofFile = asOf ?? { ms: Date.now(), isArrival: false }
  let earliestMs = ofFile.ms
  const found = { accounts: 0, items: 0, purchases: 0 }
  let end: EndCounts | null = null
  let isEndLast = true
  let unnamedLine: number | null = null
  const mentions: FeedRecord[] = []

  /** The moment of every record is at least that of the file: older ones are not in it. */
  const chooseAsOf: ChooseAsOf = (own) => {
    const isOwn = own !== undefined && (asOf === null || own.ms > ofFile.ms)
    const moment = isOwn ? own : ofFile
    earliestMs = Math.min(earliestMs, moment.ms)
    return moment
  }

  function findProblem(): Message | null {
    if (unnamedLine !== null) return message("unnamed_record", { line: unnamedLine })
    if (end === null) return message("no_end_line")
    if (!isEndLast) return message("records_after_end")
    for (const type of Object.values(plurals)) {
      const [expected, counted] = [end[type], found[type]]
      if (expected !== counted)
        return message("wrong_end_count", { type, expected, found: counted })
    }
    return null
  }

  async function removeOlder(writer: FeedWriter): Promise<Message | null> {
    const problem = findProblem() ?? (await refuseRemoval(writer, earliestMs, limits))
    if (problem !== null) return problem
    const { retained } = await writer.removeOlder(earliestMs)
    for (const record of retained) onRetained(record)
    return null
  }

  /** Writes what `keep` was told, once that makes a batch. */
  async function writeKept(writer: FeedWriter, line: number, batchRecords: number): Promise<void> {
    if (mentions.length >= batchRecords) await writer.put(mentions.splice(0), line)
  }

  return {
    chooseAsOf,
    /** For each line with a record or a problem. */
    add(judged: ParsedLine): void {
      if (end !== null) isEndLast = false
      const named = identityOf(judged)
      if (named === null) unnamedLine ??= judged.line.number
      else found[plurals[named.kind]] += 1
    },
    addEnd(counts: EndCounts): void {
      if (end !== null) isEndLast = false
      end = counts
    },
    /** Keeps the record of a refused line from being removed. */
    keep(refused: ParsedLine): void {
      const asOf = refused.record?.asOf ?? chooseAsOf(undefined)
      if (asOf === undefined) return
      const mention = (identity: DatedIdentity) => mentions.push({ ...mentionOf(identity), asOf })
      const named = identityOf(refused)
      if (named !== null) mention(named)
      // A refused renaming leaves the account under its old name.
      const was = findPreviousUsername(refused.line)
      if (was !== null) mention({ kind: "account", identity: trimWhitespace(was) })
    },
    writeKept,
    /** Called once, after everything else was written. Returns why nothing was removed; null if all was. */
    async removeOthers(writer: FeedWriter, line: number): Promise<Message | null> {
      await writeKept(writer, line, 1)
      return removeOlder(writer)
    },
  }
}

/** Null for a line that names no record. */
function identityOf({ line, record }: ParsedLine): DatedIdentity | null {
  if (record !== null) return datedIdentityOf(record)
  const { type, identity = "" } = findIdentity(line)
  switch (type) {
    case "account":
      return named(type, trimWhitespace(identity))
    case "item":
      return named(type, /^\d{1,16}$/.test(identity.trim()) ? `${Number(identity)}` : "")
    case "purchase":
      return named(type, normalizePurchaseCode(identity) ?? "")
    default:
      return null
  }
}

const named = (kind: DatedIdentity["kind"], identity: string): DatedIdentity | null =>
  identity === "" ? null : { kind, identity }

const plurals = { account: "accounts", item: "items", purchase: "purchases" } as const

/** Why nothing may be removed; null if few enough would go, with those that the feed has deleted itself. */
async function refuseRemoval(
  writer: FeedWriter,
  beforeMs: number,
  { deletesMax, options: { deletes } }: MassLimits,
): Promise<Message | null> {
  const { totals, older } = await writer.countOlder(beforeMs)
  const counts = addCounts(older, writer.countAgainstLimits().removed)
  const excess = excessOf(deletesMax, counts, totals)
  const needed = Math.max(...Object.values(counts))
  return excess && message("too_many_missing", { ...excess, option: deletes, needed })
}
