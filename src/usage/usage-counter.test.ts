import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Clock, createClock } from "../../tests/harness/clock.ts"
import { until } from "../../tests/harness/command.ts"
import type { Operation } from "../domain/api-key.ts"
import type { Reason } from "../domain/error.ts"
import { publicTestKey } from "../domain/public-test-key.ts"
import type { CallBreakdown, KeySighting, UsageCount, UsageStore } from "../domain/usage.ts"
import { openUsageCounter, type UsageCounter } from "./usage-counter.ts"

type Batch = Readonly<{ counts: readonly UsageCount[]; sightings: readonly KeySighting[] }>
const noBreakdown: CallBreakdown = { networks: [], items: [] }

/** Takes what it is given, or refuses it; `hold` makes the next batch wait. */
function createRecorder() {
  const batches: Batch[] = []
  const breakdowns: CallBreakdown[] = []
  let isBroken = false
  let hold: Promise<void> = Promise.resolve()
  const usage: Pick<UsageStore, "add"> = {
    async add(counts, sightings, breakdown = noBreakdown) {
      await hold
      if (isBroken) throw new Error("the disk is full")
      batches.push({ counts: structuredClone(counts), sightings: structuredClone(sightings) })
      breakdowns.push(breakdown)
    },
  }
  return {
    usage,
    batches,
    breakdowns,
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
let recorder: ReturnType<typeof createRecorder>
let counter: UsageCounter
/** What the timer would do, and how often. */
let timer: { everyMs: number; tick(): void }
const every = (everyMs: number, tick: () => void) => {
  timer = { everyMs, tick }
  return () => {}
}
const open = (usage: Pick<UsageStore, "add">, now = clock.now) =>
  openUsageCounter({ usage, now, every, onFault: () => {} })
beforeEach(() => {
  clock = createClock("2026-06-15T12:59:58Z")
  recorder = createRecorder()
  counter = open(recorder.usage)
})
afterEach(async () => {
  recorder.break(false)
  await counter.close()
})

/** As the server does. */
function use(keyId: string, operation: Operation, outcome: Reason, network: string, of = counter) {
  if (of.count(keyId, operation, outcome, null)) of.see(keyId, operation, network)
}

const home = "192.0.2.0/24"
const hour = "2026-06-15T12:00:00Z"
const ok = { keyId: "key_1", operation: "read_item", outcome: "ok", hour } as const
const networkOf = (index: number) => `10.${index >> 8}.${index & 255}.0/24`

describe("counting", () => {
  test("is by key, operation, outcome and hour", async () => {
    use("key_1", "read_item", "ok", home)
    use("key_1", "read_item", "ok", "198.51.100.0/24")
    use("key_2", "read_item", "ok", home)
    use("key_1", "list_items", "ok", home)
    use("key_1", "read_item", "unknown_item", home)
    clock.forward(2)
    use("key_1", "read_item", "ok", home)
    await counter.flush()
    expect(recorder.batches).toEqual([
      {
        counts: [
          { ...ok, calls: 2 },
          { ...ok, operation: "list_items", calls: 1 },
          { ...ok, outcome: "unknown_item", calls: 1 },
          { ...ok, hour: "2026-06-15T13:00:00Z", calls: 1 },
          { ...ok, keyId: "key_2", calls: 1 },
        ],
        sightings: [
          { keyId: "key_1", network: "198.51.100.0/24", lastUsedAt: "2026-06-15T12:59:58Z" },
          { keyId: "key_1", network: home, lastUsedAt: "2026-06-15T13:00:00Z" },
          { keyId: "key_2", network: home, lastUsedAt: "2026-06-15T12:59:58Z" },
        ],
      },
    ])
  })

  test("writes a thousand calls as one batch, each once", async () => {
    for (let call = 0; call < 1_000; call++) use("key_1", "read_item", "ok", home)
    await counter.flush()
    await counter.flush()
    expect(recorder.batches).toEqual([
      {
        counts: [{ ...ok, calls: 1_000 }],
        sightings: [{ keyId: "key_1", network: home, lastUsedAt: "2026-06-15T12:59:58Z" }],
      },
    ])
  })

  test("writes many keys in batches, and answers requests between them", async () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `key_${index}`)
    for (const key of keys) use(key, "read_item", "ok", home)
    let turns = 0
    const isFlushed = counter.flush().then(() => true)
    const turn = () => new Promise<false>((resolve) => setImmediate(resolve, false))
    while (!(await Promise.race([isFlushed, turn()]))) turns += 1
    const written = recorder.batches.map(({ counts }) => counts.map(({ keyId }) => keyId))
    expect(written.flat()).toEqual(keys.toSorted())
    expect(written.map(({ length }) => length)).toEqual([167, 167, 167, 167, 167, 165])
    expect(turns).toBeGreaterThanOrEqual(3)
  })

  test("writes nothing when nobody called", async () => {
    await counter.flush()
    expect(recorder.batches).toEqual([])
  })

  test("is written every two seconds, unasked", async () => {
    use("key_1", "read_item", "ok", home)
    expect(timer.everyMs).toBe(2_000)
    timer.tick()
    await until(() => recorder.batches[0])
    expect(recorder.batches.map(({ counts }) => counts)).toEqual([[{ ...ok, calls: 1 }]])
  })

  test("pauses for longer after it wrote many rows, so that writing stays a small part of the work", async () => {
    for (let key = 0; key < 25_000; key += 1) use(`key_${key}`, "read_item", "ok", home)
    await counter.flush()
    const written = recorder.batches.length
    use("key_1", "read_item", "ok", home)
    // 75,000 rows are worth a pause of nearly 19 seconds, and there is one tick every two seconds.
    for (let tick = 0; tick < 9; tick += 1) timer.tick()
    await Bun.sleep(0)
    expect(recorder.batches.length).toBe(written)
    timer.tick()
    await until(() => recorder.batches[written])
  })

  test("goes on while a batch is being written, into the next one", async () => {
    const release = recorder.hold()
    use("key_1", "read_item", "ok", home)
    const writing = counter.flush()
    await Bun.sleep(0)
    use("key_1", "read_item", "ok", home)
    release()
    await writing
    await counter.flush()
    expect(recorder.batches.map(({ counts }) => counts)).toEqual([
      [{ ...ok, calls: 1 }],
      [{ ...ok, calls: 1 }],
    ])
  })
})

