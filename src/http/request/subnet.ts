import { isIP } from "node:net"

export type Subnet = Readonly<{ address: string; bits: number; family: "ipv4" | "ipv6" }>

/** As in `192.0.2.16/28`; an address alone is a network of one. Null for anything else. */
export function findSubnet(text: string): Subnet | null {
  const [address = "", length, ...rest] = text.split("/")
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return null
  const [family, bitsMax] = version === 6 ? (["ipv6", 128] as const) : (["ipv4", 32] as const)
  if (length === undefined) return { address, bits: bitsMax, family }
  const bits = /^\d+$/.test(length) ? Number(length) : Number.NaN
  return bits <= bitsMax ? { address, bits, family } : null
}
