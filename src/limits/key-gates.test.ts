import { expect, test } from "bun:test"
import { createKeyGateMemory, createKeyGates, forgetOpenCalls } from "./key-gates.ts"

const rate = { intervalMs: 10_000, burst: 3 }

function open() {
  let nowMs = 50
  const memory = createKeyGateMemory()
  const gates = createKeyGates(memory, () => nowMs)
  /** How many calls it lets in. */
  const fill = (gate: number) => {
    let calls = 0
    while (gates.enter(gate, rate)) calls += 1
    for (let call = 0; call < calls; call += 1) gates.leave(gate)
    return calls
  }
  return { memory, gates, fill, pass: (ms: number) => (nowMs += ms) }
}

test("lets in as many calls at once as one address may miss", () => {
  const { gates, fill } = open()
  expect([fill(1), fill(1), fill(2)]).toEqual([3, 3, 3])
  gates.enter(1, rate)
  expect([fill(1), fill(2), gates.countOpen(1)]).toEqual([2, 3, 1])
})

test("lets in fewer while an address has misses, and never too many", () => {
  const { gates, fill, pass } = open()
  gates.raise(1, 20_050)
  gates.raise(1, 10_000)
  expect(fill(1)).toBe(0)
  pass(50)
  expect(fill(1)).toBe(1)
  pass(10_000)
  expect(fill(1)).toBe(2)
  pass(10_000)
  expect(fill(1)).toBe(3)
})

test("calls of a thread that ended are forgotten, and those of others end without harm", () => {
  const { memory, gates, fill } = open()
  gates.enter(1, rate)
  gates.enter(1, rate)
  forgetOpenCalls(memory)
  gates.leave(1)
  expect([gates.countOpen(1), fill(1)]).toEqual([0, 3])
})

test("any hash has a gate", () => {
  const { gates } = open()
  for (const hash of [0, -1, 2 ** 31 - 1, -(2 ** 31)]) {
    expect(gates.enter(gates.gateOf(hash), rate)).toBe(true)
  }
})

test("a time that is years away closes the gate", () => {
  const { gates, fill } = open()
  gates.raise(1, 10 ** 12)
  expect(fill(1)).toBe(0)
})
