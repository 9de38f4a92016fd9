import { isIP } from "node:net"

/** Resolves the IP address on demand: most requests do not need it. */
export type Caller = Readonly<{ address(): string }>

export type IpRange = Readonly<{ address: string; bits: number; family: "ipv4" | "ipv6" }>

/** Reads CIDR notation such as `192.0.2.16/28`, or a single address. Returns null for other text. */
export function findIpRange(text: string): IpRange | null {
  const [address = "", length, ...rest] = text.split("/")
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return null
  const [family, bitsMax] = version === 6 ? (["ipv6", 128] as const) : (["ipv4", 32] as const)
  if (length === undefined) return { address, bits: bitsMax, family }
  const bits = /^\d+$/.test(length) ? Number(length) : Number.NaN
  return bits <= bitsMax ? { address, bits, family } : null
}

/** The range that is recorded instead of an address: /24 or /48. Empty if the caller disconnected. */
export function ipRangeOf(address: string): string {
  if (address === "") return ""
  const plain = unmapIpv4(address)
  if (plain.includes(":")) return `${firstThreeGroups(plain)}::/48`
  return `${plain.slice(0, plain.lastIndexOf("."))}.0/24`
}

/** The unit of rate limits: an IPv4 address, or the /48 of IPv6 that a provider assigns to a customer. */
export function clientOf(address: string): string {
  if (!address.includes(":")) return address
  const plain = unmapIpv4(address)
  return plain.includes(":") ? ipRangeOf(plain) : plain
}

function firstThreeGroups(address: string): string {
  const halves = address.split("::").map((half) => half.split(":").filter((group) => group !== ""))
  const [head = [], tail = []] = halves
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0")
  const groups = [...head, ...zeros, ...tail].slice(0, 3)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")
}

/** A dual-stack socket shows an IPv4 address as `::ffff:192.0.2.1`. */
export const unmapIpv4 = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, "")

export const httpUrl = (host: string, port: number) =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`
