import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../../tests/harness/full-test-run.ts"
import type { LogDetails } from "../../log/log.ts"
import { createClientAddress, createProxyWarning } from "./client-address.ts"

const proxies = ["10.0.0.0/8", "192.0.2.7", "fd00::/8", "2001:db8::7"]
const addressOf = createClientAddress(proxies, () => {})

test("a peer that sends the header and is not trusted is told", () => {
  const told: string[] = []
  const listed = createClientAddress(proxies, (peer) => told.push(peer))
  const none = createClientAddress([], (peer) => told.push(peer))
  listed("10.1.2.3", "198.51.100.9")
  listed("203.0.113.1", null)
  listed("203.0.113.2", "198.51.100.9")
  none("10.1.2.3", "198.51.100.9")
  expect(told).toEqual(["203.0.113.2", "10.1.2.3"])
})

const asked: readonly (readonly [
  what: string,
  peer: string,
  forwardedFor: string | null,
  client: string,
])[] = [
  ["a proxy that names its client", "10.1.2.3", "198.51.100.9", "198.51.100.9"],
  ["a proxy given by its address alone", "192.0.2.7", "198.51.100.9", "198.51.100.9"],
  ["the proxy's neighbour", "192.0.2.8", "198.51.100.9", "192.0.2.8"],
  ["a proxy that names nobody", "10.1.2.3", null, "10.1.2.3"],
  ["a proxy with an empty header", "10.1.2.3", "", "10.1.2.3"],
  ["a proxy on a socket of both families", "::ffff:10.1.2.3", "198.51.100.9", "198.51.100.9"],
  ["a proxy of IPv6", "fd12::1", "2001:db8:1::9", "2001:db8:1::9"],
  ["a proxy of IPv6, its address written long", "2001:0db8:0:0::0007", "::9", "::9"],
  ["two proxies in a row", "10.1.2.3", "198.51.100.9, 10.9.9.9", "198.51.100.9"],
  ["blanks and none around the commas", "10.1.2.3", " 198.51.100.9 ,10.9.9.9", "198.51.100.9"],
  ["what the client itself wrote before", "10.1.2.3", "1.2.3.4, 198.51.100.9", "198.51.100.9"],
  ["a client that names a proxy of ours", "10.1.2.3", "10.0.0.1, 198.51.100.9", "198.51.100.9"],
  ["proxies all the way", "10.1.2.3", "10.0.0.1, 10.0.0.2", "10.1.2.3"],
  ["a header that holds no address", "10.1.2.3", "unknown", "10.1.2.3"],
  ["a client with its port", "10.1.2.3", "1.2.3.4, 9.9.9.9:80", "9.9.9.9"],
  ["a client of IPv6 with its port", "10.1.2.3", "[2001:db8:1::9]:4711", "2001:db8:1::9"],
  ["a client of IPv6 in brackets", "10.1.2.3", "[2001:db8:1::9]", "2001:db8:1::9"],
  ["a client of IPv6 that ends like a port", "10.1.2.3", "2001:db8:1::9:80", "2001:db8:1::9:80"],
  [
    "a proxy of ours with its port",
    "10.1.2.3",
    "9.9.9.9:1, 10.9.9.9:65535, [fd00::1]:2",
    "9.9.9.9",
  ],
  ["a port alone, and what was written before", "10.1.2.3", "1.2.3.4, :80", "10.1.2.3"],
  ["an address with a name for a port", "10.1.2.3", "1.2.3.4, 9.9.9.9:http", "10.1.2.3"],
  ["four numbers that are no address", "10.1.2.3", "1.2.3.4, 999.9.9.9:80", "10.1.2.3"],
  ["a bracket that does not close", "10.1.2.3", "1.2.3.4, [2001:db8::9", "10.1.2.3"],
  ["a client nobody knows, and what it wrote before", "10.1.2.3", "1.2.3.4, unknown", "10.1.2.3"],
  ["a client after all it wrote", "10.1.2.3", `${"1.1.1.1,".repeat(999)}9.9.9.9`, "9.9.9.9"],
  [
    "proxies for longer than is looked at",
    "10.1.2.3",
    `9.9.9.9${",10.0.0.1".repeat(999)}`,
    "10.1.2.3",
  ],
  [
    "an address that the cut goes through",
    "10.1.2.3",
    `99.9.9.9${",10.0.0.1".repeat(113)}`,
    "10.1.2.3",
  ],
  ["a socket without an address", "", "198.51.100.9", ""],
]

