/** What is read of the head of a request: its target, its Host, the length of its body, and lists. */
import { isIP } from "node:net"

/**
 * Path and query of a request. Not by `new URL`, which throws where the Host header is missing or
 * invalid: such requests get an answer too.
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
  return end === -1 ? url.slice(start) : url.slice(start, start + end)
}

/** Repeated slashes count as one: a base URL that ends in a slash must work. */
export const collapseSlashes = (path: string) => path.replace(/\/{2,}/g, "/")

/** More segments than any path has. */
const segmentsMax = 8

/**
 * Patterns that match every path of up to eight segments, empty ones included. The route table matches the target as it was
 * sent, while `request.url` went through the URL parser, which reads `\` as `/` and resolves `..`: only the
 * parameters of these patterns show what a proxy saw.
 */
export const pathPatterns: readonly string[] = Array.from({ length: segmentsMax }, (_, at) =>
  patternsOf(at + 1),
).flat()

function patternsOf(segments: number): readonly string[] {
  if (segments === 0) return [""]
  return patternsOf(segments - 1).flatMap((start) => [`${start}/`, `${start}/:s${segments}`])
}

/** False for a path that only the fallback of the route table can get. */
export const fitsPatterns = (path: string) => path.split("/").length - 1 <= segmentsMax

/** Whether the URL parser would change a path with this segment, which is given decoded. */
export const isRewritten = (segment: string) => /^\.\.?$|[\\#]/.test(segment)

/**
 * A name or an IP address, with or without a port. Without a comma: the runtime joins
 * repeated headers with one. The Host decides which requests are refused; no link, cookie or answer is made of it.
 */
const hostForm = /^(\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/

/** False for one that is repeated or malformed. HTTP/1.0 may leave it out. */
export function hasOneHost(headers: Headers): boolean {
  const host = headers.get("host")
  return host === null || hostForm.test(host)
}

/**
 * Whether a page is asked for by a name that is not ours, as in DNS rebinding. IP addresses and names
 * without a dot cannot be registered by an attacker, and proxies send them: nginx does by default.
 */
export function isForeignHost(headers: Headers, publicHost: string): boolean {
  const [, name = ""] = hostForm.exec(headers.get("host") ?? "") ?? []
  const asked = name.toLowerCase().replace(/\.$/, "")
  const isRegistered = asked.includes(".") && isIP(asked) === 0 && !asked.startsWith("[")
  return isRegistered && asked !== publicHost
}

/**
 * The declared length of a body; null when it is not one plain number. The runtime refuses all other
 * spellings but one: the same header sent twice arrives as `5, 5`.
 */
export const findContentLength = (text: string): number | null =>
  /^\d{1,15}$/.test(text) ? Number(text) : null

/** Three times the length of real lists. Reading 15 KB of commas would take 8 ms. */
const listLettersMax = 256

/** The entries of a header such as `Accept-Language`. A list that is too long loses its end. */
export function splitHeader(header: string): readonly string[] {
  if (header.length <= listLettersMax) return header.split(",")
  // The cut may go through the last entry.
  return header.slice(0, listLettersMax).split(",").slice(0, -1)
}

type Preference = Readonly<{ name: string; quality: number }>

/** The entries of a header such as `tr-TR;q=0.8, *;q=0.1`, in its order. An invalid weight counts as zero. */
export const parseAccept = (header: string): readonly Preference[] =>
  splitHeader(header).map(parsePreference)

function parsePreference(text: string): Preference {
  const [name = "", ...parameters] = text.split(";")
  const weight = parameters.map((parameter) => parameter.trim()).find((p) => /^q=/i.test(p))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { name: name.trim().toLowerCase(), quality: quality >= 0 && quality <= 1 ? quality : 0 }
}
