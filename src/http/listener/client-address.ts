/** The address of the client: the peer, or the address that a trusted proxy names. */
import { BlockList, isIP } from "node:net"
import { unmapIpv4 } from "../../domain/values/ip-address.ts"
import { findSubnet } from "../request/subnet.ts"

/** Room for twenty IPv6 addresses. A caller can send 15 KB. */
const lettersMax = 1_024

export type ClientAddress = (peer: string, forwardedFor: string | null) => string

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
    const subnet = findSubnet(proxy)
    if (subnet === null) throw new Error(`not a network: ${proxy}`)
    trusted.addSubnet(subnet.address, subnet.bits, subnet.family)
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
