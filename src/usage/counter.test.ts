import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { until } from "../../tests/contracts/until.ts"
import { type Clock, createClock } from "../../tests/harness/clock.ts"
import { runs } from "../../tests/harness/tier.ts"
import { type Operation, publicTestKey } from "../domain/keys/api-key.ts"
import { StoreMoved } from "../domain/store.ts"
import type { CountStore, Counts } from "../domain/usage/usage.ts"
import type { Reason } from "../domain/values/error.ts"
import { createRecorder } from "../metrics/recorder.ts"
import { createRow } from "../metrics/row.ts"
import { type CountedOutcome, type Counter, openCounter } from "./counter.ts"

type Batch = Partial<Counts> & Readonly<{ at: string }>

/** Takes what it is given, or refuses it; `hold` makes the next batch wait. */
function createBook() {
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
  /** All that was written of one kind. */
  const list = <Kind extends keyof Counts>(kind: Kind) =>
    batches.flatMap((batch): readonly Counts[Kind][number][] => batch[kind] ?? [])
  return {
    counts,
    batches,
    list,
    sightings: (keyId: string) =>
      list("sightings")
        .filter((each) => each.keyId === keyId)
        .map(({ network, lastUsedAt }) => [network, lastUsedAt]),
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
let book: ReturnType<typeof createBook>
let counter: Counter
let row: Float64Array
let faults: number
/** What the timer would do, and how often. */
let timer: { everyMs: number; tick(): void }
const every = (everyMs: number, tick: () => void) => {
  timer = { everyMs, tick }
  return () => {}
}
function open(counts: Pick<CountStore, "add">, now = clock.now): Counter {
  row = createRow()
  const onFault = () => {
    faults += 1
  }
  const recorder = createRecorder(row)
  return openCounter({ counts, row, recorder, now, every, onFault })
}
beforeEach(() => {
  clock = createClock("2026-06-15T12:59:58Z")
  faults = 0
  book = createBook()
  counter = open(book.counts)
})
afterEach(async () => {
  book.break(false)
  await counter.close()
})

const outcomeOf = (keyId: string, reason: Reason, changes: Partial<CountedOutcome> = {}) => ({
  reason,
  keyId,
  isKeyAccepted: true,
  purchase: null,
  refusedCode: null,
  fault: null,
  ...changes,
})
/** True when the network of the call was asked for. */
function use(
  keyId: string,
  operation: Operation,
  reason: Reason,
  network: string,
  of = counter,
): boolean {
  let isAsked = false
  of.count(operation, outcomeOf(keyId, reason), 1, {
    address() {
      isAsked = true
      return network.replace("0/24", "9")
    },
  })
  return isAsked
}
const validate = (code: string, itemId = 7, reason: Reason = "ok", more = {}) => {
  const outcome = outcomeOf("key_1", reason, { purchase: { code, itemId, ...more } })
  counter.count("validate_purchase", outcome, 1, { address: () => "192.0.2.1" })
}

const validateOn = (code: string, site: string, lastDay: string | null = null) =>
  validate(code, 7, "ok", { sighting: { code, site, lastDay } })

const home = "192.0.2.0/24"
const hour = "2026-06-15T12:00:00Z"
const ok = { keyId: "key_1", operation: "read_item", outcome: "ok", hour } as const
const networkAt = (index: number) => `10.${index >> 8}.${index & 255}.0/24`
const keyNames = Array.from({ length: 1_000 }, (_, index) => `key_${index}`)

describe("calls", () => {
  test("are counted by key, operation, outcome and hour", async () => {
    use("key_1", "read_item", "ok", home)
    use("key_1", "read_item", "ok", "198.51.100.0/24")
    use("key_2", "read_item", "ok", home)
    use("key_1", "list_items", "ok", home)
    use("key_1", "read_item", "unknown_item", home)
    clock.forward(2)
    use("key_1", "read_item", "ok", home)
    await counter.flush()
    expect(book.list("calls")).toEqual([
      { ...ok, calls: 2 },
      { ...ok, operation: "list_items", calls: 1 },
      { ...ok, outcome: "unknown_item", calls: 1 },
      { ...ok, hour: "2026-06-15T13:00:00Z", calls: 1 },
      { ...ok, keyId: "key_2", calls: 1 },
    ])
    expect(book.sightings("key_1")).toEqual([
      [home, "2026-06-15T13:00:00Z"],
      ["198.51.100.0/24", "2026-06-15T12:59:58Z"],
      [home, "2026-06-15T12:59:58Z"],
    ])
    expect(book.sightings("key_2")).toEqual([[home, "2026-06-15T12:59:58Z"]])
  })

  test("of a thousand requests are one batch, each once", async () => {
    for (let call = 0; call < 1_000; call++) use("key_1", "read_item", "ok", home)
    await counter.flush()
    await counter.flush()
    expect(book.batches).toHaveLength(1)
    expect(book.list("calls")).toEqual([{ ...ok, calls: 1_000 }])
  })

  test("of many keys are written in batches, and requests are answered between them", async () => {
    for (const key of keyNames) use(key, "read_item", "ok", home)
    let turns = 0
    const isFlushed = counter.flush().then(() => true)
    const turn = () => new Promise<false>((resolve) => setImmediate(resolve, false))
    while (!(await Promise.race([isFlushed, turn()]))) turns += 1
    expect(book.list("calls").map(({ keyId }) => keyId)).toEqual(keyNames.toSorted())
    const sizes = book.batches.map(({ calls = [] }) => calls.length)
    expect(Math.max(...sizes)).toBe(17)
    expect(turns).toBeGreaterThanOrEqual(3)
  })

  test("with the public test key are those of nobody", async () => {
    expect(use(publicTestKey.id, "read_item", "ok", home)).toBe(false)
    await counter.flush()
    expect(book.list("calls")).toEqual([])
  })

  test("with a refused key are counted, but their network is not one that uses the key", async () => {
    const outcome = outcomeOf("key_1", "revoked_key", { isKeyAccepted: false })
    counter.count("read_item", outcome, 1, { address: () => "192.0.2.9" })
    await counter.flush()
    expect(book.list("failures")).toMatchObject([{ keyId: "key_1", network: home, calls: 1 }])
    expect(book.list("calls")).toEqual([{ ...ok, outcome: "revoked_key", calls: 1 }])
    expect(book.list("sightings")).toEqual([])
  })
})

describe("writing", () => {
  test("does nothing when nobody called", async () => {
    await counter.flush()
    expect(book.batches).toEqual([])
  })

  test("comes every two seconds, unasked", async () => {
    use("key_1", "read_item", "ok", home)
    expect(timer.everyMs).toBe(2_000)
    timer.tick()
    await until(() => book.batches[0])
    expect(book.list("calls")).toEqual([{ ...ok, calls: 1 }])
  })

  test("is one batch for everything that was counted", async () => {
    validate("code-1")
    counter.countSignIn("wrong", "ada")
    await counter.flush()
    expect(book.batches.map((batch) => Object.keys(batch).toSorted().join(" "))).toEqual([
      "at calls failures items networks sightings signIns sites traffic",
    ])
  })

  test("leaves keys out for longer after many rows, so that it stays a small part of the work", async () => {
    for (let key = 0; key < 25_000; key += 1) use(`key_${key}`, "read_item", "ok", home)
    await counter.flush()
    const written = book.batches.length
    validateOn("code-1", "a.com")
    // 75,000 rows are worth a pause of nearly 19 seconds, and there is one tick every two seconds.
    for (let tick = 0; tick < 9; tick += 1) timer.tick()
    const sitesOnly = await until(() => book.batches[written])
    expect([sitesOnly.sites, sitesOnly.calls]).toEqual([[{ code: "code-1", site: "a.com" }], []])
    timer.tick()
    const { calls } = await until(() => book.batches[written + 1])
    expect(calls?.map(({ keyId }) => keyId)).toEqual(["key_1"])
  })

  test("does not stop the counting: what comes meanwhile is in the next batch", async () => {
    const release = book.hold()
    use("key_1", "read_item", "ok", home)
    const writing = counter.flush()
    await Bun.sleep(0)
    use("key_1", "read_item", "ok", home)
    release()
    await writing
    await counter.flush()
    expect(book.batches.map(({ calls }) => calls)).toEqual([
      [{ ...ok, calls: 1 }],
      [{ ...ok, calls: 1 }],
    ])
  })

  test("ends with the rest", async () => {
    use("key_1", "read_item", "ok", home)
    await counter.close()
    expect(book.list("calls")).toEqual([{ ...ok, calls: 1 }])
  })

  test("ends after the batch on its way: the store is closed right after", async () => {
    const release = book.hold()
    use("key_1", "read_item", "ok", home)
    void counter.flush()
    await Bun.sleep(0)
    const closing = counter.close().then(() => book.batches.length)
    setTimeout(release, 20)
    expect(await closing).toBe(1)
  })
})

describe("a store that fails", () => {
  test("costs no count: they wait for the next time, and what came since follows", async () => {
    validate("code-1")
    counter.countSignIn("wrong", "ada")
    book.break(true)
    await counter.flush()
    clock.forward(1)
    validate("code-2")
    use("key_2", "read_item", "ok", home)
    await counter.flush()
    book.break(false)
    await counter.flush()
    expect(faults).toBe(2)
    expect(book.list("calls").map(({ keyId, calls }) => [keyId, calls])).toEqual([
      ["key_1", 1],
      ["key_1", 1],
      ["key_2", 1],
    ])
    expect(book.list("signIns")).toEqual([{ username: "ada", outcome: "wrong", signIns: 1 }])
    const requests = book.list("traffic").filter(({ kind }) => kind === "request")
    expect(requests.reduce((sum, { count }) => sum + count, 0)).toBe(3)
  })

  test("because it was moved drops the counts", async () => {
    let isMoved = true
    const own = open({
      add: (...batch) =>
        isMoved ? Promise.reject(new StoreMoved("moved")) : book.counts.add(...batch),
    })
    use("key_1", "read_item", "ok", home, own)
    await own.flush()
    isMoved = false
    use("key_2", "read_item", "ok", home, own)
    await own.close()
    expect(faults).toBe(1)
    expect(book.list("calls").map(({ keyId }) => keyId)).toEqual(["key_2"])
  })

  test("costs no call and counts none twice when it fails between two batches", async () => {
    let adds = 0
    const own = open({
      add: (...batch) => {
        adds += 1
        return adds === 3 ? Promise.reject(new Error("full")) : book.counts.add(...batch)
      },
    })
    for (const key of keyNames) use(key, "read_item", "ok", home, own)
    await own.flush()
    expect(book.batches).toHaveLength(2)
    await own.close()
    expect(book.list("calls").map(({ keyId }) => keyId)).toEqual(keyNames.toSorted())
  })

  test("may fail in any order: every call is written exactly once", async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("key_1", "key_2") },
      { weight: 1, arbitrary: fc.constantFrom("flush", "break", "mend", "next hour") },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const clock = createClock()
        const book = createBook()
        const counter = open(book.counts, clock.now)
        const counted: Record<string, number> = {}
        for (const step of steps) {
          if (step === "flush") await counter.flush()
          else if (step === "break" || step === "mend") book.break(step === "break")
          else if (step === "next hour") clock.forward(3_600)
          else {
            const bucket = `${step} ${clock.at()}`
            counted[bucket] = (counted[bucket] ?? 0) + 1
            use(step, "read_item", "ok", home, counter)
          }
        }
        book.break(false)
        await counter.close()
        const written: Record<string, number> = {}
        for (const { keyId, hour, calls } of book.list("calls")) {
          written[`${keyId} ${hour}`] = (written[`${keyId} ${hour}`] ?? 0) + calls
        }
        expect(written).toEqual(counted)
      }),
      { numRuns: runs(200) },
    )
  })
})