describe("closing", () => {
  test("writes the rest", async () => {
    use("key_1", "read_item", "ok", home)
    await counter.close()
    expect(recorder.batches.map(({ counts }) => counts)).toEqual([[{ ...ok, calls: 1 }]])
  })

  test("waits for a batch on its way: the store is closed right after", async () => {
    const release = recorder.hold()
    use("key_1", "read_item", "ok", home)
    void counter.flush()
    await Bun.sleep(0)
    const closing = counter.close().then(() => recorder.batches.length)
    setTimeout(release, 20)
    expect(await closing).toBe(1)
  })
})

describe("a store that fails", () => {
  test("costs no call: the counts wait for the next time, with what came since", async () => {
    use("key_1", "read_item", "ok", home)
    recorder.break(true)
    await counter.flush()
    clock.forward(1)
    use("key_1", "read_item", "ok", home)
    use("key_2", "read_item", "ok", home)
    await counter.flush()
    recorder.break(false)
    await counter.flush()
    const lastUsedAt = "2026-06-15T12:59:59Z"
    expect(recorder.batches).toEqual([
      {
        counts: [
          { ...ok, calls: 2 },
          { ...ok, keyId: "key_2", calls: 1 },
        ],
        sightings: [
          { keyId: "key_1", network: home, lastUsedAt },
          { keyId: "key_2", network: home, lastUsedAt },
        ],
      },
    ])
  })

  test("costs no call that was counted while the batch was being refused", async () => {
    const release = recorder.hold()
    use("key_1", "read_item", "ok", home)
    recorder.break(true)
    const writing = counter.flush()
    await Bun.sleep(0)
    clock.forward(1)
    for (let call = 0; call < 3; call++) use("key_1", "read_item", "ok", home)
    release()
    await writing
    recorder.break(false)
    await counter.flush()
    expect(recorder.batches).toEqual([
      {
        counts: [{ ...ok, calls: 4 }],
        sightings: [{ keyId: "key_1", network: home, lastUsedAt: "2026-06-15T12:59:59Z" }],
      },
    ])
  })

  test("costs no call and counts none twice when it fails between two batches", async () => {
    let adds = 0
    const usage: Pick<UsageStore, "add"> = {
      ...recorder.usage,
      add: (...batch) => {
        adds += 1
        return adds === 3 ? Promise.reject(new Error("full")) : recorder.usage.add(...batch)
      },
    }
    const own = open(usage)
    const keys = Array.from({ length: 1_000 }, (_, index) => `key_${index}`)
    for (const key of keys) use(key, "read_item", "ok", home, own)
    await own.flush()
    expect(recorder.batches).toHaveLength(2)
    await own.close()
    const written = recorder.batches.flatMap(({ counts }) => counts.map(({ keyId }) => keyId))
    expect(written).toEqual(keys.toSorted())
  })

  test("may fail in any order: every call is written exactly once", async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("key_1", "key_2") },
      { weight: 1, arbitrary: fc.constantFrom("flush", "break", "mend", "next hour") },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const clock = createClock()
        const recorder = createRecorder()
        const counter = open(recorder.usage, clock.now)
        const counted: Record<string, number> = {}
        for (const step of steps) {
          if (step === "flush") await counter.flush()
          else if (step === "break" || step === "mend") recorder.break(step === "break")
          else if (step === "next hour") clock.forward(3_600)
          else {
            const bucket = `${step} ${clock.at()}`
            counted[bucket] = (counted[bucket] ?? 0) + 1
            use(step, "read_item", "ok", home, counter)
          }
        }
        recorder.break(false)
        await counter.close()
        const written: Record<string, number> = {}
        for (const { keyId, hour, calls } of recorder.batches.flatMap(({ counts }) => counts)) {
          written[`${keyId} ${hour}`] = (written[`${keyId} ${hour}`] ?? 0) + calls
        }
        expect(written).toEqual(counted)
      }),
      { numRuns: 200 },
    )
  })
})

