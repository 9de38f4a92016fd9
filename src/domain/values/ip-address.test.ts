import { expect, test } from "bun:test"
import fc from "fast-check"
import { httpUrl, unmapIpv4 } from "./network.ts"

const ipv6 = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.map((group) => group.toString(16)).join(":"))

test("an IPv4 address is the same on a socket of both families", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect([unmapIpv4(`::ffff:${address}`), unmapIpv4(address)]).toEqual([address, address])
    }),
  )
  expect(unmapIpv4("::FFFF:192.0.2.1")).toBe("192.0.2.1")
  expect(unmapIpv4("::ffff:1")).toBe("::ffff:1")
})

test("every host and port makes a URL that can be read", () => {
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
