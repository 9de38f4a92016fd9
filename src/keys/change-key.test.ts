import { afterEach, beforeEach, expect, test } from "bun:test"
import {
  openSmallStore,
  rejectionOf,
  type SmallStore,
} from "../../tests/harness/stores/small-store.ts"
import { renameKey, revealKey, revokeKey } from "./key-operations.ts"

let small: SmallStore
beforeEach(async () => {
  small = await openSmallStore()
})
afterEach(() => small.close())

test("an inactive key is not revealed, and no event is recorded", async () => {
  const [revoked, expired] = [
    await small.issue(),
    await small.issue({ expiresAt: "2026-06-15T12:00:10Z" }),
  ]
  await revokeKey(small.services, revoked.key)
  small.clock.forward(10)
  const before = await small.events()
  for (const { key } of [revoked, expired]) {
    const rejection = await rejectionOf(revealKey(small.services, await small.find(key.id)))
    expect(rejection).toMatch(new RegExp(`^UserError: .*${key.id}`))
  }
  expect(await small.events()).toEqual(before)
})

test("revoking is recorded once, however often it is requested", async () => {
  const { key } = await small.issue()
  small.clock.forward(60)
  await revokeKey(small.services, key)
  small.clock.forward(60)
  await revokeKey(small.services, await small.find(key.id))
  expect((await small.find(key.id)).revokedAt).toBe("2026-06-15T12:01:00Z")
  expect((await small.events()).slice(1)).toEqual([
    small.keyEvent(key.id, "revoked", "2026-06-15T12:01:00Z"),
  ])
})

test("renames of a key within a minute are one audit event, with the last name", async () => {
  const { key } = await small.issue()
  for (const name of ["one", "two", "three"])
    await renameKey(small.services, await small.find(key.id), name)
  small.clock.forward(61)
  await renameKey(small.services, await small.find(key.id), "four")
  const renamed = (await small.events()).filter(({ action }) => action === "renamed")
  expect(renamed.map(({ subjectName, count }) => [subjectName, count])).toEqual([
    ["three", 3],
    ["four", 1],
  ])
})
