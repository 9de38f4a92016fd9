import { afterAll, beforeEach, describe, expect, test } from "bun:test"
import type { IpRange } from "../platform/ip-range.ts"
import {
  createFindTarget,
  createTargetRules,
  post,
  type Resolve,
  TargetRejected,
} from "./sender.ts"
import type { EndpointOwner } from "./webhook.ts"

let connections = 0
/** A connection to this server proves that a URL reached the machine itself. */
const inside = Bun.listen({
  hostname: "::",
  port: 0,
  socket: {
    open(socket) {
      connections += 1
      socket.end()
    },
    data() {},
  },
})
const { port } = inside
afterAll(() => inside.stop(true))
beforeEach(() => {
  connections = 0
})

/** The receiver of the demo. */
const receiver = "http://127.0.0.1:8099/demo"
const loopback: IpRange = { address: "127.0.0.0", bits: 8, family: "ipv4" }

/** Host names and their addresses. */
const names: Readonly<Record<string, readonly string[]>> = {
  "inside.example.com": ["127.0.0.1"],
  "inside6.example.com": ["::1"],
  "mapped.example.com": ["::ffff:10.0.0.1"],
  "metadata.example.com": ["169.254.169.254"],
  "both.example.com": ["8.8.8.8", "192.168.1.1"],
  "zone.example.com": ["fe80::1%eth0"],
  "nothing.example.com": [],
  localhost: ["127.0.0.1"],
  "localhost.": ["127.0.0.1"],
}
const resolve: Resolve = async (hostname) => names[hostname] ?? []

const { signal } = new AbortController()
const author = 1

const find = (
  url: string,
  webhookIpRanges: readonly IpRange[],
  resolveHost: Resolve,
  owner: EndpointOwner = null,
) =>
  createFindTarget(createTargetRules({ webhookIpRanges, webhookReceiver: receiver }), resolveHost)(
    url,
    owner,
    signal,
  )

async function send(
  url: string,
  ipRanges: readonly IpRange[] = [],
  resolveHost: Resolve = resolve,
) {
  const target = await find(url, ipRanges, resolveHost)
  return post(target, {}, "{}", { timeoutMs: 300_000, signal })
}

describe("never connects to", () => {
  test.each([
    // Notations of 127.0.0.1 and its range.
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0x7f.0x0.0x0.0x1",
    "0177.0.0.1",
    "017700000001",
    "0177.0x0.1",
    "127.0.0.1.",
    "127.255.255.254",
    "%31%32%37.0.0.1",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "0",
    "0.0.0.0",
    "localhost",
    "localhost.",
    // Other ranges that are not public.
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.254",
    "192.168.0.1",
    "192.0.0.8",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.7",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    // IPv6, and IPv4 addresses in IPv6 notation.
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:8.8.4.4]",
    "[0:0:0:0:0:ffff:10.0.0.1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::1]",
    "[2001:0:7f00:1::]",
    "[2001:db8::1]",
    "[100::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    // Host names that resolve to such addresses.
    "inside.example.com",
    "inside6.example.com",
    "mapped.example.com",
    "metadata.example.com",
    "both.example.com",
    "zone.example.com",
    "nothing.example.com",
  ])("https://%s/", async (host) => {
    await expect(send(`https://${host}:${port}/`)).rejects.toBeInstanceOf(TargetRejected)
    await expect(send(`http://${host}:${port}/`)).rejects.toBeInstanceOf(TargetRejected)
    expect(connections).toBe(0)
  })

  test("a name with changing addresses, which is resolved once", async () => {
    let lookups = 0
    let arrived = 0
    const allowed = Bun.serve({
      hostname: "127.0.0.2",
      port: 0,
      fetch() {
        arrived += 1
        return new Response("here")
      },
    })
    const rebind: Resolve = async () => [lookups++ === 0 ? "127.0.0.2" : "127.0.0.1"]
    const ipRanges = [{ address: "127.0.0.2", bits: 32, family: "ipv4" }] as const
    const url = `http://rebind.example.com:${allowed.port}/`
    expect(await send(url, ipRanges, rebind)).toMatchObject({ status: 200, response: "here" })
    expect([lookups, arrived]).toEqual([1, 1])
    // The second result is private and is rejected.
    await expect(send(url, ipRanges, rebind)).rejects.toBeInstanceOf(TargetRejected)
    await allowed.stop(true)
  })

  test("the target of a redirect", async () => {
    const ipRanges = [{ address: "127.0.0.2", bits: 32, family: "ipv4" }] as const
    const redirecting = Bun.serve({
      hostname: "127.0.0.2",
      port: 0,
      fetch: (request) =>
        Response.redirect(
          `http://127.0.0.1:${port}/`,
          Number(new URL(request.url).pathname.slice(1)),
        ),
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const url = `http://127.0.0.2:${redirecting.port}/${status}`
      expect(await send(url, ipRanges)).toMatchObject({ status })
    }
    expect(connections).toBe(0)
    await redirecting.stop(true)
  })
})

