/**
 * The spent budgets of all threads, in memory that they share. An entry has a hash and the time at which its
 * budget is whole again; an entry whose time has passed is free. A hash belongs to one set of eight entries,
 * and a set is locked while it is changed, so the limits are exact across threads. Nothing here allocates.
 */
import type { Rate } from "../domain/rate-limits.ts"
import { afterCall } from "./gcra.ts"
import type { Hash } from "./keyed-hash.ts"

export type LimitTableMemory = Readonly<{
  locks: Int32Array
  /** The low and the high half of each. */
  hashes: Int32Array
  wholeAtMs: Float64Array
  /** Calls that were taken and not settled yet. */
  openCalls: Int32Array
  /** The thread that holds a place, plus one; 0 for other entries. */
  holders: Int32Array
}>

/** 100,000 entries, in 2.5 MB. */
const sets = 12_500
const entriesOfSet = 8

export function createLimitTableMemory(): LimitTableMemory {
  const entries = sets * entriesOfSet
  const shared = (words: number) => new Int32Array(new SharedArrayBuffer(4 * words))
  return {
    locks: shared(sets),
    hashes: shared(2 * entries),
    wholeAtMs: new Float64Array(new SharedArrayBuffer(8 * entries)),
    openCalls: shared(entries),
    holders: shared(entries),
  }
}

/** Frees the places of a thread that ended. */
export function freePlacesOf({ holders, wholeAtMs }: LimitTableMemory, thread: number): void {
  for (const [entry, holder] of holders.entries()) {
    if (holder === thread + 1) wholeAtMs[entry] = 0
  }
}

export type LimitTable = Readonly<{
  /** Takes one call from the budget. Returns its entry, or -1 if the call is not allowed. */
  take(hash: Hash, rate: Rate, nowMs: number): number
  /** The same for a place, which is free again when this thread ends. */
  takePlace(hash: Hash, rate: Rate, nowMs: number): number
  /**
   * Ends a call that was taken. Unless it `counts`, it goes back into the budget. `low` and `high` are those of
   * its hash: another budget may have the entry by now.
   */
  settle(entry: number, low: number, high: number, rate: Rate, counts: boolean): void
  /** Calls of the budget that are not settled. */
  countOpen(hash: Hash): number
  /** When the budget is whole again; 0 for an unknown one. */
  findWholeAt(hash: Hash): number
  /** Moves that time to `wholeAtMs`, never back. */
  raise(hash: Hash, wholeAtMs: number): void
  /** Takes `spentMs` from a budget of `fullMs` even if it is not allowed, as far as the budget goes. */
  spendMs(hash: Hash, spentMs: number, fullMs: number, nowMs: number): void
}>

/** A lock is held for less than a microsecond, unless its thread is interrupted or has died. */
const spinsMax = 200
const pauseMs = 1
/** After so many pauses in one and the same call, the thread that holds the lock is taken for dead. */
const pausesMax = 250
/** A thread's marks repeat after this many calls. */
const marksMax = 2 ** 20
/** The low ten bits of a mark name the thread. */
const threadsMax = 2 ** 10

