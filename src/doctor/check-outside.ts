/** Checks the public address as products and strangers see it, through the proxy. */

import { createHash, createPublicKey, randomBytes, verify } from "node:crypto"
import { connect, type SecureVersion, type TLSSocket } from "node:tls"
import { publicTestSecret } from "../contract/operation.ts"
import { findErrorCode } from "../platform/error.ts"
import { unmapIpv4 } from "../platform/ip-range.ts"
import { doctorPath, type SeenCaller } from "./doctor-pass.ts"
import { type Finding, ok, problem, warning } from "./finding.ts"

type OutsideLimits = Readonly<{ connectMsMax: number; requestMsMax: number }>

/** Null if the database or the master key is not available. */
export type OwnServer = Readonly<{ pass: string; signingKeyIds: readonly string[] }> | null

const defaultLimits: OutsideLimits = { connectMsMax: 5_000, requestMsMax: 10_000 }

type Outside = Readonly<{ url: URL; publicUrl: string | null; own: OwnServer; now: Date }>

export async function checkOutside(
  { url, publicUrl, own, now }: Outside,
  limits = defaultLimits,
): Promise<readonly Finding[]> {
  const ask = createAsk(url, limits.requestMsMax)
  const tls =
    url.protocol === "https:"
      ? await checkTls(url, limits, now)
      : { isReachable: true, findings: [notHttps] }
  if (!tls.isReachable) return tls.findings
  const keySet = await ask("/.well-known/pazar-keys.json")
  if (keySet.fault !== null)
    return [...tls.findings, problem("connection", describeAnswer(keySet), checkLog)]
  const keys = parseKeySet(keySet.body)
  const checks = await Promise.all([
    checkProxy(ask, own),
    checkClosed(ask),
    checkKeys(ask),
    checkValidations(ask, keys),
    checkCompression(ask),
  ])
  return [
    ...tls.findings,
    ...checkPublicUrl(url, publicUrl),
    ...checkServer(keySet, keys, own),
    ...checks.flat(),
  ]
}

const notHttps = problem(
  "TLS",
  "the URL is not https: keys and codes are sent unencrypted",
  "Use the https URL of the proxy.",
)

type Answer = Readonly<{
  status: number
  headers: Headers
  body: string
  /** Set if there was no response; then `status` is 0. */
  fault: string | null
}>
type Ask = (path: string, init?: RequestInit) => Promise<Answer>

const createAsk =
  (base: URL, msMax: number): Ask =>
  async (path, init = {}) => {
    try {
      const response = await fetch(new URL(path, base), {
        ...init,
        redirect: "manual",
        signal: AbortSignal.timeout(msMax),
        // The certificate is a finding of its own. No request has a secret that grants anything.
        tls: { rejectUnauthorized: false },
      })
      const { status, headers } = response
      return { status, headers, body: await response.text(), fault: null }
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const fault = error.name === "TimeoutError" ? "no response in time" : findErrorCode(error)
      return { status: 0, headers: new Headers(), body: "", fault: fault ?? error.name }
    }
  }

const describeAnswer = ({ status, fault, headers }: Answer) =>
  fault ?? `status ${status}${headers.has("location") ? " with a redirect" : ""}`

const checkLog = "Check the proxy's configuration and log; docs/install.md describes them."

function checkPublicUrl(url: URL, publicUrl: string | null): readonly Finding[] {
  const check = "public URL"
  const hint = `Set PAZAR_PUBLIC_URL=${url.origin}, or check the URL after --outside.`
  if (publicUrl === null) return [warning(check, "PAZAR_PUBLIC_URL is not set", hint)]
  if (publicUrl === url.origin) return []
  return [warning(check, `PAZAR_PUBLIC_URL is ${publicUrl}: links lead there`, hint)]
}

/** Compares public signing keys, which no other database has. */
function checkServer(
  keySet: Answer,
  keys: readonly PublicKey[],
  own: OwnServer,
): readonly Finding[] {
  const check = "server"
  if (keys.length === 0) {
    const detail = `/.well-known/pazar-keys.json: ${describeAnswer(keySet)}`
    return [
      problem(check, detail, "Forward this path too. Clients verify responses with its keys."),
    ]
  }
  if (own === null) return []
  const ids = keys.map(({ kid }) => kid)
  const isSame = ids.toSorted().join() === own.signingKeyIds.toSorted().join()
  if (isSame) return [ok(check, "responds with the signing keys of this database")]
  return [
    problem(
      check,
      "responds with other signing keys than this database",
      "The URL leads to another server, or a cache is older than five minutes.",
    ),
  ]
}

type PublicKey = Readonly<{ kid: string; x: string }>

