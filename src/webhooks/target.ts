/**
 * Where a message may go. An author chooses the address of an endpoint, so it must not lead into the network of the
 * server: the host is resolved once, every address is judged, and the connection goes to the one that was judged.
 */
import { BlockList, isIP } from "node:net"
import type { EndpointOwner, FindHostProblem } from "../domain/events/endpoint.ts"
import type { IpRange } from "../domain/values/ip-range.ts"
import type { LookupCaller, Resolve } from "./dns-resolver.ts"

export type Target = Readonly<{
  address: string
  port: number
  isTls: boolean
  /** The name of the host: for the certificate, and for the Host header. An address without brackets. */
  hostname: string
  /** As the Host header has it, with the port where it is not the usual one. */
  host: string
  path: string
}>

/** The target is rejected. The message is for the owner of the endpoint. */
export class TargetRejected extends Error {
  override name = "TargetRefused"
}

/** Those that are not on the internet (IANA's special-purpose registries), and those that hold such an address. */
const closedIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  // Multicast, reserved and broadcast.
  "224.0.0.0/3",
]

/** Only these are given out to the internet; all others are refused. */
const openIpv6 = "2000::/3"
/** Within it: protocols (Teredo with them), documentation, 6to4, and the next documentation prefix. */
const closedIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]

/** What may be reached beside public addresses, also without TLS. */
export type AllowedTargets = Readonly<{
  /** By endpoints of the operators. */
  webhookIpRanges: readonly IpRange[]
  /** By every endpoint: the URL of the demo's own receiver. */
  webhookReceiver: string | null
}>

export type TargetRules = Readonly<{
  findHostProblem: FindHostProblem
  /** The same with the addresses that the host resolves to. */
  check(url: URL, owner: EndpointOwner, addresses: readonly string[]): "protocol" | "network" | null
}>

export function createTargetRules({
  webhookIpRanges,
  webhookReceiver,
}: AllowedTargets): TargetRules {
  const own = new BlockList()
  for (const { address, bits, family } of webhookIpRanges) own.addSubnet(address, bits, family)
  const closed = new BlockList()
  for (const network of closedIpv4) add(closed, network, "ipv4")
  for (const network of closedIpv6) add(closed, network, "ipv6")
  const open = new BlockList()
  add(open, openIpv6, "ipv6")

  function isPublic(address: string): boolean {
    const family = familyOf(address)
    if (closed.check(address, family)) return false
    return family === "ipv4" || open.check(address, family)
  }
  const check: TargetRules["check"] = (url, owner, addresses) => {
    if (url.href === webhookReceiver) return null
    const isOwn = (address: string) => owner === null && own.check(address, familyOf(address))
    if (!isTls(url) && !addresses.every(isOwn)) return "protocol"
    // All of them: a name that also leads inside is no mistake.
    return addresses.every((each) => isOwn(each) || isPublic(each)) ? null : "network"
  }
  return {
    findHostProblem(url, owner) {
      const hostname = hostnameOf(url)
      if (isIP(hostname) !== 0) return check(url, owner, [unmap(hostname)])
      return isTls(url) || (owner === null && webhookIpRanges.length > 0) ? null : "protocol"
    },
    check,
  }
}

/** Throws TargetRefused, or what `resolve` throws. */
export type FindTarget = (url: string, caller: LookupCaller, signal: AbortSignal) => Promise<Target>

export const createFindTarget =
  ({ findHostProblem, check }: TargetRules, resolve: Resolve): FindTarget =>
  async (text, caller, signal) => {
    const url = new URL(text)
    const { accountId: owner } = caller
    if (findHostProblem(url, owner) === "protocol") {
      throw new TargetRejected("the URL must begin with https://")
    }
    const hostname = hostnameOf(url)
    const given = isIP(hostname) === 0 ? await resolve(hostname, caller, signal) : [hostname]
    const addresses = given.map(unmap)
    const [address] = addresses
    // One message for both, so that it does not tell which names exist in the server's network.
    if (address === undefined || check(url, owner, addresses) !== null) {
      throw new TargetRejected("the host does not resolve to an allowed address")
    }
    const port = Number(url.port) || (isTls(url) ? 443 : 80)
    const path = `${url.pathname}${url.search}`
    return { address, port, isTls: isTls(url), hostname, host: url.host, path }
  }

const isTls = ({ protocol }: URL) => protocol === "https:"

/** An IPv6 address without its brackets. */
const hostnameOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, "$1")

function add(list: BlockList, network: string, family: "ipv4" | "ipv6"): void {
  const [address = "", bits] = network.split("/")
  list.addSubnet(address, Number(bits), family)
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4")

/** An IPv4 address in IPv6, in either spelling, is judged as what it is. */
function unmap(address: string): string {
  const [, dotted] = /^(?:0*:){0,5}:?ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (dotted !== undefined) return dotted
  const [, high, low] = /^(?:0*:){0,5}:?ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? []
  if (high === undefined || low === undefined) return address
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".")
}
