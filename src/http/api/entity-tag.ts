/** Strong validators: the same tag means the same bytes, rendering and coding included. */

/** Of stored text: 64 bits are plenty to tell one author's versions of one answer apart. */
export const versionOfText = (text: string) => Bun.hash(text).toString(36)

export function entityTag(version: string, locale: string, isGzip: boolean): string {
  return `"${version}-${locale}${isGzip ? "-gzip" : ""}"`
}

export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  // Proxies weaken tags; for a GET a weak match is a match.
  return ifNoneMatch
    .split(",")
    .map((candidate) => candidate.trim().replace(/^W\//, ""))
    .some((candidate) => candidate === tag || candidate === "*")
}
