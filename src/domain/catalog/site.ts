/** A site: where a purchase code is used. Its normal form, and which sites are only for testing. */
import { hasAtMost } from "../values/schema.ts"
import { trimWhitespace } from "../values/text.ts"
import { temporaryHosts } from "./temporary-hosts.ts"

export const siteCharactersMax = 255

/** An address, whose scheme is never taken for a host, or a host name; the group is its host. */
const address = new RegExp(
  "^(?:(?:https?:/{1,2}|(?:[a-z][a-z0-9+.-]*:)?//)(?:[^/?#\\\\]*@)?|(?![a-z][a-z0-9+.-]*:/))" +
    "(\\[[0-9a-f:.]+\\]|[^\\s:/?#@\\\\[\\]]+)(?::\\d*)?(?:[/?#].*)?$",
  "is",
)
const bareIpv6 = /^[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*$/i
const ipv4 = /^\d+\.\d+\.\d+\.\d+$/
/** Most sites. The long way gives the same, and takes a tenth of a validation's time. */
const plain = /^(?:https?:\/\/)?((?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*)(?:\/[!-~]*)?$/

/**
 * The host of an address or host name: lower case, IDNA in ASCII, without `www.`, port, path and trailing dot. Any
 * other text is kept. Null for what cannot be a site.
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

/** A name of a machine has a letter or digit and no markup. A URL without a host is sent by products that are run by cron. */
const isName = (text: string) => /[\p{L}\p{N}]/u.test(text) && !/^https?:\/|[<>]/i.test(text)

function findHost(text: string): string | null {
  const written = bareIpv6.test(text) ? `[${text}]` : address.exec(text)?.[1]?.replace(/\.+$/, "")
  if (written === undefined || written === "") return null
  try {
    const host = new URL(`http://${written}`).hostname.replace(/\.+$/, "")
    // A number is no address, though a URL would read it as one: `http://2130706433` is 127.0.0.1.
    return host === "" || (ipv4.test(host) && !ipv4.test(written)) ? null : withoutWww(host)
  } catch {
    return null
  }
}

/** `www.com` is a name of its own. */
const withoutWww = (host: string) =>
  host.startsWith("www.") ? host.replace(/^(?:www\.)+(?=[^.]+\.[^.])/, "") : host

const testEndings: ReadonlySet<string> = new Set([
  ...["test", "example", "invalid", "localhost", "local", "internal", "lan", "home.arpa"],
  ...temporaryHosts,
])
const testLabels =
  /^(?:dev|develop|development|local|localhost|staging|stage|test|testing|tests|demo|beta|sandbox|preview|qa|uat)\d*\./
const oneLabel = /^[a-z0-9_-]+$/
/** Loopback, private, link-local, shared and unspecified addresses. */
const privateIpv4 =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/
const privateIpv6 = /^\[(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/
const mappedIpv4 = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/

/** Whether a site is only for building and trying. `site` is in normal form. Such a site never uses a place. */
export function isTestSite(site: string): boolean {
  // Text with a space is no name, whatever it ends with: `machine Ada.local`.
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
