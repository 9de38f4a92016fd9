/**
 * Resolves the host names of webhooks. Without a response of the DNS server, a lookup continues for half a minute after
 * the attempt has timed out. It keeps its slot until then, so that an author cannot run many.
 */
import type { BusySlot } from "../domain/events/message.ts"

export type DnsLookup = (hostname: string) => Promise<readonly string[]>

export type LookupCaller = Pick<BusySlot, "accountId" | "isFailing">

/** Returns an empty list if the name does not resolve in time or the signal is aborted. Throws NoLookupSlotError. */
export type Resolve = (
  hostname: string,
  caller: LookupCaller,
  signal: AbortSignal,
) => Promise<readonly string[]>

/** All slots stayed in use, so the lookup has not started: this is not a failure of the endpoint. */
export class NoLookupSlotError extends Error {
  override name = "NoLookupSlotError"
}

/** Uses c-ares: getaddrinfo would block a thread of the pool that also hashes passwords. */
export const lookUpHost: DnsLookup = async (hostname) =>
  (await Bun.dns.lookup(hostname, { backend: "c-ares" })).map(({ address }) => address)

const slotsMax = 8
/** For one author, and for all operators together. */
const ownerSlotsMax = 2
/** Failing endpoints may use only this share of the slots. */
const failingShare = 0.5

export type LookupTimeouts = Readonly<{
  /** The sum of both and the timeout of a request must be shorter than a lease. */
  waitMs: number
  lookupMs: number
}>

export const lookupTimeouts: LookupTimeouts = { waitMs: 30_000, lookupMs: 5_000 }

export function createDnsResolver(
  lookUp: DnsLookup,
  { waitMs, lookupMs }: LookupTimeouts,
): Resolve {
  const running = new Set<LookupCaller>()
  /** Queued callers in order of arrival, with the function that starts each. */
  const queue = new Map<LookupCaller, () => void>()

  function hasSlot({ accountId, isFailing }: LookupCaller): boolean {
    const share = isFailing ? failingShare : 1
    const own = [...running].filter((each) => each.accountId === accountId)
    return running.size < slotsMax * share && own.length < ownerSlotsMax * share
  }
  function startQueued(): void {
    for (const [caller, start] of queue) {
      if (!hasSlot(caller)) continue
      queue.delete(caller)
      running.add(caller)
      start()
    }
  }
  return async (hostname, { accountId, isFailing }, signal) => {
    const caller = { accountId, isFailing }
    const started = Promise.withResolvers<void>()
    queue.set(caller, started.resolve)
    startQueued()
    await within(started.promise, waitMs, signal)
    if (queue.delete(caller)) throw new NoLookupSlotError()
    const lookup = lookUp(hostname)
      .catch(() => [])
      .finally(() => {
        running.delete(caller)
        startQueued()
      })
    return (await within(lookup, lookupMs, signal)) ?? []
  }
}

/** Resolves with undefined after `ms` or when the signal is aborted. */
function within<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve) => {
    function end(result?: T): void {
      clearTimeout(timer)
      signal.removeEventListener("abort", stop)
      resolve(result)
    }
    const stop = () => end()
    const timer = setTimeout(stop, ms)
    signal.addEventListener("abort", stop)
    if (signal.aborted) stop()
    void work.then(end)
  })
}
