import { expect, test } from "bun:test"
import type { KeyKind, StoredKey } from "../../domain/keys/api-key.ts"
import { findTestKey } from "./find-key.ts"

const now = () => new Date("2026-06-15T12:00:00Z")

const key = (id: string, kind: KeyKind, changes: Partial<StoredKey> = {}): StoredKey => ({
  id,
  accountId: 7,
  kind,
  itemIds: null,
  expiresAt: null,
  revokedAt: null,
  username: "ada",
  name: id,
  lookup: new Uint8Array(),
  sealed: Buffer.from(`secret of ${id}`),
  createdAt: "2026-01-01T00:00:00Z",
  replacedAt: null,
  replacedBy: null,
  ...changes,
})

const find = (...keys: readonly StoredKey[]) =>
  findTestKey(
    {
      keys: { list: async (accountId) => keys.filter((each) => each.accountId === accountId) },
      vault: { unseal: (sealed) => Buffer.from(sealed).toString() },
      now,
    },
    7,
  )

test("the newest test key that is live", async () => {
  const found = await find(
    key("old", "tk"),
    key("new", "tk"),
    key("revoked", "tk", { revokedAt: "2026-06-01T00:00:00Z" }),
    key("expired", "tk", { expiresAt: "2026-06-15T12:00:00Z" }),
  )
  expect(found).toBe("secret of new")
})

test("null without one: no other kind stands in for it", async () => {
  expect(
    await find(key("secret", "sk"), key("validation", "vk"), key("old", "imported")),
  ).toBeNull()
  expect(await find(key("another account's", "tk", { accountId: 8 }))).toBeNull()
})