function parseKeySet(body: string): readonly PublicKey[] {
  const keys = Object(parseJson(body)).keys
  return Array.isArray(keys) ? keys.filter(({ kid, x }) => isText(kid) && isText(x)) : []
}

const isText = (value: unknown) => typeof value === "string"

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** An address of documentation (RFC 5737), which no client has. */
const forged = "192.0.2.77"

async function checkProxy(ask: Ask, own: OwnServer): Promise<readonly Finding[]> {
  if (own === null) return []
  const headers = { Authorization: `Bearer ${own.pass}`, "X-Forwarded-For": forged }
  const answer = await ask(doctorPath, { headers })
  const seen: Partial<SeenCaller> = Object(answer.status === 200 ? parseJson(answer.body) : null)
  if (seen.peer === undefined || seen.client === undefined) {
    const hint =
      "The proxy changed the request, or the server is older or has another master key: restart it."
    return [problem("proxy", `was not checked: ${describeAnswer(answer)}`, hint)]
  }
  const { peer, client, isPeerTrusted = false, forwardedFor = null } = seen
  return [
    describeProxy({
      peer: unmapIpv4(peer),
      client: unmapIpv4(client),
      isPeerTrusted,
      forwardedFor,
    }),
  ]
}

function describeProxy({ peer, client, isPeerTrusted, forwardedFor }: SeenCaller): Finding {
  const check = "proxy"
  const hops = forwardedFor?.split(",").map((hop) => hop.trim()) ?? []
  const at = hops.lastIndexOf(forged)
  const sent = hops.slice(at + 1)
  const [outermost] = sent
  if (client === forged) {
    const detail = "a client can claim any IP address: the proxy forwards X-Forwarded-For"
    return problem(check, detail, "Let the proxy replace the header, as deploy/nginx.conf does.")
  }
  if (outermost === undefined) {
    const detail = `the server sees every client as ${peer}: the proxy does not set X-Forwarded-For`
    return problem(check, detail, `Set the header, and PAZAR_TRUSTED_PROXIES=${peer}.`)
  }
  if (!isPeerTrusted) {
    const detail = `the server sees every client as ${peer}: it does not trust this proxy`
    return problem(check, detail, `Set PAZAR_TRUSTED_PROXIES=${peer}, and restart the servers.`)
  }
  // Proxies that append: the outermost one wrote the client after the forged address.
  if (at >= 0 && sent.length > 1 && sent.at(0) !== client && sent.includes(client)) {
    const detail = `the server sees ${client} for ${outermost}: it does not trust the proxy ${client}`
    return problem(
      check,
      detail,
      `Add ${client} to PAZAR_TRUSTED_PROXIES, and restart the servers.`,
    )
  }
  return ok(check, `the server sees this machine as ${client}`)
}

const closedPaths = ["/operator/feed", "/operator/links", "/operator/purchases", "/metrics"]

async function checkClosed(ask: Ask): Promise<readonly Finding[]> {
  const check = "operator paths"
  const answers = await Promise.all(
    closedPaths.map(async (path) => ({ path, answer: await ask(path) })),
  )
  const lost = answers.find(({ answer }) => answer.status === 0 || answer.status >= 500)
  if (lost !== undefined)
    return [warning(check, `${lost.path}: ${describeAnswer(lost.answer)}`, checkLog)]
  const open = answers.filter(({ answer }) => ![403, 404].includes(answer.status))
  if (open.length === 0) return [ok(check, "/operator and /metrics are closed")]
  const detail = `open to the outside: ${open.map(({ path }) => path).join(", ")}`
  const hint = "Close them in the proxy; docs/install.md shows how to admit the shop's server only."
  return [problem(check, detail, hint)]
}

const unknownKey = JSON.stringify({ status: "error", msg: "Invalid request" })
const unknownCode = JSON.stringify({ status: "error", msg: "Invalid purchase code" })
const check = "API"
const inEnglish = { "Accept-Language": "en" }

const contractHint = "The proxy changed the request or the response; forward both unchanged."

