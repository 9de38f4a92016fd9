import { expect, test } from "bun:test"
import { until } from "../../../tests/harness/until.ts"
import { createInFlight, createTurns, pagesMax, requestsMax } from "./in-flight.ts"

const admitted = (times: number, enter: () => boolean) =>
  Array.from({ length: times }, enter).filter(Boolean).length

test("at most 2,000 requests are in flight, and at most 200 of them are pages", () => {
  const inFlight = createInFlight()
  expect([requestsMax, pagesMax]).toEqual([2_000, 200])
  expect(admitted(3_000, inFlight.enterPage)).toBe(200)
  expect(admitted(3_000, inFlight.enter)).toBe(1_800)
  expect(inFlight.count()).toBe(2_000)
  inFlight.leavePage()
  expect(admitted(2, inFlight.enterPage)).toBe(1)
  inFlight.leave()
  expect(admitted(2, inFlight.enter)).toBe(1)
})

test("a request is not in flight while its form is read, also if reading fails", async () => {
  const inFlight = createInFlight()
  const { promise, reject } = Promise.withResolvers<never>()
  inFlight.enterPage()
  const paused = inFlight.whilePaused(promise)
  expect([inFlight.count(), admitted(300, inFlight.enterPage)]).toEqual([0, 200])
  reject(new Error("cut off"))
  await expect(paused).rejects.toThrow("cut off")
  expect(inFlight.count()).toBe(201)
})

const never = 3_600_000
const { signal } = new AbortController()

/** Takes turns one at a time. `began` has the names of the turns in order. */
function open(waitMs = never) {
  const takeTurn = createTurns(waitMs)
  const began: string[] = []
  const take = async (name: string, turn: string, by = signal) => {
    const end = await takeTurn(name, 1, by)
    began.push(turn)
    return end
  }
  return { take, began }
}

test("turns of a name run one after the other, in order; others are not delayed", async () => {
  const { take, began } = open()
  const end = await take("ada", "first")
  const second = take("ada", "second")
  const third = take("ada", "third")
  await take("bob", "other")
  expect(began).toEqual(["first", "other"])
  end()
  // Only the first call ends a turn.
  end()
  const endSecond = await second
  expect(began).toEqual(["first", "other", "second"])
  endSecond()
  await third
})

test("as many run at a time as the caller allows", async () => {
  const takeTurn = createTurns(1)
  const [end] = await Promise.all([takeTurn("ada", 2, signal), takeTurn("ada", 2, signal)])
  await expect(takeTurn("ada", 2, signal)).rejects.toMatchObject({ reason: "unavailable" })
  end()
  await until(() => takeTurn("ada", 2, signal).catch(() => undefined))
})

test("ten wait, the next one is rejected", async () => {
  const { take } = open()
  await take("ada", "running")
  for (let at = 0; at < 10; at += 1) void take("ada", "waiting")
  await expect(take("ada", "eleventh")).rejects.toMatchObject({ reason: "unavailable" })
})

test("a turn that does not come in time is rejected and is not taken later", async () => {
  const { take, began } = open(1)
  const end = await take("ada", "first")
  await expect(take("ada", "late")).rejects.toMatchObject({ reason: "unavailable" })
  end()
  await until(() => take("ada", "next").catch(() => undefined))
  expect(began).toEqual(["first", "next"])
})

test("a client that is gone takes no turn", async () => {
  const { take, began } = open()
  const gone = new AbortController()
  const end = await take("ada", "first")
  const left = take("ada", "gone", gone.signal)
  const next = take("ada", "next")
  gone.abort()
  await expect(left).rejects.toMatchObject({ reason: "unavailable" })
  await expect(take("bob", "gone", gone.signal)).rejects.toMatchObject({ reason: "unavailable" })
  end()
  await next
  expect(began).toEqual(["first", "next"])
})
