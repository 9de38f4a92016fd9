import { beforeEach, describe, expect, test } from "bun:test"
import { type Clock, createClock } from "../../tests/harness/clock.ts"
import type { SignInSource, SignInThrottle } from "../domain/session.ts"
import { createSignInThrottle } from "./sign-in-throttle.ts"

let clock: Clock
let throttle: SignInThrottle
beforeEach(() => {
  clock = createClock()
  throttle = createSignInThrottle(clock.now)
})

const stranger: SignInSource = { name: "elif", network: "198.51.100.0/24", isKnown: false }
const owner: SignInSource = { name: "elif", network: "192.0.2.0/24", isKnown: true }
const networkOf = (index: number) => `10.${index >> 8}.${index & 255}.0/24`

function fail(times: number, source: (index: number) => SignInSource): void {
  for (let index = 0; index < times; index++) throttle.noteFailure(source(index))
}

describe("an account", () => {
  const fromAnywhere = (index: number) => ({ ...stranger, network: networkOf(index) })

  test("has ten tries from networks it does not know, then waits ten minutes", () => {
    fail(9, fromAnywhere)
    expect(throttle.secondsToWait(stranger)).toBe(0)
    fail(1, fromAnywhere)
    expect(throttle.secondsToWait(stranger)).toBe(600)
  })

  test("says how long is still to wait, never less, and is open again after that", () => {
    fail(10, () => stranger)
    clock.forward(0.5)
    expect(throttle.secondsToWait(stranger)).toBe(600)
    clock.forward(598.5)
    expect(throttle.secondsToWait(stranger)).toBe(1)
    clock.forward(1)
    expect(throttle.secondsToWait(stranger)).toBe(0)
  })

  test("starts a new count after the wait, not one failure from the next", () => {
    fail(10, () => stranger)
    clock.forward(600)
    fail(9, () => stranger)
    expect(throttle.secondsToWait(stranger)).toBe(0)
    clock.forward(1)
    fail(1, () => stranger)
    expect(throttle.secondsToWait(stranger)).toBe(599)
  })

  test("is not held up where it has been signed in before", () => {
    fail(20, fromAnywhere)
    expect([throttle.secondsToWait(stranger), throttle.secondsToWait(owner)]).toEqual([600, 0])
  })

  test("is not used up for others by its owner's own slips", () => {
    fail(20, () => owner)
    expect(throttle.secondsToWait(stranger)).toBe(0)
  })

  test("is one account however its name is written", () => {
    fail(10, (index) => ({ ...stranger, name: index % 2 === 0 ? "ELIF" : "Elif" }))
    expect(throttle.secondsToWait(stranger)).toBe(600)
  })

  test("does not hold up another one", () => {
    fail(10, () => stranger)
    expect(throttle.secondsToWait({ ...stranger, name: "deniz" })).toBe(0)
  })

  test("is not held up by a network of the same name", () => {
    fail(40, (index) => ({ name: String(index), network: "elif", isKnown: false }))
    expect(throttle.secondsToWait(stranger)).toBe(0)
  })
})

describe("a network", () => {
  const atAnyone = (index: number) => ({ ...stranger, name: `author ${index}` })

  test("has thirty tries for all accounts together, then waits ten minutes", () => {
    fail(29, atAnyone)
    expect(throttle.secondsToWait({ ...stranger, name: "one more" })).toBe(0)
    throttle.noteFailure(atAnyone(29))
    expect(throttle.secondsToWait({ ...stranger, name: "one more" })).toBe(600)
    expect(throttle.secondsToWait({ ...stranger, name: "one more", isKnown: true })).toBe(600)
  })

  test("does not hold up another one", () => {
    fail(30, atAnyone)
    expect(throttle.secondsToWait({ ...owner, isKnown: false })).toBe(0)
  })

  test("counts failures at a known place too", () => {
    fail(30, () => owner)
    expect(throttle.secondsToWait(owner)).toBe(600)
  })

  test("and its account: the longer wait counts", () => {
    fail(30, atAnyone)
    clock.forward(60)
    fail(10, (index) => ({ ...stranger, network: networkOf(index) }))
    expect(throttle.secondsToWait(stranger)).toBe(600)
    clock.forward(540)
    expect(throttle.secondsToWait(stranger)).toBe(60)
  })
})

test("a flood of names takes bounded memory and forgets the oldest first", () => {
  fail(10, () => stranger)
  fail(30_000, (index) => ({ ...stranger, name: `name ${index}`, network: networkOf(index) }))
  expect(throttle.secondsToWait(stranger)).toBe(0)
  fail(10, () => stranger)
  expect(throttle.secondsToWait(stranger)).toBe(600)
})

test("names as long as a request are counted by their beginning", () => {
  const long = "x".repeat(60_000)
  fail(10, (index) => ({ ...stranger, name: `${long}${index}`, network: networkOf(index) }))
  expect(throttle.secondsToWait({ ...stranger, name: long })).toBe(600)
})