describe("networks", () => {
  test("are asked for 64 times, then once a second: a busy key is known by then", () => {
    const wanted = () =>
      Array.from({ length: 100 }, () => counter.count("key_1", "read_item", "ok", null)).filter(
        Boolean,
      )
    expect(wanted()).toHaveLength(64)
    clock.forward(1)
    expect(wanted()).toHaveLength(1)
    expect(counter.count("key_2", "read_item", "ok", null)).toBe(true)
  })

  const seenBy = (keyId: string) =>
    (recorder.batches.at(-1)?.sightings ?? []).filter((sighting) => sighting.keyId === keyId)

  test("are asked for once a second and key when thousands of keys are in use", () => {
    const keys = Array.from({ length: 2_000 }, (_, index) => `key_${index}`)
    const countWanted = () =>
      keys.filter((key) => counter.count(key, "read_item", "ok", null)).length
    expect([countWanted(), countWanted()]).toEqual([2_000, 0])
    clock.forward(1)
    expect([countWanted(), countWanted()]).toEqual([2_000, 0])
  })

  test("are at most 64 a key, the latest ones, so the last use is right", async () => {
    for (let index = 0; index < 1_000; index++) {
      clock.forward(1)
      use("key_1", "read_item", "ok", networkOf(index))
    }
    use("key_2", "read_item", "ok", home)
    const lastUsedAt = clock.at()
    await counter.flush()
    expect(seenBy("key_1").map(({ network }) => network)).toEqual(
      Array.from({ length: 64 }, (_, index) => networkOf(936 + index)),
    )
    expect(seenBy("key_1").at(-1)?.lastUsedAt).toBe(lastUsedAt)
    expect(seenBy("key_2")).toEqual([{ keyId: "key_2", network: home, lastUsedAt }])
  })

  test("stay as few while the store fails, and the last use right", async () => {
    recorder.break(true)
    for (let index = 0; index < 500; index++) {
      clock.forward(1)
      use("key_1", "read_item", "ok", networkOf(index))
      if (index % 50 === 0) await counter.flush()
    }
    const lastUsedAt = clock.at()
    recorder.break(false)
    await counter.flush()
    expect(seenBy("key_1").length).toBe(64)
    expect(seenBy("key_1").at(-1)).toEqual({ keyId: "key_1", network: networkOf(499), lastUsedAt })
    expect(
      recorder.batches.flatMap(({ counts }) => counts).reduce((sum, c) => sum + c.calls, 0),
    ).toBe(500)
  })

  test("count their last use, also when it is not their first", async () => {
    for (let index = 0; index < 64; index++) {
      use("key_1", "read_item", "ok", networkOf(index))
    }
    clock.forward(60)
    use("key_1", "read_item", "ok", networkOf(0))
    clock.forward(1)
    use("key_1", "read_item", "ok", networkOf(64))
    await counter.flush()
    const newest = seenBy("key_1").slice(-2)
    expect(newest).toEqual(
      [0, 64].map((index, at) => ({
        ...{ keyId: "key_1", network: networkOf(index) },
        lastUsedAt: `2026-06-15T13:00:5${8 + at}Z`,
      })),
    )
  })
})

