/** The clocks of a machine, which a test moves. */
import type { Clocks } from "../../src/domain/running/steady-clock.ts"

export type Machine = Readonly<{
  clocks: Clocks
  /** Time passes on both clocks. */
  pass(ms: number): void
  /** Somebody sets the wall clock. */
  jump(ms: number): void
}>

export function createMachine(startMs: number): Machine {
  let [wall, monotonic] = [startMs, 5]
  return {
    clocks: { wallMs: () => wall, monotonicMs: () => monotonic },
    pass(ms) {
      wall += ms
      monotonic += ms
    },
    jump(ms) {
      wall += ms
    },
  }
}
