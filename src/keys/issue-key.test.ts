import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  caller,
  openSmallStore,
  rejectionOf,
  type SmallStore,
} from "../../tests/harness/stores/small-store.ts"
import { issuedKinds } from "../contract/operation.ts"
import { authenticate } from "./authenticate-operations.ts"
import { couldBeKey } from "./key.ts"
import { issueKey, type KeyOptions } from "./key-operations.ts"

let small: SmallStore
beforeEach(async () => {
  small = await openSmallStore()
})
afterEach(() => small.close())

const plain: KeyOptions = { kind: "sk", name: "Shop", itemIds: null, expiresAt: null }

describe("a key", () => {
  test.each([...issuedKinds])("of kind %s is stored with its options, and works", async (kind) => {
    const { key, secret } = await small.issue({ kind, name: "Dükkân 🔑" })
    const { services, ada } = small
    expect(key).toEqual({
      id: key.id,
      accountId: ada.id,
      username: "ada",
      kind,
      name: "Dükkân 🔑",
      itemIds: null,
      isSiteRequired: false,
      scope: null,
      lookup: services.keyCipher.lookup(secret),
      encrypted: key.encrypted,
      createdAt: "2026-06-15T12:00:00Z",
      expiresAt: null,
      revokedAt: null,
      replacedAt: null,
      replacedBy: null,
    })
    expect(couldBeKey(secret)).toBe(true)
    expect((await authenticate(services, secret, caller)).id).toBe(key.id)
    expect(services.keyCipher.decrypt((await small.find(key.id)).encrypted, key)).toBe(secret)
  })

  test("requires a site only if it is a validation key", async () => {
    const { key } = await small.issue({ kind: "vk", isSiteRequired: true })
    expect((await small.find(key.id)).isSiteRequired).toBe(true)
    await expect(small.issue({ isSiteRequired: true })).rejects.toThrow("vk")
  })

  test("may be limited to items of the account, hidden ones included", async () => {
    const { key } = await small.issue({ kind: "vk", itemIds: [2, 1] })
    expect((await small.find(key.id)).itemIds).toEqual([2, 1])
  })

  test("may expire, in a second at the earliest", async () => {
    const { secret } = await small.issue({ expiresAt: "2026-06-15T12:00:01Z" })
    expect((await authenticate(small.services, secret, caller)).expiresAt).toBe(
      "2026-06-15T12:00:01Z",
    )
    small.clock.forward(1)
    expect(await rejectionOf(Promise.try(() => authenticate(small.services, secret, caller)))).toBe(
      "DomainError: expired_key",
    )
  })

  test("has the requested id: a form that is sent twice creates one key", async () => {
    const { services, ada } = small
    const { key } = await issueKey(services, ada, plain, "key_0123456789abcdef")
    expect(key.id).toBe("key_0123456789abcdef")
    await expect(issueKey(services, ada, plain, "key_0123456789abcdef")).rejects.toThrow()
    expect((await services.keys.list(ada.id)).length).toBe(1)
  })

  test("records an event", async () => {
    const { key } = await small.issue()
    expect(await small.events()).toEqual([
      small.keyEvent(key.id, "created", "2026-06-15T12:00:00Z"),
    ])
  })
})

describe("rejected, and nothing is stored:", () => {
  const rejections: readonly (readonly [what: string, Partial<KeyOptions>, named: string])[] = [
    ["a name of 101 characters", { name: "x".repeat(101) }, "100"],
    ["a name of 101 emoji", { name: "🔑".repeat(101) }, "100"],
    ["a secret key for chosen items", { itemIds: [1] }, "vk"],
    ["a test key for chosen items", { kind: "tk", itemIds: [1] }, "vk"],
    ["a secret key for no items", { itemIds: [] }, "vk"],
    ["an unknown item", { kind: "vk", itemIds: [1, 9] }, "9"],
    ["another author's item", { kind: "vk", itemIds: [3] }, "3"],
    ["an expiry in the past", { expiresAt: "2026-06-15T11:59:59Z" }, "2026-06-15T11:59:59Z"],
    ["an expiry of now", { expiresAt: "2026-06-15T12:00:00Z" }, "2026-06-15T12:00:00Z"],
  ]
  test.each(rejections)("%s", async (_, options, named) => {
    const rejection = new RegExp(`^UserError: .*\\b${named}\\b`)
    expect(await rejectionOf(small.issue(options))).toMatch(rejection)
    expect(await small.services.keys.list(small.ada.id)).toEqual([])
    expect(await small.events()).toEqual([])
  })

  test("another author's item is rejected like an unknown one", async () => {
    const [ofOther, unknown] = await Promise.all(
      [3, 9].map((id) => rejectionOf(small.issue({ kind: "vk", itemIds: [id] }))),
    )
    expect(ofOther?.replace("3", "9")).toBe(unknown ?? "")
  })
})

test("a name of 100 characters is accepted, an emoji counts as one", async () => {
  const { key } = await small.issue({ name: "🔑".repeat(100) })
  expect((await small.find(key.id)).name).toBe("🔑".repeat(100))
})

test("no key is created beyond a hundred active ones", async () => {
  const issued = await Promise.all(Array.from({ length: 100 }, () => small.issue()))
  expect(await rejectionOf(small.issue())).toMatch(/^UserError: .*\b100\b/)
  await small.services.keys.revoke(issued[0]?.key.id ?? "", "2026-06-15T12:00:00Z")
  expect(await rejectionOf(small.issue())).toBe("not rejected")
})
