/** The records that a batch mentions: a store reads these, and nothing else, before the rules run. */
import type { DatedIdentity, DatedKind, FeedRecord, ImportedKey, Rename } from "./feed-record.ts"

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
  /** The former names of accounts. All keys of these accounts are needed, to re-encrypt them. */
  renamedUsernames: new Set<string>(),
})

export function mentionsOf(records: readonly FeedRecord[]): Mentions {
  const mentions = noMentions()
  for (const record of records) addMentions(mentions, record)
  return mentions
}

function addMentions(mentions: Mentions, record: FeedRecord): void {
  switch (record.type) {
    case "account":
      addAccount(mentions, record.account.username, record)
      break
    case "item":
      mentions.usernames.add(record.item.author)
      mentions.itemIds.add(record.item.id)
      mentions.broughtItemIds.add(record.item.id)
      break
    case "purchase":
      mentions.itemIds.add(record.purchase.itemId)
      mentions.codes.add(record.purchase.code)
      break
    case "patched account":
      addAccount(mentions, record.username, record)
      break
    case "patched item":
      if (record.author !== undefined) mentions.usernames.add(record.author)
      mentions.itemIds.add(record.id)
      mentions.broughtItemIds.add(record.id)
      break
    case "patched purchase":
      if (record.itemId !== undefined) mentions.itemIds.add(record.itemId)
      mentions.codes.add(record.code)
      break
    case "mentioned account":
      mentions.usernames.add(record.username)
      break
    case "mentioned item":
      mentions.itemIds.add(record.id)
      break
    case "deleted account":
      mentions.usernames.add(record.username)
      mentions.deletedUsernames.add(record.username)
      break
    case "deleted item":
      mentions.itemIds.add(record.id)
      mentions.deletedItemIds.add(record.id)
      break
    case "deleted purchase":
    case "mentioned purchase":
      mentions.codes.add(record.code)
  }
}

type BroughtAccount = Readonly<{ key: ImportedKey | null; was?: Rename | undefined }>

function addAccount(mentions: Mentions, username: string, { key, was }: BroughtAccount): void {
  mentions.usernames.add(username)
  mentions.broughtUsernames.add(username)
  if (key !== null) mentions.lookups.push(...(key.lookups ?? [key.lookup]))
  if (was === undefined) return
  mentions.usernames.add(was.from)
  mentions.broughtUsernames.add(was.from)
  mentions.renamedUsernames.add(was.from)
  // Later records of the batch may delete the account under its new name.
  mentions.deletedUsernames.add(was.from)
}

type PresentRecords = Readonly<{
  accounts: ReadonlyMap<string, unknown>
  items: ReadonlyMap<number, unknown>
  purchases: ReadonlyMap<string, unknown>
}>

/** Absent items and purchases may be pending. */
export const absentPendingOf = (
  { itemIds, codes }: Mentions,
  { items, purchases }: Pick<PresentRecords, "items" | "purchases">,
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
  ...listAbsent("account", accounts, broughtUsernames),
  ...listAbsent("account", accounts, deletedUsernames),
  ...listAbsent("item", items, broughtItemIds),
  ...listAbsent("item", items, deletedItemIds),
  ...listAbsent("purchase", purchases, codes),
]
