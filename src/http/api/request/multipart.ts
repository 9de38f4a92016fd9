/**
 * The fields of a multipart body. The runtime's own reader takes `form-data` parts only; libcurl
 * writes `attachment` when the request is labelled as something other than a form.
 */

/** The limit of RFC 2046. A short delimiter keeps the search linear. */
export const boundaryLettersMax = 70
/** Ten times what a name and a media type need. */
const headLettersMax = 2_000

/** The value of a part with a file name, which no parameter may have. */
export const file = Symbol("file")

/** By name; the last of several counts. A part without a delimiter after it was cut off and is ignored. */
export function parseMultipart(text: string, boundary: string): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const part of `\n${text}`.split(`\n--${boundary}`).slice(1, -1)) {
    if (part.startsWith("--")) break
    const [name, value] = parsePart(part)
    if (name !== undefined) fields.set(name, value)
  }
  return fields
}

type Field = readonly [name: string | undefined, value: unknown]

/** Most clients end lines with CR LF, some with LF alone; the first line of a part shows which. */
function parsePart(part: string): Field {
  const [firstLine = "", carriageReturn = ""] = /^[ \t]*(\r?)\n/.exec(part) ?? []
  const lineBreak = `${carriageReturn}\n`
  const headEnd = part.indexOf(lineBreak + lineBreak, firstLine.length)
  if (firstLine === "" || headEnd === -1 || headEnd > headLettersMax) return [undefined, undefined]
  const { name, filename } = parseDisposition(part.slice(firstLine.length, headEnd))
  const value = part.slice(headEnd + 2 * lineBreak.length, part.length - carriageReturn.length)
  return [name, filename === undefined ? value : file]
}

/** The parameters of `Content-Disposition`, whatever its type; none without such a header. */
function parseDisposition(head: string): Readonly<Record<string, string>> {
  const line = /^content-disposition[ \t]*:(.*)/im.exec(head)?.[1] ?? ""
  const parameters: Record<string, string> = {}
  for (const [, key = "", quoted, plain = ""] of line.matchAll(parameter)) {
    parameters[key.toLowerCase()] = quoted === undefined ? plain : unquote(quoted)
  }
  return parameters
}

const parameter = /;[ \t]*([a-z*]{1,20})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*))/gi

/** Browsers and newer libcurl write a quote as `%22`, older libcurl writes `\"`. */
const unquote = (quoted: string) => quoted.replace(/\\(.)/g, "$1").replaceAll("%22", '"')
