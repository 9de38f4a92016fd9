/** Sites: the hosts where purchase codes are used. */
import { hasAtMost } from "../values/schema.ts"
import { trimWhitespace } from "../values/text.ts"
import { temporaryHosts } from "./temporary-hosts.ts"

export const siteCharactersMax = 255

/** A URL or host name; the group captures the host. The scheme of a URL never counts as a host. */
const urlOrHost = new RegExp(
  "^(?:(?:https?:/{1,2}|(?:[a-z][a-z0-9+.-]*:)?//)(?:[^/?#\\\\]*@)?|(?![a-z][a-z0-9+.-]*:/))" +
    "(\\[[0-9a-f:.]+\\]|[^\\s:/?#@\\\\[\\]]+)(?::\\d*)?(?:[/?#].*)?$",
  "is",
)
const bareIpv6 = /^[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*$/i
const ipv4 = /^\d+\.\d+\.\d+\.\d+$/
/** Fast path for most sites, with the same result as the full parser. */
const plain = /^(?:https?:\/\/)?((?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*)(?:\/[!-~]*)?$/

/**
 * Returns the host of a URL or host name: lower case, IDNA in ASCII, without `www.`, port, path and trailing dot.
 * Other text is kept. Returns null if the value cannot be a site.
 */
export function parseSite(value: unknown): string | null {
  if (typeof value !== "string") return null
  const host = value.length > siteCharactersMax ? undefined : plain.exec(value)?.[1]
  if (host !== undefined && !host.includes("xn--")) return withoutWww(host)
  const text = trimWhitespace(value)
  if (text === "" || !isStorable(text)) return null
  const site = findHost(text) ?? (isName(text) ? text : null)
  return site !== null && isStorable(site) ? site : null
}

const isStorable = (text: string) =>
  hasAtMost(text, siteCharactersMax) && text.isWellFormed() && !/\p{Cc}/u.test(text)

/** Products that run by cron send a URL without a host, which is not a name. */
const isName = (text: string) => /[\p{L}\p{N}]/u.test(text) && !/^https?:\/|[<>]/i.test(text)

function findHost(text: string): string | null {
  const written = bareIpv6.test(text) ? `[${text}]` : urlOrHost.exec(text)?.[1]?.replace(/\.+$/, "")
  if (written === undefined || written === "") return null
  try {
    const host = new URL(`http://${written}`).hostname.replace(/\.+$/, "")
    // A number is not an IP address, although a URL reads `http://2130706433` as 127.0.0.1.
    return host === "" || (ipv4.test(host) && !ipv4.test(written)) ? null : withoutWww(host)
  } catch {
    return null
  }
}

/** `www.com` keeps its `www.`. */
const withoutWww = (host: string) =>
  host.startsWith("www.") ? host.replace(/^(?:www\.)+(?=[^.]+\.[^.])/, "") : host

const testEndings: ReadonlySet<string> = new Set([
  ...["test", "example", "invalid", "localhost", "local", "internal", "lan", "home.arpa"],
  ...temporaryHosts,
])
const testLabels =
  /^(?:dev|develop|development|local|localhost|staging|stage|test|testing|tests|demo|beta|sandbox|preview|qa|uat)\d*\./
const oneLabel = /^[a-z0-9_-]+$/
const privateIpv4 =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/
const privateIpv6 = /^\[(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/
const mappedIpv4 = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/

/** Whether a site is only for development and testing. Such a site never uses a slot. Expects the normal form. */
export function isTestSite(site: string): boolean {
  // Text with a space is not a host name, even if it ends like one: `machine Ada.local`.
  if (site.includes(" ")) return false
  if (oneLabel.test(site) || testLabels.test(site)) return true
  if (site.split(".").some((_, at, labels) => testEndings.has(labels.slice(at).join("."))))
    return true
  const [, high, low] = mappedIpv4.exec(site) ?? []
  const plain = high === undefined || low === undefined ? site : unmap(high, low)
  return (ipv4.test(plain) && privateIpv4.test(plain)) || privateIpv6.test(plain)
}

const unmap = (high: string, low: string) =>
  [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 255])
    .join(".")
