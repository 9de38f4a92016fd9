import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { createMachine as createMachineAt } from "../../../tests/harness/machine-clocks.ts"
import { createSteadyClock } from "./steady-clock.ts"

const hourMs = 3_600_000
const createMachine = () => createMachineAt(1_000_000)

describe("a steady clock", () => {
  test("is the wall clock while that is not set back, also after a jump ahead", () => {
    const machine = createMachine()
    const clock = createSteadyClock(machine.clocks)
    machine.pass(7)
    expect([clock.now().getTime(), clock.aheadMs()]).toEqual([1_000_007, 0])
    machine.jump(2 * hourMs)
    expect([clock.now().getTime(), clock.aheadMs()]).toEqual([1_000_007 + 2 * hourMs, 0])
  })

  test("goes on by the monotonic clock when the wall clock is set back, until that has caught up", () => {
    const machine = createMachine()
    const clock = createSteadyClock(machine.clocks)
    machine.jump(-hourMs)
    machine.pass(10)
    expect([clock.now().getTime(), clock.aheadMs()]).toEqual([1_000_010, hourMs])
    machine.jump(hourMs + 5)
    expect([clock.now().getTime(), clock.aheadMs()]).toEqual([1_000_015, 0])
  })

  test("of a new thread starts where the older ones are", () => {
    const machine = createMachine()
    const older = createSteadyClock(machine.clocks)
    machine.jump(-hourMs)
    const newer = createSteadyClock(machine.clocks, older.aheadMs())
    machine.pass(10)
    expect(newer.now()).toEqual(older.now())
  })

  test("never goes back, and never stays behind the wall clock or the time that has passed", () => {
    const change = fc.record({
      pass: fc.nat(hourMs),
      jump: fc.integer({ min: -2 * hourMs, max: 2 * hourMs }),
    })
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const machine = createMachine()
        const clock = createSteadyClock(machine.clocks)
        for (const { pass, jump } of changes) {
          const before = clock.now().getTime()
          machine.pass(pass)
          machine.jump(jump)
          const after = clock.now().getTime()
          expect(after).toBe(Math.max(before + pass, machine.clocks.wallMs()))
        }
      }),
    )
  })
})