/** A key that no server has, sent in each way that the API reads. */
async function checkKeys(ask: Ask): Promise<readonly Finding[]> {
  const key = `pzr_sk_${"0".repeat(36)}`
  const path = "/api/account/details"
  const ways = [
    ["X-Api-Key", path, { "X-Api-Key": key }],
    ["Authorization", path, { Authorization: `Bearer ${key}` }],
    ["the query", `${path}?api_key=${key}`, {}],
    ["Authorization", "/v3/market/author/sale?code=0", { Authorization: `Bearer ${key}` }],
  ] as const
  const found = await Promise.all(
    ways.map(async ([way, target, headers]) => {
      const answer = await ask(target, { headers: { ...inEnglish, ...headers } })
      const reason = answer.headers.get("pazar-reason")
      const shown = target.replace(/\?.*/, "")
      if (answer.status === 401 && reason === "missing_key")
        return problem(check, `${shown}: the key in ${way} does not arrive`, contractHint)
      const isOwnError = target === ways[3][1] || answer.body === unknownKey
      if (answer.status === 401 && reason === "unknown_key" && isOwnError) return []
      const expected = "expected status 401, unknown_key and its body"
      return problem(
        check,
        `${shown}, key in ${way}: ${describeAnswer(answer)}; ${expected}`,
        contractHint,
      )
    }),
  )
  return found.flat()
}

async function checkValidations(ask: Ask, keys: readonly PublicKey[]): Promise<readonly Finding[]> {
  const path = "/api/purchases/validation"
  const validate = async (code: string, status: number, body: string | null) => {
    const nonce = randomBytes(24).toString("base64url")
    const form = new URLSearchParams({ api_key: publicTestSecret, purchase_code: code, nonce })
    const headers = { ...inEnglish, Origin: "https://example.com" }
    const answer = await ask(path, { method: "POST", body: form, headers })
    const isExpected =
      answer.status === status &&
      (body === null ? Object(parseJson(answer.body)).status === "success" : answer.body === body)
    if (!isExpected) {
      const detail = `${path}: ${describeAnswer(answer)}; expected ${status} and its body`
      return [problem(check, detail, contractHint)]
    }
    const origin = answer.headers.get("access-control-allow-origin")
    if (origin !== "*") {
      const detail = `${path}: Access-Control-Allow-Origin is "${origin ?? ""}" instead of "*"`
      return [problem(check, detail, "Products in browsers fail. The proxy must not change it.")]
    }
    if (isSigned(answer, { code, nonce }, keys)) return []
    return [
      problem(check, `${path}: the signature of ${status} is missing or broken`, contractHint),
    ]
  }
  const findings = await Promise.all([
    validate("test-regular", 200, null),
    validate("test-unknown", 404, unknownCode),
  ])
  const failed = findings.flat()
  return failed.length > 0
    ? failed
    : [ok(check, "validations arrive unchanged, with their signature")]
}

const digest = (text: string) => `sha-256=:${createHash("sha256").update(text).digest("base64")}:`

function isSigned(
  { status, headers, body }: Answer,
  { code, nonce }: Readonly<{ code: string; nonce: string }>,
  keys: readonly PublicKey[],
): boolean {
  const parameters = headers.get("signature-input")?.replace(/^pazar=/, "") ?? ""
  const key = keys.find(({ kid }) => parameters.includes(`keyid="${kid}"`))
  if (key === undefined || !parameters.includes(`nonce="${nonce}"`)) return false
  const base = `"@status": ${status}
"unencoded-digest": ${digest(body)}
"pazar-reason": ${headers.get("pazar-reason")}
"pazar-question": ${digest(`${publicTestSecret}\n${code}`)}
"@signature-params": ${parameters}`
  const signature = /^pazar=:(.*):$/.exec(headers.get("signature") ?? "")?.[1] ?? ""
  const jwk = { kty: "OKP", crv: "Ed25519", x: key.x }
  const publicKey = createPublicKey({ format: "jwk", key: jwk })
  return verify(null, Buffer.from(base), publicKey, Buffer.from(signature, "base64"))
}

async function checkCompression(ask: Ask): Promise<readonly Finding[]> {
  const path = "/openapi.json"
  const read = (encoding: string) => ask(path, { headers: { "Accept-Encoding": encoding } })
  const [plain, compressed] = await Promise.all([read("identity"), read("gzip")])
  const isSame = plain.status === 200 && plain.body !== "" && plain.body === compressed.body
  if (isSame) return []
  const detail = `${path}: ${describeAnswer(plain)}, compressed ${describeAnswer(compressed)}`
  const differs = plain.status === compressed.status ? "; the contents differ" : ""
  return [problem(check, `${detail}${differs}`, contractHint)]
}

const dayMs = 86_400_000
/** Let's Encrypt renews 30 days before the end, or after two thirds of a shorter life. */
const daysLeftMin = 14
const lifeLeftMin = 1 / 6

