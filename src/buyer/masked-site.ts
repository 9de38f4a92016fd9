/** Agencies share codes: somebody who knows a code must not read the sites of other clients. */
import { domainToUnicode } from "node:url"

const hostName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.(?=[^.]*[a-z])[a-z0-9-]+$/
/** `de`, `рф` and `中国`, but not `éß`: no top-level domain has accented letters. */
const countryLabel = /^(?:[a-z]{2}|[^\P{L}\p{Script=Latin}]{2})$/u
const letterOrDigit = /[\p{L}\p{N}]/u

const splitWords = (...lines: string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")))

/** Shown, like every suffix of two letters. The last label of another host may be the name of a company. */
const topLabels = splitWords(
  "agency app art asia biz blog cat cloud club com design dev digital edu email gov group info int ist",
  "istanbul lan live local mil mobi name net news online org pro shop site space store studio tech test",
  "top website work world xyz бел срб укр",
)

/** Second labels under which country registries sell names, as in `co.uk` and `com.tr`. */
const registryLabels = splitWords(
  "ac ad asn av bel biz co com ed edu firm gen go gob gouv gov govt gr id ind info k12 ltd me mil muni",
  "name ne net nhs nic nom or org plc police pol re sch school tel tv web",
)

/**
 * Masks each label of the name and shows the public suffix: `sh•••.ex•••e.com`. Names that are not hosts are one label
 * without a suffix.
 */
export function maskSite(site: string): string {
  const { labels, suffix } = splitSite(site)
  return `${labels.map(maskLabel).join(".")}${suffix}`
}

/**
 * At least 30,000 labels of letters and digits have the same mask, and 20 guesses per day are allowed. A number at the
 * end tells `shop-1` from `shop-2` without naming the shop.
 */
function maskLabel(label: string): string {
  const [, name = label, number = ""] = /^(.*\P{N})(\d+)$/su.exec(label) ?? []
  const letters = [...name].filter((letter) => letterOrDigit.test(letter))
  const first = letters.length < 4 ? "" : letters.slice(0, 2).join("")
  const last = letters.length < 6 ? "" : letters.at(-1)
  return `${first}•••${last}${number.slice(-3)}`
}

function splitSite(site: string): Readonly<{ labels: readonly string[]; suffix: string }> {
  const host = hostName.test(site) ? domainToUnicode(site) || site : ""
  const labels = host.split(".")
  const [top = "", second = ""] = labels.toReversed()
  const isCountry = countryLabel.test(top)
  if (!isCountry && !topLabels.has(top)) return { labels: host ? labels : [site], suffix: "" }
  const count = isCountry && labels.length > 2 && registryLabels.has(second) ? 2 : 1
  return { labels: labels.slice(0, -count), suffix: `.${labels.slice(-count).join(".")}` }
}
