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
