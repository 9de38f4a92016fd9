/** The client's IP address: the peer's address, or the forwarded one behind a trusted proxy. */
import { BlockList, isIP } from "node:net"
import type { Server } from "../api/endpoint.ts"
import { type Caller, findIpRange, ipRangeOf, unmapIpv4 } from "../platform/ip-range.ts"
import type { Log } from "../platform/log.ts"

export type ResolveCaller = (request: Request, server: Server) => Caller

export function createCallerResolver(trustedProxies: readonly string[], log: Log): ResolveCaller {
  const clientAddress = createClientAddress(trustedProxies, createProxyWarning(log))
  return (request, server) => {
    let resolved: string | null = null
    return {
      address() {
        resolved ??= clientAddress(
          server.requestIP(request)?.address ?? "",
          request.headers.get("x-forwarded-for"),
        )
        return resolved
      },
    }
  }
}

/** Room for twenty IPv6 addresses. Clients can send 15 KB. */
const headerLengthMax = 1_024

/**
 * Reads the header from its end: the first address that is not a trusted proxy is the client.
 * `onUntrusted` is called with untrusted peers that send the header.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  onUntrusted: (peer: string) => void,
): (peer: string, forwardedFor: string | null) => string {
  const isTrusted = createTrust(trustedProxies)
  return (peer, forwardedFor) => {
    if (forwardedFor === null) return peer
    if (trustedProxies.length === 0 || !isTrusted(peer)) {
      onUntrusted(peer)
      return peer
    }
    const hops = forwardedFor
      .slice(-headerLengthMax)
      .split(",")
      .map((hop) => withoutPort(hop.trim()))
    // The first entry may be incomplete.
    if (forwardedFor.length > headerLengthMax) hops.shift()
    // Do not use entries before an invalid one: an untrusted hop wrote them.
    const client = hops.findLast((hop) => !isTrusted(hop))
    return client !== undefined && isIP(unmapIpv4(client)) !== 0 ? client : peer
  }
}

export function createTrust(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList()
  for (const proxy of trustedProxies) {
    const ipRange = findIpRange(proxy)
    if (ipRange === null) throw new Error(`not an IP range: ${proxy}`)
    trusted.addSubnet(ipRange.address, ipRange.bits, ipRange.family)
  }
  return (address) => {
    const plain = unmapIpv4(address)
    const family = isIP(plain)
    return family !== 0 && trusted.check(plain, family === 6 ? "ipv6" : "ipv4")
  }
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string) => hop.replace(/^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2")

const warnEveryMs = 3_600_000
/** IP ranges logged per hour. Limited because anybody can send the header. */
const ipRangesMax = 20

/**
 * Warns of untrusted proxies: all clients behind one share its address and its rate limits. Call the
 * returned function with every untrusted peer that sends `X-Forwarded-For`.
 */
export function createProxyWarning(
  log: Pick<Log, "warn">,
  nowMs: () => number = () => performance.now(),
): (peer: string) => void {
  const warned = new Set<string>()
  let hourEndsAtMs = 0
  return (peer) => {
    if (nowMs() >= hourEndsAtMs) {
      warned.clear()
      hourEndsAtMs = nowMs() + warnEveryMs
    }
    if (warned.size >= ipRangesMax) return
    const ipRange = ipRangeOf(peer)
    if (warned.has(ipRange)) return
    warned.add(ipRange)
    log.warn("X-Forwarded-For from an untrusted proxy", {
      ipRange,
      setting: "PAZAR_TRUSTED_PROXIES",
    })
  }
}