export function createLimitTable(memory: LimitTableMemory, thread: number): LimitTable {
  const { locks, hashes, wholeAtMs, openCalls, holders } = memory
  const owner = thread + 1
  let calls = 0
  /** The value of a lock that this thread holds: another for each call, so that others see that it is alive. */
  let mark = 0

  const setOf = (low: number) => (low >>> 0) % sets

  /** Returns the set. */
  function lock(low: number): number {
    const set = setOf(low)
    calls = (calls + 1) % marksMax
    mark = calls * threadsMax + owner
    if (Atomics.compareExchange(locks, set, 0, mark) !== 0) waitFor(set)
    return set
  }
  function waitFor(set: number): void {
    let watched = 0
    let pauses = 0
    for (let tries = 1; ; tries += 1) {
      const holder = Atomics.compareExchange(locks, set, 0, mark)
      if (holder === 0) return
      if (holder !== watched) pauses = 0
      watched = holder
      if (tries > spinsMax && Atomics.wait(locks, set, holder, pauseMs) === "timed-out") pauses += 1
      const isDead = pauses >= pausesMax
      if (isDead && Atomics.compareExchange(locks, set, holder, mark) === holder) return
    }
  }
  /** Only if it was not taken over meanwhile. */
  const unlock = (low: number) => Atomics.compareExchange(locks, setOf(low), mark, 0)

  const isOf = (entry: number, low: number, high: number) =>
    at(hashes, 2 * entry + 1) === high && at(hashes, 2 * entry) === low

  /** -1 for an unknown hash. The set must be locked, here and below. */
  function find(set: number, low: number, high: number): number {
    const start = set * entriesOfSet
    for (let entry = start; entry < start + entriesOfSet; entry += 1) {
      if (isOf(entry, low, high)) return entry
    }
    return -1
  }
  /** The entry of the hash. An unknown hash gets the one that is free, or else will be free first. */
  function claim(set: number, low: number, high: number): number {
    const known = find(set, low, high)
    if (known !== -1) return known
    const start = set * entriesOfSet
    let entry = start
    for (let other = start + 1; other < start + entriesOfSet; other += 1) {
      if (at(wholeAtMs, other) < at(wholeAtMs, entry)) entry = other
    }
    hashes[2 * entry] = low
    hashes[2 * entry + 1] = high
    wholeAtMs[entry] = 0
    openCalls[entry] = 0
    holders[entry] = 0
    return entry
  }
  function take(hash: Hash, rate: Rate, nowMs: number, holder: number): number {
    const low = at(hash, 0)
    const high = at(hash, 1)
    const set = lock(low)
    const known = find(set, low, high)
    const next = afterCall(known === -1 ? 0 : at(wholeAtMs, known), nowMs, rate)
    let entry = -1
    if (!Number.isNaN(next)) {
      entry = known === -1 ? claim(set, low, high) : known
      // The open calls of a whole budget were never settled: their thread has died.
      openCalls[entry] = at(wholeAtMs, entry) < nowMs ? 1 : at(openCalls, entry) + 1
      wholeAtMs[entry] = next
      holders[entry] = holder
    }
    unlock(low)
    return entry
  }
  function read(of: Int32Array | Float64Array, hash: Hash): number {
    const low = at(hash, 0)
    const high = at(hash, 1)
    const entry = find(lock(low), low, high)
    const found = entry === -1 ? 0 : at(of, entry)
    unlock(low)
    return found
  }
  return {
    take: (hash, rate, nowMs) => take(hash, rate, nowMs, 0),
    takePlace: (hash, rate, nowMs) => take(hash, rate, nowMs, owner),
    settle(entry, low, high, { intervalMs }, counts) {
      lock(low)
      if (isOf(entry, low, high)) {
        openCalls[entry] = Math.max(0, at(openCalls, entry) - 1)
        if (!counts) wholeAtMs[entry] = at(wholeAtMs, entry) - intervalMs
      }
      unlock(low)
    },
    countOpen: (hash) => read(openCalls, hash),
    findWholeAt: (hash) => read(wholeAtMs, hash),
    raise(hash, untilMs) {
      const low = at(hash, 0)
      const high = at(hash, 1)
      const entry = claim(lock(low), low, high)
      wholeAtMs[entry] = Math.max(at(wholeAtMs, entry), untilMs)
      unlock(low)
    },
    spendMs(hash, moreMs, fullMs, nowMs) {
      const low = at(hash, 0)
      const high = at(hash, 1)
      const entry = claim(lock(low), low, high)
      const spentMs = Math.max(0, at(wholeAtMs, entry) - nowMs) + moreMs
      wholeAtMs[entry] = nowMs + Math.min(spentMs, fullMs)
      unlock(low)
    },
  }
}

/** Every index here is within its array. */
const at = (array: Int32Array | Float64Array, index: number) => array[index] ?? 0
