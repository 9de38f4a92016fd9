/**
 * For each key, in memory that all threads share: how many of its validations are open, and the time at which
 * the budgets of all its addresses are whole again. While both together are less than one address may spend,
 * a call passes without its address. Keys that share a gate only make it close sooner.
 */
import type { Rate } from "../domain/rate-limits.ts"

/** Two numbers a gate: the open calls, and a time in ticks. */
export type KeyGateMemory = Int32Array

/** A few times the keys that a busy server has in use, in half a megabyte. */
export const gateCount = 2 ** 16
const tickMs = 100
/** Six years. */
const ticksMax = 2 ** 31 - 1

export const createKeyGateMemory = (): KeyGateMemory =>
  new Int32Array(new SharedArrayBuffer(2 * gateCount * Int32Array.BYTES_PER_ELEMENT))

/** For a thread that ended. Its calls are not known, so those of all threads are counted from zero. */
export function forgetOpenCalls(memory: KeyGateMemory): void {
  for (let gate = 0; gate < gateCount; gate += 1) Atomics.store(memory, 2 * gate, 0)
}

export type KeyGates = Readonly<{
  gateOf(hash: number): number
  /** True if one more call is open now; it must leave again. */
  enter(gate: number, rate: Rate): boolean
  leave(gate: number): void
  countOpen(gate: number): number
  /** The budget of an address of the key is whole again at `wholeAtMs`. */
  raise(gate: number, wholeAtMs: number): void
}>

export function createKeyGates(memory: KeyGateMemory, nowMs: () => number): KeyGates {
  function leave(gate: number): void {
    if (Atomics.sub(memory, 2 * gate, 1) <= 0) Atomics.add(memory, 2 * gate, 1)
  }
  return {
    gateOf: (hash) => (hash >>> 0) % gateCount,
    enter(gate, { intervalMs, burst }) {
      const open = Atomics.add(memory, 2 * gate, 1) + 1
      const ticks = Atomics.load(memory, 2 * gate + 1)
      const spentMs = ticks === 0 ? 0 : Math.max(0, ticks * tickMs - nowMs())
      if (spentMs + open * intervalMs <= burst * intervalMs) return true
      leave(gate)
      return false
    },
    leave,
    countOpen: (gate) => Atomics.load(memory, 2 * gate),
    raise(gate, wholeAtMs) {
      const ticks = Math.min(ticksMax, Math.ceil(wholeAtMs / tickMs))
      let known = Atomics.load(memory, 2 * gate + 1)
      while (known < ticks) {
        known = Atomics.compareExchange(memory, 2 * gate + 1, known, ticks)
      }
    },
  }
}
