/**
 * Sends one POST over a new connection. `fetch` is not used, because it would resolve the host again and use the proxies
 * of the environment.
 */

import { request as requestPlain } from "node:http"
import { request as requestTls } from "node:https"
import { BlockList, isIP } from "node:net"
import type { IpRange } from "../platform/ip-range.ts"
import { type Message, message } from "../platform/problem.ts"
import type { EndpointOwner, FindHostProblem } from "./endpoint.ts"
import type { Attempt } from "./message.ts"

const responseBytesMax = 1_024
/** Informational responses, such as 100 or 103, before the response. */
const informationalMax = 10

export type PostResult = Omit<Attempt, "durationMs">

/** Resolves within `timeoutMs`; never rejects. */
export function post(
  target: Target,
  headers: Readonly<Record<string, string>>,
  body: string,
  { timeoutMs, signal }: Readonly<{ timeoutMs: number; signal: AbortSignal }>,
): Promise<PostResult> {
  return new Promise((resolve) => {
    const { address, port, isTls, hostname, host, path } = target
    const request = (isTls ? requestTls : requestPlain)({
      method: "POST",
      // The verified IP address, so that the name is not resolved again.
      host: address,
      port,
      path,
      headers: { Host: host, ...headers, "Content-Length": Buffer.byteLength(body) },
      agent: false,
      // SNI must not contain an IP address (RFC 6066).
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
      rejectUnauthorized: true,
    })
    let status: number | null = null
    let received = Buffer.alloc(0)
    let isComplete = false
    function complete(problem: Message | null): void {
      if (isComplete) return
      isComplete = true
      clearTimeout(timer)
      signal.removeEventListener("abort", abort)
      request.destroy()
      resolve({ status, problem: status === null ? problem : null, response: textOf(received) })
    }
    const abort = () => complete(closed)
    const timer = setTimeout(
      () => complete(message("no_response", { seconds: timeoutMs / 1000 })),
      timeoutMs,
    )
    signal.addEventListener("abort", abort)
    if (signal.aborted) abort()
    let informational = 0
    request.on("information", () => {
      informational += 1
      if (informational > informationalMax) complete(notHttp)
    })
    request.on("error", (error) => complete(describe(error)))
    request.on("close", () => complete(closed))
    request.on("response", (response) => {
      status = response.statusCode ?? null
      response.on("data", (bytes: Buffer) => {
        received = Buffer.concat([received, bytes])
        if (received.length >= responseBytesMax) complete(null)
      })
      response.on("error", () => complete(null))
      response.on("end", () => complete(null))
    })
    request.end(body)
  })
}

const closed = message("connection_closed")
const notHttp = message("not_http")

function describe(error: Error & { code?: string }): Message {
  if (error.message === "socket hang up") return closed
  if (error.code?.startsWith("HPE_")) return notHttp
  return message("connection_failed", { reason: error.code ?? error.message })
}

/** Replaces NUL, which PostgreSQL rejects, and omits a truncated character at the end. */
const textOf = (bytes: Buffer) =>
  new TextDecoder("utf-8")
    .decode(bytes.subarray(0, responseBytesMax), { stream: true })
    .replaceAll("\0", "\uFFFD")

export type Target = Readonly<{
  address: string
  port: number
  isTls: boolean
  /** For the certificate. An IPv6 address has no brackets. */
  hostname: string
  /** The Host header, with the port unless it is the default. */
  host: string
  path: string
}>

/** The problem is for the owner of the endpoint. */
export class TargetRejected extends Error {
  override name = "TargetRejected"
  readonly problem: Message
  constructor(code: "url_without_tls" | "address_not_allowed") {
    super(code)
    this.problem = message(code)
  }
}

/**
 * IP ranges that are not public (IANA special-purpose registries); 224.0.0.0/3 is multicast, reserved and broadcast.
 * 168.63.129.16 is the platform of Azure, in every virtual machine there.
 */
