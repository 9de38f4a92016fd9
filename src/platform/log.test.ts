import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { until } from "../../tests/harness/until.ts"
import { createLog, createRepeatedFailures, type LogLevel } from "./log.ts"

const line = {
  method: "GET",
  route: "list_items",
  status: 200,
  reason: "ok",
  ms: 1.23456,
  keyId: "key_1",
  requestId: "r",
}

/** `pass` advances the clock by ten seconds. `isTimed` is true while the log has a timer. */
function collect(level: LogLevel) {
  let text = ""
  const timers = new Set<() => void>()
  const write = (more: string) => {
    text += more
  }
  const log = createLog(level, write, (_, work) => {
    timers.add(work)
    return () => timers.delete(work)
  })
  const read = () => {
    log.flush()
    const lines = text.split("\n").filter((each) => each !== "")
    text = ""
    return lines.map((each) => {
      const { time, stack, ...rest } = JSON.parse(each)
      expect(time).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/)
      return rest
    })
  }
  const pass = () => {
    for (const work of timers) work()
  }
  return { log, read, pass, isTimed: () => timers.size > 0 }
}

test("the line of a request contains only the fields of the allow-list", () => {
  const { log, read } = collect("debug")
  // The type would reject these fields.
  log.request({ ...line, url: "/?api_key=secret" } as typeof line, true)
  log.request({ ...line, keyId: null, status: 401, reason: "unknown_key" }, true)
  const { keyId: _, ...keyless } = line
  expect(read()).toEqual([
    { level: "debug", ...line, ms: 1.235 },
    { level: "debug", ...keyless, status: 401, reason: "unknown_key", ms: 1.235 },
  ])
})

test.each(["info", "warn", "error", "silent"] as const)(
  "at %s, a request that did not fail has no line",
  (level) => {
    const { log, read } = collect(level)
    log.request(line, true)
    log.request({ ...line, status: 404, reason: "unknown_code" }, true)
    log.request({ ...line, status: 501, reason: "unknown_path" }, true)
    expect([log.logsRequests, read()]).toEqual([false, []])
    expect(collect("debug").log.logsRequests).toBe(true)
  },
)

test("levels: requests are debug, failed ones error, and one that is rejected unexpectedly is warn", () => {
  const { log, read } = collect("warn")
  log.info("started")
  log.request(line, true)
  log.request({ ...line, status: 503 }, false)
  log.failedRequest({ ...line, status: 503 }, new Error("why"))
  log.error("failed to write usage", new Error("why"))
  expect(read()).toEqual([
    { level: "warn", ...line, status: 503, ms: 1.235 },
    { level: "error", message: expect.any(String), requestId: "r" },
    { level: "error", ...line, status: 503, ms: 1.235 },
    { level: "error", message: "failed to write usage" },
  ])
  const silent = collect("silent")
  silent.log.error("x", new Error("y"))
  silent.log.failedRequest(line, new Error("y"))
  silent.pass()
  expect(silent.read()).toEqual([])
})

