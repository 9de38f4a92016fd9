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
