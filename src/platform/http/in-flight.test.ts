import { expect, test } from "bun:test"
import { createInFlight, pagesMax, requestsMax } from "./in-flight.ts"

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