describe("repeated failures are counted", () => {
  const failed = { ...line, status: 503, reason: "unavailable" }
  const lost = new Error("the store is lost")
  const first = [
    { level: "error", message: expect.any(String), requestId: "r" },
    { level: "error", ...failed, ms: 1.235 },
  ]
  const sum = (repeated: number, changes: object = {}) => ({
    level: "error",
    message: expect.any(String),
    route: "list_items",
    status: 503,
    reason: "unavailable",
    fault: "Error: the store is lost",
    repeated,
    ...changes,
  })

  test("the first is written immediately, the others as a number every ten seconds", () => {
    const { log, read, pass } = collect("info")
    for (let turn = 0; turn < 1_000; turn += 1) log.failedRequest(failed, lost)
    expect(read()).toEqual(first)
    pass()
    expect(read()).toEqual([sum(999)])
    log.failedRequest(failed, lost)
    pass()
    expect(read()).toEqual([sum(1)])
  })

  test("after ten seconds without a failure, the next one is written immediately", () => {
    const { log, read, pass, isTimed } = collect("info")
    log.failedRequest(failed, lost)
    pass()
    expect([read(), isTimed()]).toEqual([first, false])
    log.failedRequest(failed, lost)
    expect([read(), isTimed()]).toEqual([first, true])
  })

  test("another route, status or fault is counted separately", () => {
    const { log, read, pass } = collect("info")
    for (const kind of [{}, { route: "read_item" }, { status: 500 }]) {
      log.failedRequest({ ...failed, ...kind }, lost)
      log.failedRequest({ ...failed, ...kind }, lost)
    }
    log.failedRequest(failed, new Error("the disk is full"))
    log.failedRequest(failed, new Error("the disk is full"))
    expect(read()).toHaveLength(8)
    pass()
    expect(read()).toEqual([
      sum(1),
      sum(1, { route: "read_item" }),
      sum(1, { status: 500 }),
      sum(1, { fault: "Error: the disk is full" }),
    ])
  })

  test("so are rejected requests and what strangers cause, each with its level", () => {
    const { log, read, pass } = collect("info")
    for (let turn = 0; turn < 3; turn += 1) {
      log.request({ ...failed, requestId: `r${turn}` }, false)
      log.repeatedInfo("sign-in", { outcome: "throttled" }, { ipRange: `192.0.${turn}.0/24` })
    }
    const signIn = { level: "info", message: "sign-in", outcome: "throttled" }
    expect(read()).toEqual([
      { level: "warn", ...failed, requestId: "r0", ms: 1.235 },
      { ...signIn, ipRange: "192.0.0.0/24" },
    ])
    pass()
    const { route, status, reason } = failed
    expect(read()).toEqual([
      { level: "warn", message: expect.any(String), route, status, reason, repeated: 2 },
      { ...signIn, repeated: 2 },
    ])
  })

  test("failures of other work are counted too; ordinary lines never are", () => {
    const { log, read, pass } = collect("debug")
    for (let turn = 0; turn < 3; turn += 1) {
      log.failure("failed to write usage", lost, { requestId: `r${turn}` })
      log.request(line, true)
      log.request({ ...line, status: 404 }, true)
      log.info("ready again")
      log.error("not ready", lost)
    }
    expect(read()).toHaveLength(1 + 3 * 4)
    pass()
    expect(read()).toEqual([
      {
        level: "error",
        message: "failed to write usage",
        fault: "Error: the store is lost",
        repeated: 2,
      },
    ])
  })

  test("the remaining counts are reported when the log is closed", () => {
    const { log, read, isTimed } = collect("info")
    for (let turn = 0; turn < 3; turn += 1) log.failedRequest(failed, lost)
    log.close()
    expect([read(), isTimed()]).toEqual([[...first, sum(2)], false])
  })

  test("the number of kinds is bounded", () => {
    const { log, read, pass } = collect("info")
    for (let turn = 0; turn < 10_000; turn += 1) log.failure("x", new Error(`fault ${turn}`))
    const others = { level: "error", message: expect.any(String) }
    expect(read()).toHaveLength(64)
    pass()
    expect(read()).toEqual([{ ...others, repeated: 10_000 - 64 }])
  })
})

test("lines are buffered and flushed by a timer", async () => {
  let text = ""
  const log = createLog("debug", (more) => {
    text += more
  })
  log.request(line, true)
  expect(text).toBe("")
  expect(await until(() => text || undefined)).toContain("list_items")
})

test("many lines are written in small chunks of whole lines", () => {
  const pieces: string[] = []
  const log = createLog("debug", (more) => {
    pieces.push(more)
  })
  for (let turn = 0; turn < 1_000; turn += 1) log.request(line, true)
  log.flush()
  expect(pieces.join("").split("\n")).toHaveLength(1_001)
  for (const piece of pieces) {
    expect(piece.length).toBeLessThan(20 * 1024)
    expect(piece).toEndWith("}\n")
  }
})

test("every failure is either written or counted once", () => {
  const kinds = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 200 }))
  const anySteps = fc.array(fc.oneof(kinds, fc.constant("ten seconds" as const)), {
    maxLength: 300,
  })
  fc.assert(
    fc.property(anySteps, (steps) => {
      const timers = new Set<() => void>()
      const logged = new Map<string, number>()
      const add = (kind: string, count: number) => logged.set(kind, (logged.get(kind) ?? 0) + count)
      const repeated = createRepeatedFailures(
        (_, work) => {
          timers.add(work)
          return () => timers.delete(work)
        },
        (count) => add("others", count),
      )
      for (const step of steps) {
        if (step === "ten seconds") for (const work of timers) work()
        else if (repeated.isFirst(`${step}`, (count) => add(`${step}`, count))) add(`${step}`, 1)
      }
      repeated.close()
      expect(timers.size).toBe(0)
      const failures = steps.filter((step) => step !== "ten seconds")
      const countOf = (kind: string) => failures.filter((step) => `${step}` === kind).length
      const counts = [...logged]
      expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBe(failures.length)
      expect(counts.filter(([kind, count]) => kind !== "others" && count > countOf(kind))).toEqual(
        [],
      )
    }),
  )
})