describe("networks", () => {
  test("are not noted of a caller that hung up before its address was asked for", async () => {
    use("key_1", "read_item", "unknown_item", "")
    await counter.flush()
    expect(book.list("failures")).toMatchObject([{ keyId: "key_1", network: "", calls: 1 }])
    expect(book.list("sightings")).toEqual([])
  })

  test("are asked for 64 times, then once a second: a busy key is known by then", () => {
    const askedFor = () =>
      Array.from({ length: 100 }, () => use("key_1", "read_item", "ok", home)).filter(Boolean)
    expect(askedFor()).toHaveLength(64)
    clock.forward(1)
    expect(askedFor()).toHaveLength(1)
    expect(use("key_2", "read_item", "ok", home)).toBe(true)
  })

  test("are asked for less often when thousands of keys are in use", () => {
    const keys = Array.from({ length: 2_000 }, (_, index) => `key_${index}`)
    const askedFor = () => keys.filter((key) => use(key, "read_item", "ok", home)).length
    expect([askedFor(), askedFor()]).toEqual([2_000, 0])
    clock.forward(1)
    expect(askedFor()).toBe(0)
    clock.forward(1)
    expect([askedFor(), askedFor()]).toEqual([2_000, 0])
  })

  test("are at most 64 a key, the latest ones, so the last use is right", async () => {
    for (let index = 0; index < 1_000; index++) {
      clock.forward(1)
      use("key_1", "read_item", "ok", networkAt(index))
    }
    await counter.flush()
    const seen = book.sightings("key_1")
    expect(seen.map(([network]) => network)).toEqual(
      Array.from({ length: 64 }, (_, index) => networkAt(936 + index)),
    )
    expect(seen.at(-1)).toEqual([networkAt(999), clock.at()])
    // Those of evicted networks are not given to the others.
    expect(book.list("networks").map(({ calls, isEstimate }) => [calls, isEstimate])).toEqual(
      Array.from({ length: 64 }, () => [1, false]),
    )
  })

  test("have their last use, also when it is not their first", async () => {
    for (let index = 0; index < 64; index++) use("key_1", "read_item", "ok", networkAt(index))
    clock.forward(60)
    use("key_1", "read_item", "ok", networkAt(0))
    clock.forward(1)
    use("key_1", "read_item", "ok", networkAt(64))
    await counter.flush()
    const seen = book.sightings("key_1")
    expect(seen[0]).toEqual([networkAt(0), "2026-06-15T13:00:58Z"])
    expect(seen.at(-1)).toEqual([networkAt(64), "2026-06-15T13:00:59Z"])
  })

  const callsOf = (keyId: string) =>
    book
      .list("networks")
      .filter((each) => each.keyId === keyId)
      .map((each) => [each.network, each.operation, each.day, each.calls, each.isEstimate])

  test("have exact calls by operation while every call is sampled", async () => {
    for (let call = 0; call < 3; call++) use("key_1", "validate_purchase", "ok", home)
    use("key_1", "validate_purchase", "unknown_code", home)
    use("key_1", "list_items", "ok", home)
    use("key_1", "list_items", "ok", networkAt(1))
    use("key_2", "read_item", "ok", home)
    await counter.flush()
    expect(callsOf("key_1")).toEqual([
      [home, "validate_purchase", "2026-06-15", 4, false],
      [home, "list_items", "2026-06-15", 1, false],
      [networkAt(1), "list_items", "2026-06-15", 1, false],
    ])
    expect(callsOf("key_2")).toEqual([[home, "read_item", "2026-06-15", 1, false]])
  })

  test("have estimates when only some calls are sampled, and say so", async () => {
    for (let call = 0; call < 640; call++) {
      use("key_1", "validate_purchase", "ok", networkAt(call % 4 === 0 ? 0 : 1))
    }
    await counter.flush()
    expect(callsOf("key_1").toSorted()).toEqual([
      [networkAt(0), "validate_purchase", "2026-06-15", 160, true],
      [networkAt(1), "validate_purchase", "2026-06-15", 480, true],
    ])
  })
})

