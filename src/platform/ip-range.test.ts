import { expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { httpUrl, ipRangeOf, unmapIpv4 } from "./ip-range.ts"

const ranges: readonly (readonly [address: string, ipRange: string])[] = [
  ["192.0.2.17", "192.0.2.0/24"],
  ["127.0.0.1", "127.0.0.0/24"],
  ["::ffff:192.0.2.17", "192.0.2.0/24"],
  ["::FFFF:192.0.2.17", "192.0.2.0/24"],
  ["2001:db8:85a3:8d3:1319:8a2e:370:7348", "2001:db8:85a3::/48"],
  ["2001:db8::1", "2001:db8:0::/48"],
  ["2001:0DB8:0000::0001", "2001:db8:0::/48"],
  ["2001::1", "2001:0:0::/48"],
  ["1::3:4:5:6:7:8", "1:0:3::/48"],
  ["::3:4:5:6:7:8", "0:0:3::/48"],
  ["::1", "0:0:0::/48"],
  ["::", "0:0:0::/48"],
  ["fe80::1%eth0", "fe80:0:0::/48"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0::/48"],
  ["", ""],
]

test.each(ranges)("%s is in %s", (address, ipRange) => {
  expect(ipRangeOf(address)).toBe(ipRange)
})

test("IPv4 addresses share a range if and only if they differ in the last number alone", () => {
  const number = fc.nat({ max: 255 })
  fc.assert(
    fc.property(number, number, number, number, number, (a, b, c, d, e) => {
      expect(ipRangeOf(`${a}.${b}.${c}.${d}`)).toBe(ipRangeOf(`${a}.${b}.${c}.${e}`))
      const isSame = ipRangeOf(`${a}.${b}.${c}.0`) === ipRangeOf(`${a}.${b}.${e}.0`)
      expect(isSame).toBe(c === e)
    }),
  )
})

test("all notations of an IPv6 address are in the same range", () => {
  const group = fc.oneof(fc.constant(0), fc.nat({ max: 0xffff }))
  const eight = fc.tuple(group, group, group, group, group, group, group, group)
  fc.assert(
    fc.property(eight, (groups) => {
      const hex = groups.map((each) => each.toString(16))
      const padded = hex.map((each) => each.padStart(4, "0").toUpperCase())
      const shortest = new URL(`http://[${hex.join(":")}]`).hostname.slice(1, -1)
      const written = [hex.join(":"), padded.join(":"), shortest]
      const ipRange = `${hex.slice(0, 3).join(":")}::/48`
      expect(written.map(ipRangeOf)).toEqual([ipRange, ipRange, ipRange])
    }),
    { numRuns: propertyRuns(1_000) },
  )
})

const ipv6 = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.map((group) => group.toString(16)).join(":"))

test("an IPv4 address is the same on a dual-stack socket", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect([unmapIpv4(`::ffff:${address}`), unmapIpv4(address)]).toEqual([address, address])
    }),
  )
  expect(unmapIpv4("::FFFF:192.0.2.1")).toBe("192.0.2.1")
  expect(unmapIpv4("::ffff:1")).toBe("::ffff:1")
})

test("every host and port gives a valid URL", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.ipV4(), ipv6, fc.constantFrom("localhost", "api.example.com", "::1", "::")),
      fc.integer({ min: 1, max: 65_535 }),
      (host, port) => {
        const url = new URL(httpUrl(host, port))
        expect(Number(url.port || 80)).toBe(port)
        expect(url.hostname.startsWith("[")).toBe(host.includes(":"))
      },
    ),
  )
  expect(httpUrl("::1", 8080)).toBe("http://[::1]:8080")
})
