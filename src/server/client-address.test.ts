import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import type { LogDetails } from "../platform/log.ts"
import { createClientAddress, createProxyWarning } from "./client-address.ts"

const proxies = ["10.0.0.0/8", "192.0.2.7", "fd00::/8", "2001:db8::7"]
const addressOf = createClientAddress(proxies, () => {})

test("untrusted peers that send the header are reported", () => {
  const warned: string[] = []
  const listed = createClientAddress(proxies, (peer) => warned.push(peer))
  const none = createClientAddress([], (peer) => warned.push(peer))
  listed("10.1.2.3", "198.51.100.9")
  listed("203.0.113.1", null)
  listed("203.0.113.2", "198.51.100.9")
  none("10.1.2.3", "198.51.100.9")
  expect(warned).toEqual(["203.0.113.2", "10.1.2.3"])
})

const cases: readonly (readonly [
  what: string,
  peer: string,
  forwardedFor: string | null,
  client: string,
])[] = [
  ["a proxy that forwards its client", "10.1.2.3", "198.51.100.9", "198.51.100.9"],
  ["a proxy configured as a single address", "192.0.2.7", "198.51.100.9", "198.51.100.9"],
  ["the address that follows a proxy's", "192.0.2.8", "198.51.100.9", "192.0.2.8"],
  ["a proxy without the header", "10.1.2.3", null, "10.1.2.3"],
  ["a proxy with an empty header", "10.1.2.3", "", "10.1.2.3"],
  ["a proxy on a dual-stack socket", "::ffff:10.1.2.3", "198.51.100.9", "198.51.100.9"],
  ["a proxy of IPv6", "fd12::1", "2001:db8:1::9", "2001:db8:1::9"],
  ["a proxy of IPv6, its address written long", "2001:0db8:0:0::0007", "::9", "::9"],
  ["two proxies in a row", "10.1.2.3", "198.51.100.9, 10.9.9.9", "198.51.100.9"],
  ["whitespace around the commas", "10.1.2.3", " 198.51.100.9 ,10.9.9.9", "198.51.100.9"],
  ["entries that the client sent itself", "10.1.2.3", "1.2.3.4, 198.51.100.9", "198.51.100.9"],
  [
    "a client that sends the address of a trusted proxy",
    "10.1.2.3",
    "10.0.0.1, 198.51.100.9",
    "198.51.100.9",
  ],
  ["trusted proxies only", "10.1.2.3", "10.0.0.1, 10.0.0.2", "10.1.2.3"],
  ["a header without an address", "10.1.2.3", "unknown", "10.1.2.3"],
  ["a client with its port", "10.1.2.3", "1.2.3.4, 9.9.9.9:80", "9.9.9.9"],
  ["a client of IPv6 with its port", "10.1.2.3", "[2001:db8:1::9]:4711", "2001:db8:1::9"],
  ["a client of IPv6 in brackets", "10.1.2.3", "[2001:db8:1::9]", "2001:db8:1::9"],
  ["a client of IPv6 that ends like a port", "10.1.2.3", "2001:db8:1::9:80", "2001:db8:1::9:80"],
  [
    "a trusted proxy with its port",
    "10.1.2.3",
    "9.9.9.9:1, 10.9.9.9:65535, [fd00::1]:2",
    "9.9.9.9",
  ],
  ["a port alone after an address", "10.1.2.3", "1.2.3.4, :80", "10.1.2.3"],
  ["an address with a name for a port", "10.1.2.3", "1.2.3.4, 9.9.9.9:http", "10.1.2.3"],
  ["four numbers that are not an address", "10.1.2.3", "1.2.3.4, 999.9.9.9:80", "10.1.2.3"],
  ["a bracket that does not close", "10.1.2.3", "1.2.3.4, [2001:db8::9", "10.1.2.3"],
  ["an unknown client after an address", "10.1.2.3", "1.2.3.4, unknown", "10.1.2.3"],
  ["a client that sent many entries", "10.1.2.3", `${"1.1.1.1,".repeat(999)}9.9.9.9`, "9.9.9.9"],
  ["more proxies than are read", "10.1.2.3", `9.9.9.9${",10.0.0.1".repeat(999)}`, "10.1.2.3"],
  ["an address that is cut off", "10.1.2.3", `99.9.9.9${",10.0.0.1".repeat(113)}`, "10.1.2.3"],
  ["a socket without an address", "", "198.51.100.9", ""],
]

test.each(cases)("%s", (_, peer, forwardedFor, client) => {
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

describe("for any header", () => {
  test("an untrusted peer is the client", () => {
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

  test("without trusted proxies the peer is the client", () => {
    const trusting = createClientAddress([], () => {})
    fc.assert(
      fc.property(fc.oneof(stranger, ours), header, (peer, forwardedFor) => {
        expect(trusting(peer, forwardedFor)).toBe(peer)
      }),
    )
  })

  test("entries that a client sends before its own address change nothing", () => {
    const chain = fc.array(ours, { maxLength: 3 })
    fc.assert(
      fc.property(ours, header, stranger, chain, (peer, written, client, hops) => {
        expect(addressOf(peer, [written, client, ...hops].join(", "))).toBe(client)
      }),
      { numRuns: propertyRuns(1_000) },
    )
  })
})

test("an IP range is trusted up to its last address", () => {
  const bits = fc.integer({ min: 1, max: 32 })
  const number = fc.nat({ max: 0xffffffff })
  const text = (value: number) =>
    dotted([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255])
  fc.assert(
    fc.property(number, bits, number, (ipRange, bits, peer) => {
      // Half of the peers are near the IP range.
      const mask = bits === 32 ? 0xffffffff : ~(0xffffffff >>> bits) >>> 0
      const near = ((ipRange & mask) | (peer & ~mask)) >>> 0
      for (const each of [peer, near]) {
        const isInside = (each & mask) >>> 0 === (ipRange & mask) >>> 0
        const trusting = createClientAddress([`${text(ipRange)}/${bits}`], () => {})
        const found = trusting(text(each), "2001:db8::1")
        expect(found).toBe(isInside ? "2001:db8::1" : text(each))
      }
    }),
    { numRuns: propertyRuns(1_000) },
  )
})

function open() {
  let nowMs = 0
  const warned: LogDetails[] = []
  const log = { warn: (_: string, details: LogDetails = {}) => void warned.push(details) }
  const warn = createProxyWarning(log, () => nowMs)
  return { warn, warned: () => warned.splice(0), pass: (ms: number) => (nowMs += ms) }
}
const lineOf = (ipRange: string) => ({ ipRange, setting: "PAZAR_TRUSTED_PROXIES" })

test("an IP range is logged once an hour", () => {
  const { warn, warned, pass } = open()
  for (const peer of ["10.0.0.1", "10.0.0.2", "::ffff:10.0.0.1", "10.0.1.1"]) warn(peer)
  expect(warned()).toEqual([lineOf("10.0.0.0/24"), lineOf("10.0.1.0/24")])
  pass(3_599_999)
  warn("10.0.0.1")
  expect(warned()).toEqual([])
  pass(1)
  warn("10.0.0.1")
  expect(warned()).toEqual([lineOf("10.0.0.0/24")])
})

test("at most 20 IP ranges are logged in an hour", () => {
  const { warn, warned } = open()
  for (let third = 0; third < 256; third += 1) warn(`192.0.${third}.1`)
  expect(warned()).toHaveLength(20)
})
