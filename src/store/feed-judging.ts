/** The part of judging a feed that is the same for every database; see domain/feed-judging.ts. */
import { tombstoneName } from "../domain/as-of.ts"
import type { FeedRecord } from "../domain/feed.ts"
import { type JudgedRow, judgedRowsOf, overlayFound } from "../domain/feed-judging.ts"
import { absentWaitersOf, listDated, type Mentions } from "../domain/feed-mentions.ts"
import { createJudgedNames } from "../domain/feed-names.ts"
import type { NameChange } from "../domain/feed-rename.ts"
import { type Decision, decideBatch, type Found } from "../domain/feed-rules.ts"

/** The rows of the store and of the temporary table that a batch mentions. */
export type JudgingState = Readonly<{
  found: Found
  /** The rows that earlier batches left behind. */
  earlier: readonly JudgedRow[]
  /** Accounts and items that records of earlier batches refer to. */
  accountsInUse: Iterable<string>
  itemsInUse: Iterable<number>
}>

export type Judged = Readonly<{
  decision: Decision
  /** Whether any record waits, in the store or by a line that was judged. */
  hasWaiting: boolean
  /** To be applied to the temporary table in order, before `rows` come. */
  nameChanges: readonly NameChange[]
  /** Several may have one identity: the last of them counts. */
  rows: readonly JudgedRow[]
}>

export type Judging = Readonly<{
  /** The mentions of a batch under the names that the store has. */
  toStored(mentions: Mentions): Mentions
  judge(records: readonly FeedRecord[], state: JudgingState): Judged
}>

/** For one feed: it remembers which accounts the earlier batches renamed and removed. */
export function createJudging(): Judging {
  const names = createJudgedNames()
  let hasJudgedWaiting = false
  return {
    toStored: names.toStored,
    judge(records, { found: stored, earlier, accountsInUse, itemsInUse }) {
      const found = names.fromStored(stored)
      const withUse = {
        ...found,
        accountsInUse: new Set([...found.accountsInUse, ...accountsInUse]),
        itemsInUse: new Set([...found.itemsInUse, ...itemsInUse]),
      }
      const known = overlayFound(withUse, earlier)
      const decision = decideBatch(records, known, Date.now())
      const { changes } = decision
      for (const change of changes.nameChanges) names.apply(change)
      hasJudgedWaiting ||= changes.waiting.inserted.length > 0
      return {
        decision,
        hasWaiting: found.hasWaiting || hasJudgedWaiting,
        nameChanges: changes.nameChanges,
        rows: judgedRowsOf(changes),
      }
    },
  }
}

type Kind = JudgedRow["kind"]

const listWaiters = (mentions: Mentions) =>
  absentWaitersOf(mentions, { items: new Map(), purchases: new Map() })

/** The identities that a batch mentions, as the temporary table spells them. */
export function identitiesOf(mentions: Mentions): readonly (readonly [Kind, readonly string[]])[] {
  const texts = (identities: Iterable<unknown>) => Array.from(identities, String)
  return [
    ["account", texts(mentions.usernames)],
    ["item", texts(mentions.itemIds)],
    ["purchase", texts(mentions.codes)],
    ["tombstone", listDated(mentions).map(({ kind, identity }) => tombstoneName(kind, identity))],
    ["waiting", listWaiters(mentions).map(({ kind, identity }) => tombstoneName(kind, identity))],
    ["key", texts(mentions.keyIds)],
    ["password", texts(mentions.passwordUsernames)],
  ]
}

export const hexLookupsOf = ({ lookups }: Mentions) =>
  lookups.map((lookup) => Buffer.from(lookup).toString("hex"))

export const judgedColumns = `kind, identity, parent, lookup, value, as_of AS "asOf", is_gone AS "isGone"`
