/** Nodes tell each other four times a second what their callers have spent. Refused calls spend nothing. */
import type { Every } from "../domain/every.ts"
import { messageCharactersMax, type NodeMessages } from "../domain/node-messages.ts"
import type { Taken } from "./budgets.ts"
import { gateCount, type KeyGates } from "./key-gates.ts"
import type { LimitTable } from "./limit-table.ts"
import { fullMsMax } from "./policy.ts"

/** Told of every call that counts. `gate` is that of a key, or -1. */
export type OnSpent = (taken: Taken, gate: number) => void

export type SpentElsewhere = Readonly<{ onSpent: OnSpent; close(): Promise<void> }>

export type SpendingOptions = Readonly<{
  messages: NodeMessages
  /** Of this process, so that it does not count its own calls twice. */
  sender: string
  /** One thread of each process listens. */
  isListener: boolean
  table: LimitTable
  gates: KeyGates
  every: Every
  nowMs(): number
}>

/** The version of the messages. */
const version = "1"
const sendEveryMs = 250
const entryCharactersMax = 60
const entriesOfMessage = Math.floor(messageCharactersMax / entryCharactersMax)
/** The rest is sent later. */
const messagesMax = 8
/** As many as are sent in a second. More are dropped: a flood from many addresses must not fill the memory. */
const unsentMax = 4 * messagesMax * entriesOfMessage

type Spent = Readonly<{ low: number; high: number; spentMs: number; fullMs: number; gate: number }>

export function openSpentElsewhere(options: SpendingOptions): SpentElsewhere {
  const { messages, sender, table, gates, nowMs } = options
  const unsent = new Map<string, Spent>()

  function send(): void {
    for (let count = 0; count < messagesMax && unsent.size > 0; count += 1) {
      // If the store is lost, each node goes on alone.
      messages.send(writeMessage(sender, takeUnsent())).catch(() => {})
    }
  }
  function takeUnsent(): readonly Spent[] {
    const taken: Spent[] = []
    for (const [name, spent] of unsent) {
      if (taken.length === entriesOfMessage) break
      taken.push(spent)
      unsent.delete(name)
    }
    return taken
  }
  function receive(text: string): void {
    for (const spent of readMessage(text, sender)) {
      const hash = new Int32Array([spent.low, spent.high])
      table.spendMs(hash, spent.spentMs, spent.fullMs, nowMs())
      if (spent.gate >= 0) gates.raise(spent.gate, table.findWholeAt(hash))
    }
  }
  const stopTimer = options.every(sendEveryMs, send)
  const stopListening = options.isListener ? messages.watch(receive) : async () => {}
  return {
    onSpent({ low, high, rate: { intervalMs, burst } }, gate) {
      const name = `${low} ${high}`
      const known = unsent.get(name)
      if (known === undefined && unsent.size >= unsentMax) return
      const spentMs = (known?.spentMs ?? 0) + intervalMs
      unsent.set(name, { low, high, spentMs, fullMs: burst * intervalMs, gate })
    },
    async close() {
      stopTimer()
      await stopListening()
    },
  }
}

export const writeMessage = (sender: string, all: readonly Spent[]) =>
  [
    version,
    sender,
    ...all.map(({ low, high, spentMs, fullMs, gate }) =>
      [low, high, Math.round(spentMs), Math.round(fullMs), gate].join(","),
    ),
  ].join(" ")

/** Nothing from this process, from another version, or that no node would send. */
export function readMessage(text: string, sender: string): readonly Spent[] {
  const [written, from, ...entries] = text.split(" ")
  if (written !== version || from === sender) return []
  return entries.flatMap((entry) => {
    const numbers = entry.split(",").map(Number)
    const [low = 0, high = 0, spentMs = 0, fullMs = 0, gate = -1] = numbers
    const isWhole = numbers.length === 5 && numbers.every(Number.isSafeInteger)
    const isPossible = spentMs > 0 && fullMs > 0 && fullMs <= fullMsMax && gate < gateCount
    return isWhole && isPossible ? [{ low, high, spentMs, fullMs, gate }] : []
  })
}