const closedIpv4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 168.63.129.16/32`

/** The only public range of IPv6; all others are rejected, also IPv4-mapped addresses. */
const openIpv6 = "2000::/3"
/** Exceptions within it: protocols such as Teredo, documentation, 6to4, and documentation again. */
const closedIpv6 = "2001::/23 2001:db8::/32 2002::/16 3fff::/20"

/** Targets that are allowed although they are private or without TLS. */
export type AllowedTargets = Readonly<{
  webhookIpRanges: readonly IpRange[]
  /** For every endpoint: the URL of the demo's receiver. */
  webhookReceiver: string | null
}>

export function createTargetRules({ webhookIpRanges, webhookReceiver }: AllowedTargets) {
  const own = new BlockList()
  for (const { address, bits, family } of webhookIpRanges) own.addSubnet(address, bits, family)
  const closed = new BlockList()
  add(closed, closedIpv4, "ipv4")
  add(closed, closedIpv6, "ipv6")
  const open = new BlockList()
  add(open, openIpv6, "ipv6")

  function isPublic(address: string): boolean {
    const family = familyOf(address)
    if (closed.check(address, family)) return false
    return family === "ipv4" || open.check(address, family)
  }
  function check(url: URL, owner: EndpointOwner, addresses: readonly string[]) {
    if (url.href === webhookReceiver) return null
    const isOwn = (address: string) => owner === null && own.check(address, familyOf(address))
    if (!isTls(url) && !addresses.every(isOwn)) return "protocol"
    // One private address is enough to reject: it may be an attack.
    return addresses.every((each) => isOwn(each) || isPublic(each)) ? null : "privateAddress"
  }
  const findHostProblem: FindHostProblem = (url, owner) => {
    const hostname = hostnameOf(url)
    if (isIP(hostname) !== 0) return check(url, owner, [hostname])
    return isTls(url) || (owner === null && webhookIpRanges.length > 0) ? null : "protocol"
  }
  return { findHostProblem, check }
}

export type TargetRules = ReturnType<typeof createTargetRules>

/** Throws TargetRejected. */
export type FindTarget = (url: string, owner: EndpointOwner, signal: AbortSignal) => Promise<Target>

export const createFindTarget =
  ({ findHostProblem, check }: TargetRules, resolve: Resolve): FindTarget =>
  async (text, owner, signal) => {
    const url = new URL(text)
    if (findHostProblem(url, owner) === "protocol") throw new TargetRejected("url_without_tls")
    const hostname = hostnameOf(url)
    const addresses = isIP(hostname) === 0 ? await resolve(hostname, signal) : [hostname]
    const [address] = addresses
    // One problem for both cases, so that it does not reveal which names exist in the private network.
    if (address === undefined || check(url, owner, addresses) !== null) {
      throw new TargetRejected("address_not_allowed")
    }
    const port = Number(url.port) || (isTls(url) ? 443 : 80)
    const path = `${url.pathname}${url.search}`
    return { address, port, isTls: isTls(url), hostname, host: url.host, path }
  }

const isTls = ({ protocol }: URL) => protocol === "https:"

const hostnameOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, "$1")

function add(list: BlockList, ipRanges: string, family: "ipv4" | "ipv6"): void {
  for (const ipRange of ipRanges.split(/\s+/)) {
    const [address = "", bits] = ipRange.split("/")
    list.addSubnet(address, Number(bits), family)
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4")

/** Returns an empty list if the name does not resolve before the signal is aborted. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/** Uses c-ares: getaddrinfo would block a thread of the pool that also hashes passwords. */
export const lookUpHost = async (hostname: string): Promise<readonly string[]> =>
  (await Bun.dns.lookup(hostname, { backend: "c-ares" })).map(({ address }) => address)

/** The sum of this and the timeout of a request must be shorter than a lease. */
const lookupMsMax = 5_000

/** Resolves host names. A lookup without a response of the DNS server ends later than its attempt. */
export const createDnsResolver =
  (lookUp: typeof lookUpHost, msMax = lookupMsMax): Resolve =>
  (hostname, signal) => {
    const stop = AbortSignal.any([signal, AbortSignal.timeout(msMax)])
    const { promise, resolve } = Promise.withResolvers<readonly string[]>()
    const giveUp = () => resolve([])
    if (stop.aborted) giveUp()
    stop.addEventListener("abort", giveUp)
    lookUp(hostname).then(resolve, giveUp)
    return promise
  }
