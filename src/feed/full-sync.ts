/**
 * Deletes records that a complete feed does not contain. A line that may be about a stored record must identify it, even
 * a rejected one.
 */
import { type Message, message } from "../platform/problem.ts"
import { trimWhitespace } from "../platform/text.ts"
import { normalizePurchaseCode } from "../purchases/purchase.ts"
import { type AsOf, type DatedIdentity, datedIdentityOf, type FeedRecord } from "./feed-record.ts"
import type { FeedWriter, RetainedRecord } from "./import-run.ts"
import {
  type ChooseAsOf,
  describeRow,
  type EndCounts,
  findIdentity,
  findPreviousUsername,
  findTypeWithoutIdentity,
  type ParsedLine,
} from "./parse-line.ts"

export type FullSyncOptions = Readonly<{
  /** When the source was read. Null uses the earliest timestamp of its records, or the start of the import. */
  asOf: AsOf | null
  /** Called for records that are not in the feed, but stay because others refer to them. */
  onRetained(record: RetainedRecord): void
}>

export function createFullSync({ asOf, onRetained }: FullSyncOptions, now: () => Date) {
  const fileAsOf: AsOf = asOf ?? { ms: now().getTime(), isArrival: false, isOfRun: true }
  let earliestMs = fileAsOf.ms
  const found = { accounts: 0, items: 0, purchases: 0 }
  let end: EndCounts | null = null
  let isEndLast = true
  let unidentified: Message | null = null
  const mentions: FeedRecord[] = []

  /** No record is older than the file: `removeOlder` deletes all records that are. */
  const chooseAsOf: ChooseAsOf = (own) => {
    const isOwn = own !== undefined && (asOf === null || own.ms > fileAsOf.ms)
    const chosen = isOwn ? own : fileAsOf
    earliestMs = Math.min(earliestMs, chosen.ms)
    return chosen
  }

  function findProblem(): Message | null {
    if (unidentified !== null) return unidentified
    if (end === null) return message("no_end_line")
    if (!isEndLast) return message("records_after_end")
    for (const type of Object.values(plurals)) {
      const [expected, counted] = [end[type], found[type]]
      if (expected !== counted)
        return message("wrong_end_count", { type, expected, found: counted })
    }
    return null
  }

  async function writeMentions(writer: FeedWriter, line: number, countMin: number): Promise<void> {
    if (mentions.length >= countMin) await writer.put(now(), mentions.splice(0), line)
  }

  return {
    chooseAsOf,
    add(parsed: ParsedLine): void {
      if (end !== null) isEndLast = false
      const kind = findRecordIdentity(parsed)?.kind ?? findTypeWithoutIdentity(parsed.line)
      if (kind !== null) found[plurals[kind]] += 1
      else {
        const { line } = parsed
        unidentified ??= message("unnamed_record", { line: line.number, row: describeRow(line) })
      }
    },
    addEnd(counts: EndCounts): void {
      if (end !== null) isEndLast = false
      end = counts
    },
    /** Keeps the record of a rejected line from being deleted. */
    keep(rejected: ParsedLine): void {
      const chosen = rejected.record?.asOf ?? chooseAsOf(undefined)
      if (chosen === undefined) return
      // Not the timestamp of the run: a later valid row of this record does not repeat a rejected one.
      const asOf = { ms: chosen.ms - 1, isArrival: false }
      earliestMs = Math.min(earliestMs, asOf.ms)
      const mention = (of: DatedIdentity) => mentions.push({ type: "mentioned", ...of, asOf })
      const identity = findRecordIdentity(rejected)
      if (identity !== null) mention(identity)
      // After a rejected rename, the account still has its old name.
      const was = findPreviousUsername(rejected.line)
      if (was !== null) mention({ kind: "account", identity: trimWhitespace(was) })
    },
    writeMentions,
    /** Called once, after all other writes. Returns why nothing was deleted, or null. */
    async removeOthers(writer: FeedWriter, line: number): Promise<Message | null> {
      await writeMentions(writer, line, 1)
      const problem = findProblem()
      if (problem !== null) return problem
      const { retained, excess } = await writer.removeOlder(now(), earliestMs)
      for (const record of retained) onRetained(record)
      return excess
    },
  }
}

function findRecordIdentity({ line, record }: ParsedLine): DatedIdentity | null {
  if (record !== null) return datedIdentityOf(record)
  const { type, identity = "" } = findIdentity(line)
  if (type === "account") return toIdentity(type, trimWhitespace(identity))
  if (type === "item")
    return toIdentity(type, /^\d{1,16}$/.test(identity.trim()) ? `${Number(identity)}` : "")
  return type === "purchase" ? toIdentity(type, normalizePurchaseCode(identity) ?? "") : null
}

const toIdentity = (kind: DatedIdentity["kind"], identity: string): DatedIdentity | null =>
  identity === "" ? null : { kind, identity }

const plurals = { account: "accounts", item: "items", purchase: "purchases" } as const
