import { expect, test } from "bun:test"
import { createTestCatalog } from "./test-catalog.ts"

const caller = { address: () => "" }

test("a release frees the slot of test-site-limit for a minute", async () => {
  const stored = new Map<string, string>()
  let nowMs = Date.parse("2026-01-31T12:00:00Z")
  const { purchases, sites } = createTestCatalog(
    {
      find: async (name) => stored.get(name) ?? null,
      put: async (name, value) => void stored.set(name, value),
    },
    () => new Date(nowMs),
  )
  const isValid = async (code: string) => {
    const [purchase] = await purchases.listByCode(0, code, "a.com")
    return purchase !== undefined && (await sites.activate(purchase, "a.com", caller))
  }
  expect([await isValid("test-regular"), await isValid("test-site-limit")]).toEqual([true, false])
  await sites.release("test-regular", "b.com", caller)
  expect(await isValid("test-site-limit")).toBe(false)
  await sites.reclaim("test-site-limit", "a.com", caller)
  nowMs += 59_000
  expect(await isValid("test-site-limit")).toBe(true)
  nowMs += 1_000
  expect(await isValid("test-site-limit")).toBe(false)
})
