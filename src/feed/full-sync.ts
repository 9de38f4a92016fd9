/**
 * Deletes records that a complete feed does not contain. A line that may be about a stored record must identify it, even
 * a rejected one.
 */

import { type Message, message } from "../platform/problem.ts"
import { shortened } from "../platform/schema.ts"
import { trimWhitespace } from "../platform/text.ts"
import { normalizePurchaseCode } from "../purchases/purchase.ts"

import {
  type AsOf,
  type DatedIdentity,
  type DatedKind,
  type FeedRecord,
  identifyRecord,
} from "./feed-record.ts"
import type { FeedWriter, RetainedRecord } from "./import-run.ts"
import {
  type ChooseAsOf,
  decode,
  type EndCounts,
  type Line,
  type ParsedLine,
} from "./parse-line.ts"
import type { Identity } from "./rejections.ts"

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
      for (const identity of listIdentities(rejected))
        mentions.push({ type: "mentioned", ...identity, asOf })
    },
    writeMentions,
    /** Called once, after all other writes. Returns why nothing was deleted, or null. */
    async removeOthers(writer: FeedWriter, line: number): Promise<Message | null> {
      await writeMentions(writer, line, 1)
      const problem = unidentified ?? checkEnd(end, isEndLast, found)
      if (problem !== null) return problem
      const { retained, excess } = await writer.removeOlder(now(), earliestMs)
      for (const record of retained) onRetained(record)
      return excess
    },
  }
}

function checkEnd(end: EndCounts | null, isEndLast: boolean, found: EndCounts): Message | null {
  if (end === null) return message("no_end_line")
  if (!isEndLast) return message("records_after_end")
  for (const type of Object.values(plurals)) {
    const [expected, counted] = [end[type], found[type]]
    if (expected !== counted) return message("wrong_end_count", { type, expected, found: counted })
  }
  return null
}

function listIdentities(rejected: ParsedLine): readonly DatedIdentity[] {
  const identity = findRecordIdentity(rejected)
  const { type, was } = readFields(rejected.line)
  // After a rejected rename, the account still has its old name.
  const hasRename = type === "account" && typeof was === "string"
  return [
    ...(identity === null ? [] : [identity]),
    ...(hasRename ? [{ kind: "account", identity: trimWhitespace(was) } as const] : []),
  ]
}

function findRecordIdentity({ line, record }: ParsedLine): DatedIdentity | null {
  if (record !== null) return identifyRecord(record)
  const { type, identity: text = "" } = findIdentity(line)
  let identity = ""
  if (type === "account") identity = trimWhitespace(text)
  else if (type === "item") identity = /^\d{1,16}$/.test(text.trim()) ? `${Number(text)}` : ""
  else if (type === "purchase") identity = normalizePurchaseCode(text) ?? ""
  return type === undefined || identity === "" ? null : { kind: type, identity }
}

const plurals = { account: "accounts", item: "items", purchase: "purchases" } as const

const identityFields = { account: "username", item: "id", purchase: "purchase_code" } as const

const isRecordType = (type: unknown): type is keyof typeof identityFields =>
  typeof type === "string" && Object.hasOwn(identityFields, type)

export function findShortIdentity(line: Line): Identity {
  const { identity, ...type } = findIdentity(line)
  const isBlank = identity === undefined || trimWhitespace(identity) === ""
  return isBlank ? type : { ...type, identity: shortened(identity) }
}

/** Reads type and identity from a rejected line, which may be invalid. */
function findIdentity(line: Line): Readonly<{ type?: DatedKind; identity?: string }> {
  const fields = readFields(line)
  const { type } = fields
  if (!isRecordType(type)) return {}
  const identity = fields[identityFields[type]]
  if (typeof identity !== "string" && typeof identity !== "number") return { type }
  return { type, identity: String(identity) }
}

/** No stored record can be meant: shops have rows of purchases without a code. */
function findTypeWithoutIdentity(line: Line): DatedKind | null {
  const { type, ...fields } = readFields(line)
  if (!isRecordType(type)) return null
  const identity = fields[identityFields[type]] ?? ""
  return typeof identity === "string" && normalizePurchaseCode(identity) === "" ? type : null
}

const describedFields = ["type", "username", "author", "id", "item_id", "purchase_code", "date"]
const describedField = new RegExp(
  `"(${describedFields.join("|")})"\\s*:\\s*(?:"([^"\\\\]{1,200})|(\\d{1,20}))`,
  "g",
)

/** The fields by which a person finds the row, also in invalid JSON. */
function describeRow({ bytes, isOversize }: Line): string {
  const text = isOversize ? "" : new TextDecoder().decode(bytes)
  const found = text.matchAll(describedField)
  return [
    ...found.map(([, name, string, number]) => `${name} ${shortened(string ?? number ?? "")}`),
  ]
    .slice(0, describedFields.length)
    .join(", ")
}

function readFields(line: Line): Record<string, unknown> {
  if (line.isOversize) return {}
  try {
    const value: unknown = JSON.parse(decode(line))
    // Safe for objects from JSON.parse: inherited properties are not strings or numbers.
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
