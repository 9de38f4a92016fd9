import { afterEach, beforeEach, expect, test } from "bun:test"
import {
  caller,
  openSmallStore,
  refusalOf,
  type SmallStore,
} from "../../../tests/harness/stores/small-store.ts"
import { authenticate } from "./authenticate.ts"
import { revokeKey } from "./change-key.ts"
import { rotateKey } from "./issue-key.ts"

let small: SmallStore
beforeEach(async () => {
  small = await openSmallStore()
})
afterEach(() => small.close())

const revoked = "DomainError: revoked_key"

test("a revoked key is refused from that moment on, and no other", async () => {
  const { services } = small
  const [one, other] = [await small.issue(), await small.issue()]
  await revokeKey(services, one.key)
  expect(await refusalOf(Promise.try(() => authenticate(services, one.secret, caller)))).toBe(
    revoked,
  )
  expect((await authenticate(services, other.secret, caller)).id).toBe(other.key.id)
})

test("revoking is written down once, however often it is asked for", async () => {
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

test("a key that was replaced can be ended before its overlap is over", async () => {
  const { services } = small
  const old = await small.issue()
  const fresh = await rotateKey(services, old.key, "7d")
  await revokeKey(services, await small.find(old.key.id))
  expect(await refusalOf(Promise.try(() => authenticate(services, old.secret, caller)))).toBe(
    revoked,
  )
  expect((await authenticate(services, fresh.secret, caller)).id).toBe(fresh.key.id)
})
