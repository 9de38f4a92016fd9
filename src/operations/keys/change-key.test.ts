import { afterEach, beforeEach, expect, test } from "bun:test"
import {
  openSmallStore,
  rejectionOf,
  type SmallStore,
} from "../../../tests/harness/stores/small-store.ts"
import { renameKey, revealKey, revokeKey } from "./change-key.ts"

let small: SmallStore
beforeEach(async () => {
  small = await openSmallStore()
})
afterEach(() => small.close())

test("a key that has ended is not revealed, and leaves no event", async () => {
  const [revoked, expired] = [
    await small.issue(),
    await small.issue({ expiresAt: "2026-06-15T12:00:10Z" }),
  ]
  await revokeKey(small.services, revoked.key)
  small.clock.forward(10)
  const before = await small.events()
  for (const { key } of [revoked, expired]) {
    const refusal = await rejectionOf(revealKey(small.services, await small.find(key.id)))
    expect(refusal).toMatch(new RegExp(`^UserError: .*${key.id}`))
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

test("names of a key within a minute are one audit entry, with the last name", async () => {
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
