/**
 * Counts failed sign-ins by account in memory and writes them every ten seconds, so that a guesser does not
 * make the store write with every try. A crash loses the counts since the last write.
 */
import type { Every } from "../domain/every.ts"
import type { RejectedSignIn, RejectionStore, SignInRejections } from "../domain/rejections.ts"
import type { SignInOutcome } from "../domain/sign-in-failures.ts"
import { formatTimestamp } from "../domain/timestamp.ts"

export type SignInCounter = Readonly<{
  /** Only failures of accounts that exist are counted; `username` is null for others. */
  count(outcome: SignInOutcome, username: string | null): void
  /** Stops the timer and writes the rest. */
  close(): Promise<void>
}>

export type SignInCounting = Readonly<{
  rejections: Pick<RejectionStore, "addSignIns">
  now: () => Date
  every: Every
  onFault(fault: unknown): void
}>

const writeEveryMs = 10_000
/** Accounts counted between two writes. Each failure costs a password hash, so more are hardly possible. */
const accountsMax = 1_000

type Failures = Record<RejectedSignIn, number>

export function openSignInCounter(counting: SignInCounting): SignInCounter {
  const { rejections, now, every, onFault } = counting
  let failures = new Map<string, Failures>()
  let lastWrite = Promise.resolve()

  function add(username: string, outcome: RejectedSignIn, signIns: number): void {
    const known = failures.get(username)
    if (known === undefined && failures.size >= accountsMax) return
    const counts = known ?? { wrong: 0, throttled: 0 }
    counts[outcome] += signIns
    failures.set(username, counts)
  }
  async function write(): Promise<void> {
    const counts = listCounts(failures)
    if (counts.length === 0) return
    failures = new Map()
    try {
      await rejections.addSignIns(formatTimestamp(now()), counts)
    } catch (fault) {
      onFault(fault)
      for (const { username, outcome, signIns } of counts) add(username, outcome, signIns)
    }
  }
  function flush(): Promise<void> {
    lastWrite = lastWrite.then(write)
    return lastWrite
  }
  const stopTimer = every(writeEveryMs, flush)
  return {
    count(outcome, username) {
      if (username !== null && (outcome === "wrong" || outcome === "throttled")) {
        add(username, outcome, 1)
      }
    },
    async close() {
      stopTimer()
      await flush()
    },
  }
}

const listCounts = (failures: ReadonlyMap<string, Failures>): readonly SignInRejections[] =>
  [...failures].flatMap(([username, { wrong, throttled }]) => {
    const both = [
      { username, outcome: "wrong" as const, signIns: wrong },
      { username, outcome: "throttled" as const, signIns: throttled },
    ]
    return both.filter(({ signIns }) => signIns > 0)
  })
