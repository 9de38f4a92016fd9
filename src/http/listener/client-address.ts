/** The address of the client: the peer, or the address that a trusted proxy names. */
import { BlockList, isIP } from "node:net"
import type { Caller } from "../../domain/limits/request-limits.ts"
import { findIpRange, ipRangeOf, unmapIpv4 } from "../../domain/values/ip-range.ts"
import type { Log } from "../../log/log.ts"
import type { Server } from "../request/handler.ts"

export type ResolveCaller = (request: Request, server: Server) => Caller

export function createCallerResolver(trustedProxies: readonly string[], log: Log): ResolveCaller {
  const clientAddress = createClientAddress(trustedProxies, createProxyWarning(log))
  return (request, server) => {
    let known: string | null = null
    return {
      address() {
        known ??= clientAddress(
          server.requestIP(request)?.address ?? "",
          request.headers.get("x-forwarded-for"),
        )
        return known
      },
    }
  }
}

/** Room for twenty IPv6 addresses. A caller can send 15 KB. */
const lettersMax = 1_024

type ClientAddress = (peer: string, forwardedFor: string | null) => string

/**
 * Reads the header from its end: the first address that is not a trusted proxy is the client's. `onUntrusted` is
 * told of peers that send the header and are not trusted.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  onUntrusted: (peer: string) => void,
): ClientAddress {
  const trusted = new BlockList()
  for (const proxy of trustedProxies) {
    const ipRange = findIpRange(proxy)
    if (ipRange === null) throw new Error(`not an IP range: ${proxy}`)
    trusted.addSubnet(ipRange.address, ipRange.bits, ipRange.family)
  }
  const isTrusted = (address: string) => {
    const plain = unmapIpv4(address)
    const family = isIP(plain)
    return family !== 0 && trusted.check(plain, family === 6 ? "ipv6" : "ipv4")
  }
  return (peer, forwardedFor) => {
    if (forwardedFor === null) return peer
    if (trustedProxies.length === 0 || !isTrusted(peer)) {
      onUntrusted(peer)
      return peer
    }
    const hops = forwardedFor
      .slice(-lettersMax)
      .split(",")
      .map((hop) => withoutPort(hop.trim()))
    // The cut may go through the first entry.
    if (forwardedFor.length > lettersMax) hops.shift()
    // Entries before an unreadable one were written by an untrusted hop: do not use them.
    const client = hops.findLast((hop) => !isTrusted(hop))
    return client !== undefined && isIP(unmapIpv4(client)) !== 0 ? client : peer
  }
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string) => hop.replace(/^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2")

const tellEveryMs = 3_600_000
/** Anybody can send the header, so at most this many networks are logged in an hour. */
const networksMax = 20

/**
 * Warns of proxies that are not listed: all callers behind one share its address, and its limits. Call the
 * returned function with every peer that sends `X-Forwarded-For` and is not trusted.
 */
export function createProxyWarning(
  log: Pick<Log, "warn">,
  nowMs: () => number = () => performance.now(),
): (peer: string) => void {
  const told = new Set<string>()
  let hourEndsAtMs = 0
  return (peer) => {
    if (nowMs() >= hourEndsAtMs) {
      told.clear()
      hourEndsAtMs = nowMs() + tellEveryMs
    }
    if (told.size >= networksMax) return
    const network = ipRangeOf(peer)
    if (told.has(network)) return
    told.add(network)
    log.warn("X-Forwarded-For from an untrusted proxy", {
      network,
      setting: "PAZAR_TRUSTED_PROXIES",
    })
  }
}