test.each(asked)("%s", (_, peer, forwardedFor, client) => {
  expect(addressOf(peer, forwardedFor)).toBe(client)
})

const ipv4 = fc.tuple(
  fc.nat({ max: 255 }),
  fc.nat({ max: 255 }),
  fc.nat({ max: 255 }),
  fc.nat({ max: 255 }),
)
const dotted = (parts: readonly number[]) => parts.join(".")
const stranger = ipv4
  .filter(([first]) => first !== 10)
  .map(dotted)
  .filter((each) => each !== "192.0.2.7")
const ours = fc.oneof(
  ipv4.map(([, b, c, d]) => dotted([10, b, c, d])),
  fc.constantFrom("192.0.2.7", "::ffff:10.0.0.9", "fd00::1"),
)
const header = fc.oneof(
  fc.array(fc.oneof(stranger, ours, fc.ipV6()), { maxLength: 5 }).map((hops) => hops.join(", ")),
  fc.string(),
)

describe("whatever the header says", () => {
  test("a peer that is no proxy of ours is not believed", () => {
    fc.assert(
      fc.property(stranger, header, (peer, forwardedFor) => {
        expect([addressOf(peer, forwardedFor), addressOf(`::ffff:${peer}`, forwardedFor)]).toEqual([
          peer,
          `::ffff:${peer}`,
        ])
      }),
      { numRuns: propertyRuns(1_000) },
    )
  })

  test("without trusted proxies nobody is believed", () => {
    const trusting = createClientAddress([], () => {})
    fc.assert(
      fc.property(fc.oneof(stranger, ours), header, (peer, forwardedFor) => {
        expect(trusting(peer, forwardedFor)).toBe(peer)
      }),
    )
  })

  test("what a client writes in front of its own address changes nothing", () => {
    const chain = fc.array(ours, { maxLength: 3 })
    fc.assert(
      fc.property(ours, header, stranger, chain, (peer, written, client, hops) => {
        expect(addressOf(peer, [written, client, ...hops].join(", "))).toBe(client)
      }),
      { numRuns: propertyRuns(1_000) },
    )
  })
})

test("a network is trusted to its last address, and no further", () => {
  const bits = fc.integer({ min: 1, max: 32 })
  const number = fc.nat({ max: 0xffffffff })
  const text = (value: number) =>
    dotted([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255])
  fc.assert(
    fc.property(number, bits, number, (network, bits, peer) => {
      // Half of the peers share the network's beginning.
      const mask = bits === 32 ? 0xffffffff : ~(0xffffffff >>> bits) >>> 0
      const near = ((network & mask) | (peer & ~mask)) >>> 0
      for (const each of [peer, near]) {
        const isInside = (each & mask) >>> 0 === (network & mask) >>> 0
        const trusting = createClientAddress([`${text(network)}/${bits}`], () => {})
        const found = trusting(text(each), "2001:db8::1")
        expect(found).toBe(isInside ? "2001:db8::1" : text(each))
      }
    }),
    { numRuns: propertyRuns(1_000) },
  )
})

function open() {
  let nowMs = 0
  const told: LogDetails[] = []
  const warn = (_: string, details: LogDetails = {}) => void told.push(details)
  const tell = createProxyWarning({ warn }, () => nowMs)
  return { tell, told: () => told.splice(0), pass: (ms: number) => (nowMs += ms) }
}
const lineOf = (network: string) => ({ network, setting: "PAZAR_TRUSTED_PROXIES" })

test("a network is told once an hour", () => {
  const { tell, told, pass } = open()
  for (const peer of ["10.0.0.1", "10.0.0.2", "::ffff:10.0.0.1", "10.0.1.1"]) tell(peer)
  expect(told()).toEqual([lineOf("10.0.0.0/24"), lineOf("10.0.1.0/24")])
  pass(3_599_999)
  tell("10.0.0.1")
  expect(told()).toEqual([])
  pass(1)
  tell("10.0.0.1")
  expect(told()).toEqual([lineOf("10.0.0.0/24")])
})

test("whoever sends the header from many networks fills neither log nor memory", () => {
  const { tell, told } = open()
  for (let third = 0; third < 256; third += 1) tell(`192.0.${third}.1`)
  expect(told()).toHaveLength(20)
})