describe("connects to", () => {
  const target = async (url: string, addresses: readonly string[], ipRanges: IpRange[] = []) =>
    find(url, ipRanges, async () => addresses)

  test("public addresses, using a checked one", async () => {
    expect(await target("https://shop.example.com/hook?a=1", ["8.8.4.4"])).toEqual({
      address: "8.8.4.4",
      port: 443,
      isTls: true,
      hostname: "shop.example.com",
      host: "shop.example.com",
      path: "/hook?a=1",
    })
    expect(await target("https://[2606:4700::1111]:8443/", [])).toMatchObject({
      address: "2606:4700::1111",
      port: 8443,
      hostname: "2606:4700::1111",
      host: "[2606:4700::1111]:8443",
    })
  })

  test("ranges of the operator, also without TLS; no others without TLS", async () => {
    const own: IpRange[] = [
      { address: "10.1.0.0", bits: 16, family: "ipv4" },
      { address: "fd00::", bits: 8, family: "ipv6" },
    ]
    expect(await target("http://crm.internal/", ["10.1.2.3"], own)).toMatchObject({ port: 80 })
    expect(await target("http://crm.internal/", ["fd00::5"], own)).toMatchObject({ isTls: false })
    for (const [url, ...addresses] of [
      ["http://crm.internal/", "10.2.0.1"],
      ["http://crm.internal/", "8.8.4.4"],
      ["http://crm.internal/", "10.1.2.3", "8.8.4.4"],
      ["https://crm.internal/", "10.2.0.1"],
    ] as const) {
      await expect(target(url, addresses, own)).rejects.toBeInstanceOf(TargetRejected)
    }
  })

  test("the demo's receiver, also for authors, and no other local URL", async () => {
    const ofAuthor = (url: string) => find(url, [], resolve, author)
    expect(await ofAuthor(receiver)).toMatchObject({ address: "127.0.0.1", port: 8_099 })
    for (const url of ["http://127.0.0.1:8099/", "http://127.0.0.1:8098/demo"]) {
      await expect(ofAuthor(url)).rejects.toBeInstanceOf(TargetRejected)
    }
  })
})

test("ranges of the operator are closed to authors, with and without TLS", async () => {
  for (const url of [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `http://inside.example.com:${port}/`,
    `https://inside.example.com:${port}/`,
  ]) {
    const asAuthor = find(url, [loopback], resolve, author)
    await expect(asAuthor).rejects.toBeInstanceOf(TargetRejected)
    expect(await find(url, [loopback], resolve)).toMatchObject({ address: "127.0.0.1" })
  }
})

test("a private name and an unknown name are rejected with the same message", async () => {
  const messageOf = (name: string) =>
    find(`https://${name}/`, [], resolve, author).then(
      () => "",
      (error: TargetRejected) => error.message,
    )
  const message = await messageOf("unknown.example.com")
  expect(message).not.toBe("")
  expect(await messageOf("inside.example.com")).toBe(message)
  expect(await messageOf("10.0.0.1")).toBe(message)
})
