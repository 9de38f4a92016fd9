/**
 * Failed sign-ins, counted in windows of ten minutes. A network has so many tries for all accounts,
 * and an account so many from all networks it has never been signed in from: somebody who guesses
 * from elsewhere uses those up, and the owner at a known place is not held up by it. A success takes
 * nothing back: whoever has one account here must not earn tries at others with it.
 */
import type { SignInThrottle } from "../domain/session.ts"

const windowMs = 10 * 60_000
const networkFailuresMax = 30
const accountFailuresMax = 10
/** Bounds the memory an attacker with many names can take; the oldest window goes first. */
const windowsMax = 20_000

type Window = { failures: number; readonly endsAtMs: number }

export function createSignInThrottle(now: () => Date): SignInThrottle {
  const windows = new Map<string, Window>()

  function current(bucket: string): Window | undefined {
    const window = windows.get(bucket)
    if (window !== undefined && window.endsAtMs <= now().getTime()) {
      windows.delete(bucket)
      return undefined
    }
    return window
  }
  function count(bucket: string): void {
    const window = current(bucket)
    if (window !== undefined) {
      window.failures += 1
      return
    }
    const [oldest] = windows.keys()
    if (windows.size >= windowsMax && oldest !== undefined) windows.delete(oldest)
    windows.set(bucket, { failures: 1, endsAtMs: now().getTime() + windowMs })
  }
  function wait(bucket: string, failuresMax: number): number {
    const window = current(bucket)
    if (window === undefined || window.failures < failuresMax) return 0
    return Math.ceil((window.endsAtMs - now().getTime()) / 1000)
  }
  const networkBucket = (network: string) => `network ${network}`
  // Long names are somebody's garbage; their beginning is enough to count them by.
  const accountBucket = (name: string) => `account ${name.toLowerCase().slice(0, 255)}`

  return {
    secondsToWait: ({ name, network, isKnown }) =>
      Math.max(
        wait(networkBucket(network), networkFailuresMax),
        isKnown ? 0 : wait(accountBucket(name), accountFailuresMax),
      ),
    noteFailure({ name, network, isKnown }) {
      count(networkBucket(network))
      if (!isKnown) count(accountBucket(name))
    },
  }
}
