import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Clock, createClock } from "../../tests/harness/clock.ts"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { until } from "../../tests/harness/until.ts"
import { type Operation, publicTestKey } from "../contract/operation.ts"
import type { Reason } from "../platform/error.ts"
import { createMetrics } from "./metrics.ts"
import type { CountStore, Counts } from "./usage.ts"
import { type CountedOutcome, openUsageCounter, type UsageCounter } from "./usage-counter.ts"

type Batch = Partial<Counts> & Readonly<{ at: string }>

/** Stores batches. After `break(true)` it rejects them; `hold` delays the next one. */
function createFakeStore() {
  const batches: Batch[] = []
  let isBroken = false
  let hold: Promise<void> = Promise.resolve()
  const counts: Pick<CountStore, "add"> = {
    async add(at, batch) {
      await hold
      if (isBroken) throw new Error("the disk is full")
      batches.push({ at, ...structuredClone(batch) })
    },
  }
  const list = <Kind extends keyof Counts>(kind: Kind) =>
    batches.flatMap((batch): readonly Counts[Kind][number][] => batch[kind] ?? [])
  return {
    counts,
    batches,
    list,
    break: (broken: boolean) => {
      isBroken = broken
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      hold = promise
      return resolve
    },
  }
}

let clock: Clock
let store: ReturnType<typeof createFakeStore>
let counter: UsageCounter
let faults: number
let timer: { everyMs: number; tick(): void }
const every = (everyMs: number, tick: () => void) => {
  timer = { everyMs, tick }
  return () => {}
}
function open(counts: Pick<CountStore, "add">, now = clock.now): UsageCounter {
  const onFault = () => {
    faults += 1
  }
  return openUsageCounter({ counts, metrics: createMetrics(), now, every, onFault })
}
beforeEach(() => {
  clock = createClock("2026-06-15T23:59:58Z")
  faults = 0
  store = createFakeStore()
  counter = open(store.counts)
})
afterEach(async () => {
  store.break(false)
  await counter.close()
})

const outcomeOf = (keyId: string, reason: Reason, changes: Partial<CountedOutcome> = {}) => ({
  reason,
  keyId,
  isKeyAccepted: true,
  purchase: null,
  rejectedCode: null,
  fault: null,
  ...changes,
})
/** Returns whether the address of the caller was resolved. */
function use(
  keyId: string,
  operation: Operation,
  reason: Reason,
  ipRange: string,
  target = counter,
): boolean {
  let isResolved = false
  target.count(operation, outcomeOf(keyId, reason), 1, {
    address() {
      isResolved = true
      return ipRange.replace("0/24", "9")
    },
  })
  return isResolved
}
const validate = (code: string, itemId = 7, reason: Reason = "ok", more = {}) => {
  const outcome = outcomeOf("key_1", reason, { purchase: { code, itemId, ...more } })
  counter.count("validate_purchase", outcome, 1, { address: () => "192.0.2.1" })
}

const validateOn = (code: string, site: string, lastDay: string | null = null) =>
  validate(code, 7, "ok", { seenSite: { code, site, lastDay } })

const home = "192.0.2.0/24"
const day = "2026-06-15"
const ok = { keyId: "key_1", day, operation: "read_item", outcome: "ok" } as const
const ipRangeAt = (index: number) => `10.${index >> 8}.${index & 255}.0/24`

describe("requests", () => {
  test("are counted by key, day, operation and outcome", async () => {
    for (let call = 0; call < 1_000; call++) use("key_1", "read_item", "ok", home)
    use("key_2", "read_item", "ok", home)
    use("key_1", "list_items", "ok", home)
    use("key_1", "read_item", "unknown_item", home)
    clock.forward(2)
    use("key_1", "read_item", "ok", home)
    await counter.flush()
    expect(store.list("calls")).toEqual([
      { ...ok, calls: 1_000 },
      { ...ok, operation: "list_items", calls: 1 },
      { ...ok, outcome: "unknown_item", calls: 1 },
      { ...ok, day: "2026-06-16", calls: 1 },
      { ...ok, keyId: "key_2", calls: 1 },
    ])
    expect(store.list("lastUses")).toEqual([
      { keyId: "key_1", lastUsedAt: "2026-06-16T00:00:00Z" },
      { keyId: "key_2", lastUsedAt: "2026-06-15T23:59:58Z" },
    ])
  })

  test("with the public test key are not counted", async () => {
    expect(use(publicTestKey.id, "read_item", "ok", home)).toBe(false)
    await counter.flush()
    expect(store.list("calls")).toEqual([])
  })

  test("with a rejected key are counted as failed, and not as use of the key", async () => {
    const outcome = outcomeOf("key_1", "revoked_key", { isKeyAccepted: false })
    counter.count("read_item", outcome, 1, { address: () => "192.0.2.9" })
    await counter.flush()
    expect(store.list("failures")).toMatchObject([{ keyId: "key_1", ipRange: home, calls: 1 }])
    expect(store.list("calls")).toEqual([{ ...ok, outcome: "revoked_key", calls: 1 }])
    expect([store.list("lastUses"), store.list("ipRanges")]).toEqual([[], []])
  })
})

