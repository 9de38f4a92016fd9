/** Delivers pending messages on one thread of each process. Leases keep nodes from sending the same message. */

import { createHmac } from "node:crypto"
import { request as requestPlain } from "node:http"
import { request as requestTls } from "node:https"
import { BlockList, isIP } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { StoreUnavailable } from "../platform/error.ts"
import type { IpRange } from "../platform/ip-range.ts"
import { type Message, message as problem } from "../platform/problem.ts"
import type { Every } from "../platform/timers.ts"
import {
  type Attempt,
  type BusySlot,
  chooseDue,
  dueOfEndpointMax,
  evaluateAttempt,
  isDelivered,
  type LeasedMessage,
  leaseMs,
  type MessageStore,
} from "./delivery.ts"
import type { EndpointCipher, EndpointOwner, FindHostProblem } from "./webhook.ts"

export type SenderOptions = Readonly<{
  messages: Pick<MessageStore, "hasPending" | "listDue" | "lease" | "completeAttempt">
  cipher: Pick<EndpointCipher, "decrypt">
  bodyOf(message: LeasedMessage): string
  findTarget: FindTarget
  /** The wall clock, because other nodes compare its timestamps. */
  nowMs(): number
  every: Every
  random(): number
  version: string
  onSent(result: "delivered" | "failed"): void
  onFault(fault: unknown): void
}>

const timeoutMs = 10_000
const pollEveryMs = 1_000
/** The pause between two queries for due messages, so that attempts that end together cause one query. */
const [pauseMsMin, pauseMsMax] = [5, 50]
/** The pause is a multiple of the duration of the query, because the thread also handles requests. */
const pausePerQuery = 4
/** The pause before a result that the store did not take is recorded again. */
const recordEveryMs = 1_000
const closeMs = 2_000

export function openSender(options: SenderOptions) {
  const { messages, nowMs, every, onSent, onFault } = options
  const busy = new Map<string, BusySlot>()
  const attempts = new Set<Promise<void>>()
  const stop = new AbortController()
  let running: Promise<void> | null = null
  let isWoken = false
  /** Only the query after a poll includes failing endpoints, because many of them make it slow. */
  let includesFailing = true
  let isMoreDue = false
  let isClosed = false

  async function sendDue(): Promise<void> {
    const withFailing = includesFailing
    includesFailing = false
    const due = await messages.listDue(nowMs(), withFailing)
    const chosen = chooseDue(due, busy.values())
    isMoreDue = due.some(
      ({ messageIds }) =>
        messageIds.length === dueOfEndpointMax || !messageIds.every((id) => chosen.has(id)),
    )
    if (chosen.size === 0 || isClosed) return
    const leased = await messages.lease([...chosen.keys()], nowMs(), nowMs() + leaseMs)
    for (const message of leased) {
      const slot = chosen.get(message.id)
      if (slot === undefined) throw new Error("leased a message that was not due")
      busy.set(message.id, slot)
      const sending = send(message).catch(onFault)
      attempts.add(sending)
      void sending.finally(() => attempts.delete(sending))
    }
  }
  async function send(message: LeasedMessage): Promise<void> {
    const startedMs = performance.now()
    const result = await sendRequest(options, message, stop.signal)
    // The slot is free before the attempt is recorded: the lease keeps the message from being sent again.
    busy.delete(message.id)
    if (isMoreDue) wake()
    // Not a failure of the endpoint: the message is retried after its lease.
    if (stop.signal.aborted && !isDelivered(result)) return
    onSent(isDelivered(result) ? "delivered" : "failed")
    const attempt = { ...result, durationMs: Math.round(performance.now() - startedMs) }
    await recordAttempt(options, message, attempt, stop.signal)
  }
  async function runWhileWoken(): Promise<void> {
    while (isWoken && !isClosed) {
      isWoken = false
      const startedMs = performance.now()
      await sendDue().catch(onFault)
      const pauseMs = pausePerQuery * (performance.now() - startedMs)
      await Bun.sleep(Math.min(pauseMsMax, Math.max(pauseMsMin, pauseMs)))
    }
    running = null
  }
  function wake(): void {
    isWoken = true
    if (!isClosed) running ??= runWhileWoken()
  }
  async function poll(): Promise<void> {
    if (!(await messages.hasPending())) return
    includesFailing = true
    wake()
  }
  const stopPolling = every(pollEveryMs, () => {
    poll().catch(onFault)
  })
  wake()
  return {
    /** Waits up to two seconds for attempts in progress. Aborted attempts are retried after their lease. */
    async close() {
      isClosed = true
      stopPolling()
      await running
      const timer = setTimeout(() => stop.abort(), closeMs)
      await Promise.all(attempts)
      clearTimeout(timer)
    },
  }
}