describe("the items of valid codes", () => {
  test("are counted, every call of them", async () => {
    for (let call = 0; call < 500; call++) validate("a", 7)
    for (const itemId of [8, 7]) validate("a", itemId)
    validate("a", 7, "revoked_code")
    await counter.flush()
    const facts = { keyId: "key_1", day: "2026-06-15" }
    expect(book.list("items")).toEqual([
      { ...facts, itemId: 7, calls: 501 },
      { ...facts, itemId: 8, calls: 1 },
    ])
  })

  test("are 64 between two writes; the rest is one number", async () => {
    for (let item = 1; item <= 100; item++) validate("a", item)
    validate("a", 3)
    await counter.flush()
    expect(book.list("items").map(({ itemId, calls }) => [itemId, calls])).toEqual([
      ...Array.from({ length: 64 }, (_, index) => [index + 1, index === 2 ? 2 : 1]),
      [null, 36],
    ])
  })
})

describe("sites", () => {
  const noted = () => book.list("sites").map(({ code, site }) => `${code} ${site}`)

  test("are written in batches of 40, each site of a purchase once", async () => {
    for (let at = 0; at < 100; at += 1) validateOn(`code-${at}`, "a.com")
    validateOn("code-1", "a.com")
    validateOn("code-1", "b.com")
    await counter.flush()
    expect([noted().length, new Set(noted()).size]).toEqual([101, 101])
    expect(Math.max(...book.batches.map(({ sites }) => sites?.length ?? 0))).toBe(40)
  })

  test("are not written if the store has seen them today", async () => {
    validateOn("a", "a.com", "2026-06-01")
    validateOn("b", "b.com", hour.slice(0, 10))
    await counter.flush()
    expect(noted()).toEqual(["a a.com"])
  })

  test("are at most 20 of a purchase and of 500 purchases between two writes", async () => {
    for (let at = 0; at < 30; at += 1) validateOn("flooded", `${at}.com`)
    for (let at = 0; at < 600; at += 1) validateOn(`code-${at}`, "a.com")
    await counter.flush()
    expect(noted()).toHaveLength(20 + 499)
  })

  test("can be written before their time, also those that are being written", async () => {
    validateOn("a", "a.com")
    const resume = book.hold()
    timer.tick()
    validateOn("a", "b.com")
    const writing = counter.writeSites()
    resume()
    await writing
    expect(noted()).toEqual(["a a.com", "a b.com"])
  })
})

describe("sign-ins", () => {
  test("of accounts that failed are written, successes and unknown names are not", async () => {
    for (const outcome of ["ok", "wrong", "throttled", "suspended", "wrong"] as const) {
      counter.countSignIn(outcome, "ada")
      counter.countSignIn(outcome, null)
    }
    await counter.flush()
    expect(book.list("signIns")).toEqual([
      { username: "ada", outcome: "wrong", signIns: 2 },
      { username: "ada", outcome: "throttled", signIns: 1 },
    ])
  })

  test("are of at most a thousand accounts between two writes", async () => {
    for (let at = 0; at < 1_500; at += 1) counter.countSignIn("wrong", `author ${at}`)
    counter.countSignIn("wrong", "author 0")
    await counter.close()
    expect(book.list("signIns")).toHaveLength(1_000)
    expect(book.list("signIns")[0]).toEqual({ username: "author 0", outcome: "wrong", signIns: 2 })
  })
})