describe("writing", () => {
  test("happens every two seconds", async () => {
    use("key_1", "read_item", "ok", home)
    expect(timer.everyMs).toBe(2_000)
    timer.tick()
    await until(() => store.batches[0])
    expect(store.list("calls")).toEqual([{ ...ok, calls: 1 }])
  })

  test("is one batch of all counts, each written once", async () => {
    validateOn("code-1", "a.com")
    use("key_2", "validate_purchase", "unknown_code", home)
    await counter.flush()
    const rowsOf = () =>
      store.batches.map((batch) => Object.values(batch).map(({ length }) => length))
    await counter.flush()
    expect(rowsOf()).toEqual([
      [20, 2, 2, 2, 1, 1],
      [20, 0, 0, 0, 0, 0],
    ])
  })

  test("does not block counting: concurrent requests are in the next batch", async () => {
    const release = store.hold()
    use("key_1", "read_item", "ok", home)
    const writing = counter.flush()
    await Bun.sleep(0)
    use("key_1", "read_item", "ok", home)
    release()
    await writing
    await counter.flush()
    expect(store.batches.map(({ calls }) => calls)).toEqual([
      [{ ...ok, calls: 1 }],
      [{ ...ok, calls: 1 }],
    ])
  })

  test("includes the remaining counts on close", async () => {
    use("key_1", "read_item", "ok", home)
    await counter.close()
    expect(store.list("calls")).toEqual([{ ...ok, calls: 1 }])
  })

  test("completes before close resolves", async () => {
    const release = store.hold()
    use("key_1", "read_item", "ok", home)
    void counter.flush()
    await Bun.sleep(0)
    const closing = counter.close().then(() => store.list("calls").length)
    setTimeout(release, 20)
    expect(await closing).toBe(1)
  })
})

describe("a store that fails", () => {
  test("loses no counts: they are written with the next batch, before newer ones", async () => {
    validate("code-1")
    store.break(true)
    await counter.flush()
    clock.forward(1)
    validate("code-2")
    use("key_2", "read_item", "ok", home)
    await counter.flush()
    store.break(false)
    await counter.flush()
    expect(faults).toBe(2)
    expect(store.list("calls").map(({ keyId, calls }) => [keyId, calls])).toEqual([
      ["key_1", 1],
      ["key_1", 1],
      ["key_2", 1],
    ])
  })

  test("may fail in any order: every request is written exactly once", async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("key_1", "key_2") },
      { weight: 1, arbitrary: fc.constantFrom("flush", "break", "mend", "next day") },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const clock = createClock()
        const store = createFakeStore()
        const counter = open(store.counts, clock.now)
        const counted: Record<string, number> = {}
        for (const step of steps) {
          if (step === "flush") await counter.flush()
          else if (step === "break" || step === "mend") store.break(step === "break")
          else if (step === "next day") clock.forward(86_400)
          else {
            const bucket = `${step} ${clock.at().slice(0, 10)}`
            counted[bucket] = (counted[bucket] ?? 0) + 1
            use(step, "read_item", "ok", home, counter)
          }
        }
        store.break(false)
        await counter.close()
        const written: Record<string, number> = {}
        for (const { keyId, day, calls } of store.list("calls")) {
          written[`${keyId} ${day}`] = (written[`${keyId} ${day}`] ?? 0) + calls
        }
        expect(written).toEqual(counted)
      }),
      { numRuns: propertyRuns(200) },
    )
  })
})

describe("IP ranges", () => {
  const written = () => store.list("ipRanges").map(({ ipRange, lastDay }) => [ipRange, lastDay])

  test("are not recorded if the caller disconnects before its address is resolved", async () => {
    use("key_1", "read_item", "unknown_item", "")
    await counter.flush()
    expect(store.list("failures")).toMatchObject([{ keyId: "key_1", ipRange: "", calls: 1 }])
    expect(written()).toEqual([])
  })

  test("are written once a day", async () => {
    for (const ipRange of [home, ipRangeAt(1), home]) use("key_1", "read_item", "ok", ipRange)
    await counter.flush()
    use("key_1", "read_item", "ok", home)
    await counter.flush()
    expect(written()).toEqual([
      [home, day],
      [ipRangeAt(1), day],
    ])
    clock.forward(2)
    use("key_1", "read_item", "ok", home)
    await counter.flush()
    expect(written().at(-1)).toEqual([home, "2026-06-16"])
  })

  test("are recorded for the first 50 requests of a key between two writes", async () => {
    const lookups = () =>
      Array.from({ length: 100 }, () => use("key_1", "read_item", "ok", home)).filter(Boolean)
    expect([lookups().length, lookups().length]).toEqual([50, 0])
    expect(use("key_2", "read_item", "ok", home)).toBe(true)
    await counter.flush()
    expect(lookups()).toHaveLength(50)
  })

  test("are at most 50 per key and day", async () => {
    for (let index = 0; index < 200; index++) {
      use("key_1", "read_item", "ok", ipRangeAt(index))
      await counter.flush()
    }
    expect(written()).toHaveLength(50)
  })
})

describe("sites", () => {
  const recorded = () => store.list("sites").map(({ code, site }) => `${code} ${site}`)

  test("are written once per purchase", async () => {
    for (const site of ["a.com", "b.com", "a.com"]) validateOn("code-1", site)
    await counter.flush()
    expect(recorded()).toEqual(["code-1 a.com", "code-1 b.com"])
  })

  test("are not written if the database has recorded them today", async () => {
    validateOn("a", "a.com", "2026-06-01")
    validateOn("b", "b.com", day)
    await counter.flush()
    expect(recorded()).toEqual(["a a.com"])
  })

  test("are at most 20 per purchase, for 500 purchases, between two writes", async () => {
    for (let at = 0; at < 30; at += 1) validateOn("flooded", `${at}.com`)
    for (let at = 0; at < 600; at += 1) validateOn(`code-${at}`, "a.com")
    await counter.flush()
    expect(recorded()).toHaveLength(20 + 499)
  })

  test("are all written by a flush, also if the timer is writing", async () => {
    validateOn("a", "a.com")
    const resume = store.hold()
    timer.tick()
    validateOn("a", "b.com")
    const writing = counter.flush()
    resume()
    await writing
    expect(recorded()).toEqual(["a a.com", "a b.com"])
  })
})
