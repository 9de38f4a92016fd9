import { expect, test } from "bun:test"
import { createMachine } from "../../tests/harness/machine-clocks.ts"
import { createSteadyClock } from "../domain/running/steady-clock.ts"
import { watchClock } from "./machine-clocks.ts"

test("each time that the clock is set back is logged once, and small corrections are not", () => {
  const machine = createMachine(1_000_000)
  const clock = createSteadyClock(machine.clocks)
  const told: unknown[] = []
  let look = () => {}
  const every = (_: number, work: () => void) => {
    look = work
    return () => {}
  }
  watchClock(clock, every, { info: (_, details) => told.push(details) })
  for (const jump of [0, 5_000, -999, -3_600_000, 0, 7_200_000, -60_000]) {
    machine.jump(jump)
    look()
  }
  expect(told).toEqual([{ seconds: 3_600 }, { seconds: 60 }])
})
