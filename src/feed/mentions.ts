/** The records that a batch mentions: a store reads these, and nothing else, before the rules run. */

import type { ExistingRecords } from "./batch.ts"
import {
  type AccountPatch,
  type DatedIdentity,
  type DatedKind,
  datedIdentityOf,
  type FeedRecord,
} from "./feed-record.ts"

export type Mentions = Readonly<ReturnType<typeof noMentions>>

const noMentions = () => ({
  usernames: new Set<string>(),
  itemIds: new Set<number>(),
  /** Records that the batch itself contains: only their bodies are compared. */
  broughtUsernames: new Set<string>(),
  broughtItemIds: new Set<number>(),
  codes: new Set<string>(),
  lookups: [] as Uint8Array[], // an empty list says nothing of its type
  deletedUsernames: new Set<string>(),
  deletedItemIds: new Set<number>(),
})

export function mentionsOf(records: readonly FeedRecord[]): Mentions {
  const mentions = noMentions()
  for (const record of records) addMentions(mentions, record)
  return mentions
}

function addMentions(mentions: Mentions, record: FeedRecord): void {
  const { kind, identity } = datedIdentityOf(record)
  if (kind === "account") mentions.usernames.add(identity)
  else if (kind === "item") mentions.itemIds.add(Number(identity))
  else mentions.codes.add(identity)
  switch (record.type) {
    case "account":
    case "patched account":
      addAccount(mentions, identity, record)
      break
    case "item":
      mentions.usernames.add(record.item.author)
      mentions.broughtItemIds.add(record.item.id)
      break
    case "patched item":
      if (record.author !== undefined) mentions.usernames.add(record.author)
      mentions.broughtItemIds.add(record.id)
      break
    case "purchase":
      mentions.itemIds.add(record.purchase.itemId)
      break
    case "patched purchase":
      if (record.itemId !== undefined) mentions.itemIds.add(record.itemId)
      break
    case "deleted account":
      mentions.deletedUsernames.add(identity)
      break
    case "deleted item":
      mentions.deletedItemIds.add(record.id)
  }
}

function addAccount(
  mentions: Mentions,
  username: string,
  { key, was }: Pick<AccountPatch, "key" | "was">,
): void {
  mentions.usernames.add(username)
  mentions.broughtUsernames.add(username)
  if (key !== null) mentions.lookups.push(...key.lookups)
  if (was === undefined) return
  mentions.usernames.add(was)
  mentions.broughtUsernames.add(was)
  // Later records of the batch may delete the account under its new name.
  mentions.deletedUsernames.add(was)
}

type PresentRecords = Pick<ExistingRecords, "accounts" | "items" | "purchases">

/** Absent items and purchases may be pending. */
export const absentPendingOf = (
  { itemIds, codes }: Mentions,
  { items, purchases }: PresentRecords,
): readonly DatedIdentity[] => [
  ...listAbsent("item", items, itemIds),
  ...listAbsent("purchase", purchases, codes),
]

const listAbsent = <Identity>(
  kind: DatedKind,
  found: ReadonlyMap<Identity, unknown>,
  identities: ReadonlySet<Identity>,
): readonly DatedIdentity[] =>
  [...identities]
    .filter((identity) => !found.has(identity))
    .map((identity) => ({ kind, identity: `${identity}` }))

/** Absent records may have a tombstone. */
export const absentOf = (
  { broughtUsernames, deletedUsernames, broughtItemIds, deletedItemIds, codes }: Mentions,
  { accounts, items, purchases }: PresentRecords,
): readonly DatedIdentity[] => [
  ...listAbsent("account", accounts, broughtUsernames.union(deletedUsernames)),
  ...listAbsent("item", items, broughtItemIds.union(deletedItemIds)),
  ...listAbsent("purchase", purchases, codes),
]