describe("the calls of a network", () => {
  const callsOf = (keyId: string) =>
    recorder.breakdowns
      .flatMap(({ networks }) => networks)
      .filter((each) => each.keyId === keyId)
      .map(({ network, operation, day, calls, isEstimate }) => [
        ...[network, operation, day, calls, isEstimate],
      ])

  test("are exact by operation while every call is sampled", async () => {
    for (let call = 0; call < 3; call++) use("key_1", "validate_purchase", "ok", home)
    use("key_1", "validate_purchase", "unknown_code", home)
    use("key_1", "list_items", "ok", home)
    use("key_1", "list_items", "ok", networkOf(1))
    use("key_2", "read_item", "ok", home)
    await counter.flush()
    expect(callsOf("key_1")).toEqual([
      [home, "validate_purchase", "2026-06-15", 4, false],
      [home, "list_items", "2026-06-15", 1, false],
      [networkOf(1), "list_items", "2026-06-15", 1, false],
    ])
    expect(callsOf("key_2")).toEqual([[home, "read_item", "2026-06-15", 1, false]])
  })

  test("are estimates when only some calls are sampled, and say so", async () => {
    for (let call = 0; call < 640; call++) {
      use("key_1", "validate_purchase", "ok", networkOf(call % 4 === 0 ? 0 : 1))
    }
    await counter.flush()
    expect(callsOf("key_1").toSorted()).toEqual([
      [networkOf(0), "validate_purchase", "2026-06-15", 160, true],
      [networkOf(1), "validate_purchase", "2026-06-15", 480, true],
    ])
  })

  test("stay exact when some come while a batch is being refused", async () => {
    const release = recorder.hold()
    use("key_1", "read_item", "ok", home)
    recorder.break(true)
    const writing = counter.flush()
    await Bun.sleep(0)
    for (let call = 0; call < 3; call++) use("key_1", "read_item", "ok", home)
    release()
    await writing
    recorder.break(false)
    await counter.flush()
    expect(callsOf("key_1")).toEqual([[home, "read_item", "2026-06-15", 4, false]])
  })

  test("are not given to other networks when theirs is evicted", async () => {
    recorder.break(true)
    for (let index = 0; index < 100; index++) {
      clock.forward(1)
      use("key_1", "read_item", "ok", networkOf(index))
      if (index % 10 === 0) await counter.flush()
    }
    recorder.break(false)
    await counter.flush()
    expect(callsOf("key_1").map(([, , , calls, isEstimate]) => [calls, isEstimate])).toEqual(
      Array.from({ length: 64 }, () => [1, false]),
    )
  })
})

describe("the items of valid codes", () => {
  const validate = (itemId: number | null, outcome: Reason = "ok") => {
    const purchase = itemId === null ? null : { code: "code-1", itemId }
    return counter.count("key_1", "validate_purchase", outcome, purchase)
  }
  const itemsOf = () => recorder.breakdowns.flatMap(({ items }) => items)

  test("are counted, every call of them", async () => {
    for (let call = 0; call < 500; call++) validate(7)
    for (const itemId of [8, null, 7]) validate(itemId)
    validate(7, "revoked_code")
    await counter.flush()
    const facts = { keyId: "key_1", day: "2026-06-15" }
    expect(itemsOf()).toEqual([
      { ...facts, itemId: 7, calls: 501 },
      { ...facts, itemId: 8, calls: 1 },
    ])
  })

  test("are 64 between two writes, also of a store that fails; the rest is one number", async () => {
    recorder.break(true)
    for (let item = 1; item <= 100; item++) {
      validate(item)
      if (item % 10 === 0) await counter.flush()
    }
    validate(3)
    recorder.break(false)
    await counter.flush()
    const apart = itemsOf().filter(({ itemId }) => itemId !== null)
    expect(apart.map(({ itemId, calls }) => [itemId, calls])).toEqual(
      Array.from({ length: 64 }, (_, index) => [index + 1, index === 2 ? 2 : 1]),
    )
    expect(itemsOf().filter(({ itemId }) => itemId === null)).toEqual([
      { keyId: "key_1", itemId: null, day: "2026-06-15", calls: 36 },
    ])
  })
})

test("the public test key is not counted", async () => {
  expect(counter.count(publicTestKey.id, "read_item", "ok", null)).toBe(false)
  await counter.flush()
  expect(recorder.batches).toEqual([])
})
