import { type MassLimits, standardLimits } from "../../../src/feed/batch.ts"
import type { FeedRecord, Verdict } from "../../../src/feed/feed-record.ts"
import type { ImportedKey, StoredKey } from "../../../src/keys/key.ts"
import type { Invitation } from "../../../src/people/session.ts"
import type { Store } from "../../../src/store/store.ts"
import type { Counts } from "../../../src/usage/usage.ts"
import { item, type Line, plainMedia } from "../records.ts"

export const accountRecord = (
  username: string,
  body = `{"username":"${username}"}`,
  isSuspended: boolean | null = false,
  key: ImportedKey | null = null,
): FeedRecord => ({
  type: "account",
  account: { username, body, isSuspended },
  key,
})

export const itemRecord = (author: string, id: number, isHidden = false): FeedRecord => ({
  type: "item",
  item: { id, author, isHidden, body: itemBody(id) },
})

/** The record is a little longer than `bytes`. */
export const longItemRecord = (author: string, id: number, bytes: number): FeedRecord => ({
  type: "item",
  item: {
    id,
    author,
    isHidden: false,
    body: JSON.stringify({ ...JSON.parse(itemBody(id)), x: "ü".repeat(bytes / 2) }),
  },
})

export const purchaseText = (code: string) => ({
  beforeItem: `{"code":"${code}","price":1,"currency":"USD","item":`,
  afterItem: ',"date":"2026-06-01T10:00:00Z"}',
})

/** The body of a `purchaseRecord` of an `itemRecord`. */
export function purchaseBody(code: string, itemId: number): string {
  const { beforeItem, afterItem } = purchaseText(code)
  return `${beforeItem}${itemBody(itemId)}${afterItem}`
}

export const purchaseRecord = (
  code: string,
  itemId: number,
  isRevoked = false,
  buyer: string | null = null,
): FeedRecord => ({
  type: "purchase",
  purchase: {
    code,
    itemId,
    isRevoked,
    buyer,
    ...purchaseText(code),
  },
})

export function itemBody(id: number, media: Line = plainMedia): string {
  const { type: _, author: __, ...body } = item("", id, { media })
  return JSON.stringify(body)
}

export const keyRecord = (id: string, changes: Partial<StoredKey> = {}): StoredKey => ({
  id,
  accountId: 0,
  username: "ada",
  kind: "sk",
  name: "Anahtar",
  itemIds: null,
  isSiteRequired: false,
  scope: null,
  lookup: new TextEncoder().encode(`look-up of ${id}`),
  encrypted: new Uint8Array([1, 2, 3]),
  createdAt: "2026-01-01T00:00:00Z",
  expiresAt: null,
  revokedAt: null,
  replacedAt: null,
  replacedBy: null,
  ...changes,
})

export const importedKeyRecord = (id: string): ImportedKey => {
  const { name, lookup, createdAt } = keyRecord(id)
  const encrypt = (accountId: number) => new TextEncoder().encode(`${id} of account ${accountId}`)
  return { id, kind: "imported", name, lookup, lookups: [lookup], createdAt, encrypt }
}

/** The problem of a rejected record, else null. */
export const rejectionOf = (verdict: Verdict | undefined) =>
  typeof verdict === "object" ? verdict : null

/** Returns `field: code` for rejected records. */
export const plainVerdicts = (verdicts: readonly Verdict[]) =>
  verdicts.map((verdict) => {
    const refusal = rejectionOf(verdict)
    return refusal === null ? verdict : `${refusal.field}: ${refusal.code}`
  })

/** For tests of mass deletions and revocations. */
export const withoutLimits: MassLimits = {
  ...standardLimits,
  deletesMax: { percent: 100 },
  revokesMax: { percent: 100 },
}

export async function put(store: Store, ...records: FeedRecord[]) {
  const origin = { source: "test", via: "file" } as const
  const writer = await store.feed.openBatches({ ...origin, limits: withoutLimits })
  return plainVerdicts(await writer.put(new Date(), records, records.length))
}

export async function accountId(store: Store, username: string): Promise<number> {
  const account = await store.accounts.findByUsername(username)
  if (account === null) throw new Error(`no account ${username}`)
  return account.id
}

/** Opens an empty store; the suites close it. */
export type OpenEmpty = () => Promise<Store>

/** Opens a store with two authors and returns their ids. */
export async function openWithAuthors(open: OpenEmpty): Promise<[Store, ada: number, bob: number]> {
  const store = await open()
  await put(store, accountRecord("ada"), accountRecord("bob"))
  return [store, await accountId(store, "ada"), await accountId(store, "bob")]
}

export const addUsage = ({ counts }: Pick<Store, "counts">, added: Partial<Counts>) =>
  counts.add("2026-06-30T12:30:00Z", added)

/** Returns the id of a person without a role. */
export async function addPerson(store: Store, name: string, email: string | null = null) {
  const id = await store.people.insert({ name, email, createdAt: "2026-06-01T08:00:00Z" })
  if (id === null) throw new Error(`${name} is taken`)
  return id
}

/** Returns the id of the person who owns the account. */
export async function addOwner(store: Store, accountId: number, name: string): Promise<number> {
  const id = await addPerson(store, name)
  await store.people.putMember(accountId, id, "owner", "2026-06-01T08:00:00Z")
  return id
}

/** A link to a new password of the person. `changes` can make it one for a role. */
export const invitationFor = (
  tokenDigest: Uint8Array,
  personId: number | null,
  changes: Partial<Invitation> = {},
): Invitation => ({
  id: `invitation ${Buffer.from(tokenDigest).toString("hex")}`,
  tokenDigest,
  personId,
  accountId: null,
  role: null,
  operatorRole: null,
  name: "",
  email: null,
  expiresAt: "2026-06-08T08:00:00Z",
  ...changes,
})
