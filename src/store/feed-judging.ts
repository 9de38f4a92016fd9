/** The part of judging a feed that is the same for every database; see domain/feed-judging.ts. */
import { tombstoneName } from "../domain/as-of.ts"
import type { FeedRecord, Verdict } from "../domain/feed.ts"
import { type JudgedRow, judgedRowsOf, overlayFound } from "../domain/feed-judging.ts"
import { listDated, type Mentions } from "../domain/feed-mentions.ts"
import { decideBatch, type Found } from "../domain/feed-rules.ts"

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
  verdicts: readonly Verdict[]
  /** The keys and passwords of these accounts must go from the temporary table, before `rows` come. */
  removedUsernames: readonly string[]
  /** Several may have one identity: the last of them counts. */
  rows: readonly JudgedRow[]
}>

export type Judging = Readonly<{
  judge(records: readonly FeedRecord[], state: JudgingState): Judged
}>

/** For one feed: it remembers which accounts the earlier batches removed. */
export function createJudging(): Judging {
  const removedAccounts = new Set<string>()
  return {
    judge(records, { found, earlier, accountsInUse, itemsInUse }) {
      const withUse = {
        ...found,
        accountsInUse: new Set([...found.accountsInUse, ...accountsInUse]),
        itemsInUse: new Set([...found.itemsInUse, ...itemsInUse]),
      }
      const known = overlayFound(withUse, earlier, removedAccounts)
      const { verdicts, changes } = decideBatch(records, known, Date.now())
      const removedUsernames = changes.accounts.removed.map(({ username }) => username)
      for (const username of removedUsernames) removedAccounts.add(username)
      return { verdicts, removedUsernames, rows: judgedRowsOf(changes) }
    },
  }
}

type Kind = JudgedRow["kind"]

/** The identities that a batch mentions, as the temporary table spells them. */
export function identitiesOf(mentions: Mentions): readonly (readonly [Kind, readonly string[]])[] {
  const texts = (identities: Iterable<unknown>) => Array.from(identities, String)
  return [
    ["account", texts(mentions.usernames)],
    ["item", texts(mentions.itemIds)],
    ["purchase", texts(mentions.codes)],
    ["tombstone", listDated(mentions).map(({ kind, identity }) => tombstoneName(kind, identity))],
    ["key", texts(mentions.keyIds)],
    ["password", texts(mentions.passwordUsernames)],
  ]
}

export const hexLookupsOf = ({ lookups }: Mentions) =>
  lookups.map((lookup) => Buffer.from(lookup).toString("hex"))

export const judgedColumns = `kind, identity, parent, lookup, value, as_of AS "asOf", is_gone AS "isGone"`
