/** Strong validators: the same tag means the same bytes, rendering and coding included. */

import type { Locale } from "../../../domain/values/locale.ts"
import { splitHeader } from "../../request/request-head.ts"

/** The version of stored text: 64 bits are plenty to tell one author's versions of one answer apart. */
export const hashBody = ({ body }: Readonly<{ body: string }>) => Bun.hash(body).toString(36)

const endings = {
  en: { plain: '-en"', gzip: '-en-gzip"' },
  tr: { plain: '-tr"', gzip: '-tr-gzip"' },
} as const satisfies Record<Locale, unknown>

export function entityTag(contentVersion: string, locale: Locale, isGzip: boolean): string {
  const { plain, gzip } = endings[locale]
  return `"${contentVersion}${isGzip ? gzip : plain}`
}

export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  // Nearly every client sends one tag.
  if (ifNoneMatch === tag) return true
  // Proxies weaken tags; for a GET a weak match is a match.
  return splitHeader(ifNoneMatch)
    .map((candidate) => candidate.trim().replace(/^W\//, ""))
    .some((candidate) => candidate === tag || candidate === "*")
}
