/** Checks the certificate and the TLS versions of the public address. */
import { connect, type SecureVersion, type TLSSocket } from "node:tls"
import { findErrorCode } from "../platform/error.ts"
import { type Finding, ok, problem, warning } from "./finding.ts"

export type OutsideLimits = Readonly<{ connectMsMax: number; requestMsMax: number }>

const dayMs = 86_400_000
/** Let's Encrypt renews 30 days before the end, or after two thirds of a shorter life. */
const daysLeftMin = 14
const lifeLeftMin = 1 / 6

export async function checkTls(
  { hostname, port }: URL,
  { connectMsMax }: OutsideLimits,
  now: Date,
) {
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
