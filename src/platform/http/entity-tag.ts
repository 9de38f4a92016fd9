/** Strong entity tags: the same tag means the same bytes, including language and content coding. */

import type { Locale } from "../locale.ts"
import { acceptsGzip, splitHeader } from "./request-head.ts"

/** 64 bits distinguish the versions of one body. */
export const hashBody = ({ body }: Readonly<{ body: string }>) => Bun.hash(body).toString(36)

export const entityTag = (contentVersion: string, locale: Locale) => `"${contentVersion}-${locale}"`

export const compressedTag = (tag: string) => tag.replace(/"$/, '-gzip"')

/** The tag of the current version that the client has, or null. */
export function findCurrentTag(headers: Headers, tag: string): string | null {
  const ifNoneMatch = headers.get("if-none-match")
  if (ifNoneMatch === null) return null
  const tags = acceptsGzip(headers) ? [tag, compressedTag(tag)] : [tag]
  return tags.find((each) => matchesTag(ifNoneMatch, each)) ?? null
}

function matchesTag(ifNoneMatch: string, tag: string): boolean {
  // Fast path: nearly every client sends one tag.
  if (ifNoneMatch === tag) return true
  // Proxies weaken tags; a weak match is enough for a GET.
  return splitHeader(ifNoneMatch)
    .map((candidate) => candidate.trim().replace(/^W\//, ""))
    .some((candidate) => candidate === tag || candidate === "*")
}
