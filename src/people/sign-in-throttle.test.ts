import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { openSmallStore, type SmallStore } from "../../tests/harness/stores/small-store.ts"
import { SignInRejected, type SignInSource } from "./sign-in-throttle.ts"

let small: SmallStore
beforeEach(async () => {
  small = await openSmallStore()
})
afterEach(() => small.close())

const stranger: SignInSource = { name: "elif", ipRange: "198.51.100.0/24" }

/** Returns Retry-After in seconds; 0 if the attempt was verified. */
const attempt = (source: SignInSource, verify: () => Promise<true | null>): Promise<number> =>
  small.services.throttle.attempt(source, verify).then(
    () => 0,
    (error) => {
      if (error instanceof SignInRejected) return error.retryAfterSeconds
      throw error
    },
  )
/** A successful attempt does not change the count of failures. */
const waitOf = (source: SignInSource) => attempt(source, async () => true)
async function fail(times: number, source: (index: number) => SignInSource): Promise<void> {
  for (let index = 0; index < times; index++) await attempt(source(index), async () => null)
}

describe("a name in one IP range", () => {
  test("is locked for ten minutes after ten failures, and rejected attempts do not extend that", async () => {
    await fail(9, () => stranger)
    expect(await waitOf(stranger)).toBe(0)
    await fail(1, () => stranger)
    expect(await waitOf(stranger)).toBe(600)
    small.clock.forward(598.5)
    await fail(100, () => stranger)
    expect(await waitOf(stranger)).toBe(2)
    small.clock.forward(1.5)
    await fail(9, () => stranger)
    expect(await waitOf(stranger)).toBe(0)
  })

  test("is counted regardless of case and surrounding whitespace", async () => {
    const spellings = ["ELIF", " Elif", "elif\u200b", "eLiF\t"]
    await fail(10, (index) => ({ ...stranger, name: spellings[index % 4] ?? "" }))
    expect(await waitOf(stranger)).toBe(600)
  })

  test("is not affected by failures of other ranges or other names", async () => {
    await fail(200, (index) => ({ ...stranger, ipRange: `10.0.${index % 20}.0/24` }))
    await fail(10, () => ({ ...stranger, name: "elif@example.com" }))
    expect(await waitOf(stranger)).toBe(0)
  })
})

test("an IP range has thirty failures for all names, and a success does not reset them", async () => {
  await fail(29, (index) => ({ ...stranger, name: `author ${index}` }))
  for (let i = 0; i < 100; i += 1) expect(await waitOf({ ...stranger, name: "own" })).toBe(0)
  await fail(1, () => stranger)
  expect(await waitOf({ ...stranger, name: "own" })).toBe(600)
  expect(await waitOf({ ...stranger, ipRange: "192.0.2.0/24" })).toBe(0)
})

test("a database error does not count as a failed attempt", async () => {
  const lost = async () => Promise.reject(new Error("lost"))
  for (let i = 0; i < 20; i += 1) await expect(attempt(stranger, lost)).rejects.toThrow("lost")
  expect(await waitOf(stranger)).toBe(0)
})

test.each([
  ["eight attempts", 8, (index: number) => `author ${index}`],
  ["four for one name", 4, () => "elif"],
] as const)(
  "an IP range has at most %s in flight, and other ranges are not affected",
  async (_, max, nameOf) => {
    const { promise, resolve } = Promise.withResolvers<true>()
    const sourceOf = (index: number) => ({ ...stranger, name: nameOf(index) })
    const held = Array.from({ length: max }, (_, index) => attempt(sourceOf(index), () => promise))
    expect(await waitOf(sourceOf(99))).toBe(2)
    expect(await waitOf({ name: "elif", ipRange: "192.0.2.0/24" })).toBe(0)
    resolve(true)
    expect(await Promise.all(held)).toEqual(held.map(() => 0))
    expect(await waitOf(sourceOf(99))).toBe(0)
  },
)