/** Repeated while the store is unavailable, because a message whose attempt was not recorded is sent again. */
async function recordAttempt(
  { messages, nowMs, random }: SenderOptions,
  message: LeasedMessage,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<void> {
  const atMs = nowMs()
  for (;;) {
    try {
      return await messages.completeAttempt(message, attempt, atMs, (earlier) =>
        evaluateAttempt(attempt, message.attempts + 1, earlier, { nowMs: atMs, random: random() }),
      )
    } catch (fault) {
      const isOver = signal.aborted || nowMs() >= message.leasedUntilMs
      if (isOver || !(fault instanceof StoreUnavailable)) throw fault
    }
    await sleep(recordEveryMs, null, { signal }).catch(() => {})
  }
}

async function sendRequest(
  { cipher, bodyOf, findTarget, nowMs, version }: SenderOptions,
  message: LeasedMessage,
  signal: AbortSignal,
): Promise<PostResult> {
  const { id, endpoint } = message
  try {
    const target = await findTarget(endpoint.url, endpoint.accountId, signal)
    const body = bodyOf(message)
    const seconds = Math.floor(nowMs() / 1000)
    const headers = {
      "Content-Type": "application/json; charset=utf-8",
      "User-Agent": `Pazar/${version}`,
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": listSecrets(cipher, endpoint, nowMs())
        .map((secret) => sign(secret, `${id}.${seconds}.${body}`))
        .join(" "),
    }
    return await post(target, headers, body, { timeoutMs, signal })
  } catch (error) {
    const isSystemError = error instanceof Error && "code" in error
    const reason = isSystemError ? `${error.code}` : `${error}`
    const failure =
      error instanceof TargetRejected ? error.problem : problem("connection_failed", { reason })
    return { status: null, problem: failure, response: "" }
  }
}

/** During the overlap period of a rotation, both secrets sign. */
function listSecrets(
  cipher: Pick<EndpointCipher, "decrypt">,
  { id, encrypted, oldSecret }: LeasedMessage["endpoint"],
  nowMs: number,
): readonly string[] {
  const isOldValid = oldSecret !== null && Date.parse(oldSecret.until) > nowMs
  const all = isOldValid ? [encrypted, oldSecret.encrypted] : [encrypted]
  return all.map((each) => cipher.decrypt(each, id))
}

/** Signature of Standard Webhooks: `v1,` and the HMAC with the base64-decoded secret. */
function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`
}

const responseBytesMax = 1_024
/** Informational responses, such as 100 or 103, before the response. */
const informationalMax = 10

type PostResult = Omit<Attempt, "durationMs">

/**
 * Sends one POST over a new connection. Resolves within `timeoutMs`; never rejects. `fetch` is not used, because it would
 * resolve the host again and use the proxies of the environment.
 */
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
      resolve({ status, problem: status === null ? problem : null, response: decodeText(received) })
    }
    const abort = () => complete(closed)
    const timer = setTimeout(
      () => complete(problem("no_response", { seconds: timeoutMs / 1000 })),
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

const closed = problem("connection_closed")
const notHttp = problem("not_http")

function describe(error: Error & { code?: string }): Message {
  if (error.message === "socket hang up") return closed
  if (error.code?.startsWith("HPE_")) return notHttp
  return problem("connection_failed", { reason: error.code ?? error.message })
}

/** Replaces NUL, which PostgreSQL rejects, and omits a truncated character at the end. */
const decodeText = (bytes: Buffer) =>
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
    this.problem = problem(code)
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
type AllowedTargets = Readonly<{
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
    const family = findFamily(address)
    if (closed.check(address, family)) return false
    return family === "ipv4" || open.check(address, family)
  }
  function check(url: URL, owner: EndpointOwner, addresses: readonly string[]) {
    if (url.href === webhookReceiver) return null
    const isOwn = (address: string) => owner === null && own.check(address, findFamily(address))
    if (!isTls(url) && !addresses.every(isOwn)) return "protocol"
    // One private address is enough to reject: it may be an attack.
    return addresses.every((each) => isOwn(each) || isPublic(each)) ? null : "privateAddress"
  }
  const findHostProblem: FindHostProblem = (url, owner) => {
    const hostname = parseHostname(url)
    if (isIP(hostname) !== 0) return check(url, owner, [hostname])
    return isTls(url) || (owner === null && webhookIpRanges.length > 0) ? null : "protocol"
  }
  return { findHostProblem, check }
}

type TargetRules = ReturnType<typeof createTargetRules>

type FindTarget = (url: string, owner: EndpointOwner, signal: AbortSignal) => Promise<Target>

export const createFindTarget =
  ({ findHostProblem, check }: TargetRules, resolve: Resolve): FindTarget =>
  async (text, owner, signal) => {
    const url = new URL(text)
    if (findHostProblem(url, owner) === "protocol") throw new TargetRejected("url_without_tls")
    const hostname = parseHostname(url)
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

const parseHostname = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, "$1")

function add(list: BlockList, ipRanges: string, family: "ipv4" | "ipv6"): void {
  for (const ipRange of ipRanges.split(/\s+/)) {
    const [address = "", bits] = ipRange.split("/")
    list.addSubnet(address, Number(bits), family)
  }
}

const findFamily = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4")

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
