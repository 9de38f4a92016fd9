import { isIP } from "node:net"

/**
 * Not by `new URL`, which throws if the Host header is missing or invalid. Such requests get a response
 * too.
 */
export function queryOf(url: string): string {
  const start = url.indexOf("?")
  if (start === -1) return ""
  const fragment = url.indexOf("#", start)
  return url.slice(start + 1, fragment === -1 ? undefined : fragment)
}

export function pathOf(url: string): string {
  const authority = url.indexOf("://")
  const start = url.startsWith("/") || authority === -1 ? 0 : url.indexOf("/", authority + 3)
  if (start === -1) return "/"
  const end = url.slice(start).search(/[?#]/)
  // The target of CONNECT can lack a path.
  return (end === -1 ? url.slice(start) : url.slice(start, start + end)) || "/"
}

/**
 * A name or an IP address with an optional port. Commas are excluded because the runtime joins repeated
 * headers with one. The Host is used only to reject requests, never for links, cookies or responses.
 */
const hostPattern = /^(\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/

/** False if the header is repeated or malformed. HTTP/1.0 clients may omit it. */
export function hasOneHost(headers: Headers): boolean {
  const host = headers.get("host")
  return host === null || hostPattern.test(host)
}

/**
 * Whether a page is requested with a foreign name, as in DNS rebinding. IP addresses and names without a
 * dot are allowed: attackers cannot register them, and proxies such as nginx send them.
 */
export function isForeignHost(headers: Headers, publicHost: string): boolean {
  const [, name = ""] = hostPattern.exec(headers.get("host") ?? "") ?? []
  const requestedName = name.toLowerCase().replace(/\.$/, "")
  const isRegistered =
    requestedName.includes(".") && isIP(requestedName) === 0 && !requestedName.startsWith("[")
  return isRegistered && requestedName !== publicHost
}

/**
 * The declared length of a body; null if it is not a plain number. The runtime rejects all other spellings
 * except a repeated header, which arrives as `5, 5`.
 */
export const findContentLength = (text: string): number | null =>
  /^\d{1,15}$/.test(text) ? Number(text) : null

/** Three times the length of real lists. Splitting 15 KB of commas takes 8 ms. */
const listLengthMax = 256

/** The entries of a header such as `Accept-Language`. Long lists are truncated. */
export function splitHeader(header: string): readonly string[] {
  if (header.length <= listLengthMax) return header.split(",")
  // The last entry may be incomplete.
  return header.slice(0, listLengthMax).split(",").slice(0, -1)
}

type Preference = Readonly<{ name: string; quality: number }>

/** The entries of a header such as `tr-TR;q=0.8, *;q=0.1`. An invalid weight counts as zero. */
export const parseAccept = (header: string): readonly Preference[] =>
  splitHeader(header).map(parsePreference)

function parsePreference(text: string): Preference {
  const [name = "", ...parameters] = text.split(";")
  const weight = parameters.map((parameter) => parameter.trim()).find((p) => /^q=/i.test(p))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { name: name.trim().toLowerCase(), quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

export function acceptsGzip(headers: Headers): boolean {
  const header = headers.get("accept-encoding")
  if (header === null) return false
  const quality = new Map(parseAccept(header).map(({ name, quality }) => [name, quality]))
  return (quality.get("gzip") ?? quality.get("x-gzip") ?? quality.get("*") ?? 0) > 0
}
/** User agents also name other browsers: the first match in this order is the browser. */
const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const

const systems = [
  ["Android", "Android"],
  ["iPhone", "iOS"],
  ["iPad", "iPadOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const

/** As in "Firefox · Linux"; empty if neither is recognized. */
export function describeDevice(userAgent: string): string {
  const find = (names: readonly (readonly [token: string, name: string])[]) =>
    names.find(([token]) => userAgent.includes(token))?.[1]
  return [find(browsers), find(systems)].filter((name) => name !== undefined).join(" · ")
}
