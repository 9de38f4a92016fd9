/**
 * Where a message may go. An author chooses the address of an endpoint, so it must not lead into the network of the
 * server: the host is resolved once, every address is judged, and the connection goes to the one that was judged.
 */
import { lookup } from "node:dns/promises"
import { BlockList, isIP } from "node:net"
import type { FindHostProblem } from "../domain/events/endpoint.ts"

export type Network = Readonly<{ address: string; bits: number; family: "ipv4" | "ipv6" }>

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

/** The address is refused. The message is for the owner of the endpoint. */
export class TargetRefused extends Error {
  override name = "TargetRefused"
}

export type Resolve = (hostname: string) => Promise<readonly string[]>

const resolveMsMax = 5_000

/** Asks the resolver of the machine. A name that is not found in time has no address. */
export const resolveHost: Resolve = async (hostname) => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new TargetRefused("the name service did not answer")),
    resolveMsMax,
  )
  try {
    const found = await Promise.race([lookup(hostname, { all: true }), late.promise])
    return found.map(({ address }) => address)
  } finally {
    clearTimeout(timer)
  }
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

export type Targets = Readonly<{
  findHostProblem: FindHostProblem
  /** Throws TargetRefused, or what `resolve` throws. */
  find(url: string): Promise<Target>
}>

/** `networks` may be reached whatever they are, also without TLS. */
export function createTargets(networks: readonly Network[], resolve: Resolve): Targets {
  const own = new BlockList()
  for (const { address, bits, family } of networks) own.addSubnet(address, bits, family)
  const closed = new BlockList()
  for (const network of closedIpv4) add(closed, network, "ipv4")
  for (const network of closedIpv6) add(closed, network, "ipv6")
  const open = new BlockList()
  add(open, openIpv6, "ipv6")

  const isOwn = (address: string) => own.check(address, familyOf(address))
  function isPublic(address: string): boolean {
    const family = familyOf(address)
    if (closed.check(address, family)) return false
    return family === "ipv4" || open.check(address, family)
  }
  function judge({ isTls }: UrlParts, addresses: readonly string[]) {
    if (!isTls && !addresses.every(isOwn)) return "protocol"
    // All of them: a name that also leads inside is no mistake.
    return addresses.every((each) => isOwn(each) || isPublic(each)) ? null : "network"
  }
  return {
    findHostProblem(url) {
      const parts = readUrl(url)
      if (isIP(parts.hostname) !== 0) return judge(parts, [unmap(parts.hostname)])
      return parts.isTls || networks.length > 0 ? null : "protocol"
    },
    async find(text) {
      const url = new URL(text)
      const parts = readUrl(url)
      const { hostname, isTls } = parts
      const given = isIP(hostname) === 0 ? await resolve(hostname) : [hostname]
      const addresses = given.map(unmap)
      const [address] = addresses
      if (address === undefined) throw new TargetRefused("the host has no address")
      const problem = judge(parts, addresses)
      if (problem !== null) throw new TargetRefused(refusals[problem])
      const port = Number(url.port) || (isTls ? 443 : 80)
      const path = `${url.pathname}${url.search}`
      return { address, port, isTls, hostname, host: url.host, path }
    },
  }
}

const refusals = {
  protocol: "the address must begin with https://",
  network: "the host has an address that is not on the internet",
}

type UrlParts = Readonly<{ hostname: string; isTls: boolean }>

const readUrl = ({ hostname, protocol }: URL): UrlParts => ({
  hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
  isTls: protocol === "https:",
})

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
