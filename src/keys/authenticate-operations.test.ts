import { expect, test } from "bun:test"
import { caller } from "../../tests/harness/stores/small-store.ts"
import type { FoundKey } from "../contract/operation.ts"
import { authenticate } from "./authenticate-operations.ts"
import { createRateLimits } from "./rate-limits.ts"

const key: FoundKey = {
  id: "key_1",
  accountId: 1,
  kind: "vk",
  itemIds: null,
  isSiteRequired: false,
  scope: null,
  expiresAt: null,
  revokedAt: null,
  replacedAt: null,
  isLeaked: false,
  isSuspended: false,
}
const revoked = { ...key, revokedAt: "2026-01-01T00:00:00Z" }

test.each([
  ["a key that was valid before", key, "accepted"],
  ["a key that is used for the first time", null, "rate_limited"],
  ["a key that was revoked before", revoked, "rate_limited"],
])("after too many invalid keys from the IP range: %s", async (_, earlier, expected) => {
  const limits = createRateLimits(60, 1, () => 0)
  for (let i = 0; i < 40; i += 1) limits.countInvalid(caller)
  const services = {
    limits,
    keyCache: { findCached: () => null, findStale: () => earlier, lookUp: async () => key },
    now: () => new Date(),
  }
  const outcome = authenticate(services, "secret", caller).then(
    () => "accepted",
    (error) => error.reason,
  )
  expect(await outcome).toBe(expected)
})
