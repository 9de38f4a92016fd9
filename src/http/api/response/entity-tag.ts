/** Strong entity tags: the same tag means the same bytes, including language and content coding. */

import type { Locale } from "../../../domain/values/locale.ts"
import { splitHeader } from "../../request/request-head.ts"

/** 64 bits distinguish the versions of one body. */
export const hashBody = ({ body }: Readonly<{ body: string }>) => Bun.hash(body).toString(36)

const suffixes = {
  en: { plain: '-en"', gzip: '-en-gzip"' },
  tr: { plain: '-tr"', gzip: '-tr-gzip"' },
} as const satisfies Record<Locale, unknown>

export function entityTag(contentVersion: string, locale: Locale, isGzip: boolean): string {
  const { plain, gzip } = suffixes[locale]
  return `"${contentVersion}${isGzip ? gzip : plain}`
}

export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  // Fast path: nearly every client sends one tag.
  if (ifNoneMatch === tag) return true
  // Proxies weaken tags; a weak match is enough for a GET.
  return splitHeader(ifNoneMatch)
    .map((candidate) => candidate.trim().replace(/^W\//, ""))
    .some((candidate) => candidate === tag || candidate === "*")
}
