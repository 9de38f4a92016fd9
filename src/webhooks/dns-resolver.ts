/**
 * Resolves the host names of webhooks. A look-up that no DNS server responds to goes on for half a minute after its
 * attempt has failed. It keeps its slot until it has ended, so that no author can run more than a few.
 */
import type { BusySlot } from "../domain/events/message.ts"

export type DnsLookup = (hostname: string) => Promise<readonly string[]>

/** Whose endpoint has the host, and whether that endpoint fails. */
export type LookupCaller = Pick<BusySlot, "accountId" | "isFailing">

/**
 * Returns no address for a name that does not resolve in time, and when the signal is aborted. Throws NoLookupSlot if
 * all slots stayed in use.
 */
export type Resolve = (
  hostname: string,
  caller: LookupCaller,
  signal: AbortSignal,
) => Promise<readonly string[]>

/** The look-up has not begun, so nothing is known about the endpoint. */
export class NoLookupSlotError extends Error {
  override name = "NoLookupSlot"
}

/** By c-ares: getaddrinfo would keep a thread of the pool that also hashes passwords and compresses. */
export const lookUpHost: DnsLookup = async (hostname) =>
  (await Bun.dns.lookup(hostname, { backend: "c-ares" })).map(({ address }) => address)

const slotsMax = 8
/** Of one author, and of the operators together. */
const ownerSlotsMax = 2
/** An endpoint that fails starts a look-up only while less than this share of the slots is in use. */
const failingShare = 0.5

export type LookupTimeouts = Readonly<{
  /** Together with the time-out of a request, both are shorter than a lease. */
  waitMs: number
  lookupMs: number
}>

export const lookupTimeouts: LookupTimeouts = { waitMs: 30_000, lookupMs: 5_000 }

export function createDnsResolver(
  lookUp: DnsLookup,
  { waitMs, lookupMs }: LookupTimeouts,
): Resolve {
  const running = new Set<LookupCaller>()
  /** In the order of arrival, each with what starts it. */
  const waiting = new Map<LookupCaller, () => void>()

  function hasSlot({ accountId, isFailing }: LookupCaller): boolean {
    const share = isFailing ? failingShare : 1
    const own = [...running].filter((each) => each.accountId === accountId)
    return running.size < slotsMax * share && own.length < ownerSlotsMax * share
  }
  function startWaiting(): void {
    for (const [caller, start] of waiting) {
      if (!hasSlot(caller)) continue
      waiting.delete(caller)
      running.add(caller)
      start()
    }
  }
  return async (hostname, { accountId, isFailing }, signal) => {
    const caller = { accountId, isFailing }
    const started = Promise.withResolvers<void>()
    waiting.set(caller, started.resolve)
    startWaiting()
    await within(started.promise, waitMs, signal)
    if (waiting.delete(caller)) throw new NoLookupSlotError()
    const lookup = lookUp(hostname)
      .catch(() => [])
      .finally(() => {
        running.delete(caller)
        startWaiting()
      })
    return (await within(lookup, lookupMs, signal)) ?? []
  }
}

/** What the work resolves with; undefined if it does not in time, or the signal is aborted. */
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