async function checkTls({ hostname, port }: URL, { connectMsMax }: OutsideLimits, now: Date) {
  const at = { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port || 443) }
  const shake = (version: SecureVersion) => handshake(at, version, connectMsMax)
  const [tls10, tls11, tls12, tls13] = await Promise.all([
    shake("TLSv1"),
    shake("TLSv1.1"),
    shake("TLSv1.2"),
    shake("TLSv1.3"),
  ])
  const accepted = [tls13, tls12, tls11, tls10].find((each) => each.kind === "accepted")
  if (accepted === undefined) return { isReachable: false, findings: [describeUnreachable(tls12)] }
  const old = [tls10, tls11].flatMap((each) => (each.kind === "accepted" ? each.version : []))
  return {
    isReachable: true,
    findings: [
      checkCertificate(accepted.certificate, now),
      checkVersions(old, tls12.kind === "accepted", tls13.kind === "accepted"),
    ],
  }
}

type Certificate = Readonly<{ error: string | null; issuer: string; fromMs: number; toMs: number }>
type Handshake = Readonly<
  | { kind: "accepted"; version: string; certificate: Certificate }
  | { kind: "refused"; code: string; isConnected: boolean }
>

/** The limit includes the look-up of the name. */
function handshake(
  { host, port }: Readonly<{ host: string; port: number }>,
  version: SecureVersion,
  msMax: number,
): Promise<Handshake> {
  const { promise, resolve } = Promise.withResolvers<Handshake>()
  let isConnected = false
  const refuse = (code: string) => resolve({ kind: "refused", code, isConnected })
  const socket = connect({
    host,
    port,
    servername: /^[\d.]+$|:/.test(host) ? "" : host,
    minVersion: version,
    maxVersion: version,
    // The certificate is a finding of its own, and must not hide the others.
    rejectUnauthorized: false,
  })
  socket.on("connect", () => {
    isConnected = true
  })
  socket.on("secureConnect", () => {
    const certificate = readCertificate(socket)
    resolve({
      kind: "accepted",
      version: version.replace("v1.", " 1.").replace("v1", " 1.0"),
      certificate,
    })
  })
  socket.on("error", (error) => refuse(findErrorCode(error) ?? error.message))
  socket.on("close", () => refuse("ECONNRESET"))
  const timer = setTimeout(() => refuse("ETIMEDOUT"), msMax)
  return promise.finally(() => {
    clearTimeout(timer)
    socket.destroy()
  })
}

function readCertificate(socket: TLSSocket): Certificate {
  const { issuer, valid_from, valid_to } = socket.getPeerCertificate()
  // `as`: the declared type is Error, but the runtimes return the code as a text.
  const error = socket.authorizationError as unknown
  return {
    error: error ? (findErrorCode(error) ?? String(error)) : null,
    issuer: [issuer?.O ?? issuer?.CN ?? "an unknown issuer"].flat().join(", "),
    fromMs: Date.parse(valid_from),
    toMs: Date.parse(valid_to),
  }
}

function describeUnreachable(tls12: Handshake): Finding {
  const { code, isConnected } =
    tls12.kind === "refused" ? tls12 : { code: "unknown", isConnected: false }
  return isConnected
    ? problem("TLS", `the handshake fails (${code})`, "Check the proxy's certificate and its log.")
    : problem(
        "connection",
        `cannot connect (${code})`,
        "Check the DNS record, the firewall, and that the proxy is running.",
      )
}

const chainErrors = [
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
]

function checkCertificate({ error, issuer, fromMs, toMs }: Certificate, now: Date): Finding {
  const check = "certificate"
  const leftMs = toMs - now.getTime()
  const days = Math.floor(leftMs / dayMs)
  const end = new Date(toMs).toISOString().slice(0, 10)
  const renew = "Renew it, and check its automatic renewal."
  if (leftMs <= 0) return problem(check, `expired on ${end}`, renew)
  if (error !== null) {
    const hint = chainErrors.includes(error)
      ? "Configure the whole chain, such as fullchain.pem, or use a known authority."
      : "Use a certificate of a known authority for this host name."
    return problem(check, `clients reject it (${error})`, hint)
  }
  const detail = `issued by ${issuer}, valid until ${end}: ${days} days left`
  const isDue = days < daysLeftMin && leftMs < (toMs - fromMs) * lifeLeftMin
  return isDue ? warning(check, detail, renew) : ok(check, detail)
}

function checkVersions(old: readonly string[], has12: boolean, has13: boolean): Finding {
  const hint = "Set ssl_protocols TLSv1.2 TLSv1.3; in nginx, or its equivalent in another proxy."
  if (old.length > 0)
    return problem("TLS", `${old.join(" and ")} accepted, which is insecure`, hint)
  if (!has12) return problem("TLS", "TLS 1.2 refused: older clients cannot connect", hint)
  if (!has13) return warning("TLS", "TLS 1.3 refused", hint)
  return ok("TLS", "1.2 and 1.3 accepted; 1.0 and 1.1 refused")
}
