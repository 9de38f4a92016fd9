/**
 * Reads the body, parameters and key of a request. Body formats are urlencoded, multipart and JSON,
 * detected from the content because clients send wrong content types. An unreadable body has no
 * parameters.
 */
import { DomainError } from "../error.ts"
import { trimWhitespace } from "../text.ts"
import { findContentLength } from "./request-head.ts"

export const bodyBytesMax = 64 * 1024

/** The end of such a body is unknown, so the connection is closed after the response. */
export class InvalidContentLength extends DomainError {
  constructor() {
    super("invalid_parameter")
  }
}

/**
 * Returns the body as text without a byte order mark. Throws `too_large`, by the declared length or while
 * reading.
 */
export async function readBody(request: Request): Promise<string> {
  const declared = request.headers.get("content-length")
  if (declared === null) return request.body === null ? "" : readAtMost(request.body)
  const length = findContentLength(declared)
  if (length === null) throw new InvalidContentLength()
  if (length > bodyBytesMax) throw new DomainError("too_large")
  // The runtime reads no bytes beyond a declared length, and `request.text()` is faster than `request.body`.
  // A body whose client disconnected counts as empty: nobody receives the response.
  return length === 0 ? "" : request.text().catch(noText)
}

const noText = () => ""

async function readAtMost(stream: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
    if (done || value === undefined) break
    bytes += value.length
    if (bytes > bodyBytesMax) {
      reader.cancel().catch(() => {})
      throw new DomainError("too_large")
    }
    chunks.push(value)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/**
 * The value of a parameter as the client sent it, or null if it is missing or empty. JSON and multipart
 * bodies can hold values that are not strings; no parameter accepts them.
 */
export type Parameters = (name: string) => unknown

const noParameters: Parameters = () => null

export function queryParameters(query: string): Parameters {
  return query === "" ? noParameters : formParameters(query)
}

/** Parameters in the body take precedence over the query. */
export function parametersOf(body: string, headers: Headers, query: Parameters): Parameters {
  if (body === "") return query
  const inBody = bodyParameters(body, headers)
  return query === noParameters ? inBody : (name) => inBody(name) ?? query(name)
}

/** The trimmed value. Throws missing_parameter or invalid_parameter. */
export function textParameter(parameters: Parameters, name: string): string {
  const value = parameters(name)
  if (value === null) throw new DomainError("missing_parameter")
  if (typeof value !== "string") throw new DomainError("invalid_parameter")
  return trimWhitespace(value)
}

function nullIfEmpty(value: unknown): unknown {
  const isEmpty = typeof value === "string" && trimWhitespace(value) === ""
  return isEmpty ? null : (value ?? null)
}

function bodyParameters(body: string, headers: Headers): Parameters {
  const start = body.trimStart()
  if (start.startsWith("{")) return jsonParameters(body)
  if (start.startsWith("--")) return multipartParameters(start, firstLine(start).slice(2).trimEnd())
  // Fast path: few forms contain two dashes in a row.
  if (!start.includes("--")) return formParameters(start)
  const contentType = headers.get("content-type") ?? ""
  const boundary = /^multipart\/.*;\s*boundary="?([^";]{1,70})/i.exec(contentType)?.[1]
  const isMultipart = boundary !== undefined && body.includes(`--${boundary}`)
  return isMultipart ? multipartParameters(body, boundary) : formParameters(start)
}

/** The last of several values counts. */
function formParameters(text: string): Parameters {
  if (encoded.test(text)) {
    const form = new URLSearchParams(text)
    return (name) => nullIfEmpty(form.getAll(name).at(-1))
  }
  // Keys and codes are rarely encoded, and URLSearchParams costs a validation 5 % more CPU.
  return (name) => nullIfEmpty(findLast(text, name))
}

function findLast(form: string, name: string): string | null {
  let found: string | null = null
  for (let start = 0; start <= form.length; ) {
    const end = form.indexOf("&", start)
    const stop = end === -1 ? form.length : end
    const after = start + name.length
    if (start < stop && form.startsWith(name, start)) {
      if (after === stop) found = ""
      else if (form[after] === "=") found = form.slice(after + 1, stop)
    }
    start = stop + 1
  }
  return found
}

/** Forms that need URLSearchParams, which also drops a leading question mark. */
const encoded = /[%+]|^\?/

function jsonParameters(text: string): Parameters {
  try {
    // The text starts with a brace: if it parses, it is an object.
    const object: Record<string, unknown> = JSON.parse(text)
    return (name) => nullIfEmpty(object[name])
  } catch {
    return noParameters
  }
}

function multipartParameters(text: string, boundary: string): Parameters {
  if (boundary.length > boundaryLengthMax) return noParameters
  const fields = parseMultipart(text, boundary)
  return (name) => nullIfEmpty(fields.get(name))
}

function firstLine(text: string): string {
  const end = text.search(/[\r\n]/)
  return end === -1 ? text : text.slice(0, end)
}

/** The headers that were searched for a key, as `Vary` lists them. */
export type KeyHeaders = "" | ", Authorization" | ", X-Api-Key" | ", X-Api-Key, Authorization"

export type Credentials = Readonly<{
  secret: string | null
  /** The key as the client sent it, including whitespace. */
  raw: string
  keyHeaders: KeyHeaders
}>

/** Reads parameter `api_key`, else `X-Api-Key`, else `Authorization: Bearer`. */
export function parseCredentials(parameters: Parameters, headers: Headers): Credentials {
  const parameter = parameters("api_key")
  if (typeof parameter === "string") return credentials(parameter, "")
  if (parameter !== null) throw new DomainError("unknown_key")
  const header = credentials(decodeHeader(headers.get("x-api-key") ?? ""), ", X-Api-Key")
  if (header.secret !== null) return header
  return credentials(readBearer(headers), ", X-Api-Key, Authorization")
}

const credentials = (raw: string, keyHeaders: KeyHeaders): Credentials => ({
  secret: trimWhitespace(raw) || null,
  raw,
  keyHeaders,
})

export const findBearer = (headers: Headers) => trimWhitespace(readBearer(headers)) || null

/** The scheme is case-insensitive. Other schemes count as a missing key. */
function readBearer(headers: Headers): string {
  const authorization = decodeHeader(headers.get("authorization") ?? "")
  return /^bearer\s[ \t]*(.*)$/is.exec(authorization)?.[1] ?? ""
}

/**
 * The runtime decodes headers as Latin-1, but clients send UTF-8. A value that is not valid UTF-8 stays as
 * it is.
 */
function decodeHeader(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return value
  const decoded = Buffer.from(value, "latin1").toString("utf8")
  return decoded.includes("\ufffd") ? value : decoded
}

/** The limit of RFC 2046, which keeps the search for the delimiter linear. */
const boundaryLengthMax = 70
/** Ten times what a name and a media type need. */
const headLengthMax = 2_000

/** The value of a part with a file name. No parameter accepts a file. */
export const filePart = Symbol("file")

/**
 * The fields of a multipart body by name; the last of several counts. A part without a closing delimiter
 * is ignored. The runtime's own parser reads `form-data` parts only, but libcurl writes `attachment` if
 * the content type is not that of a form.
 */
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

/** Lines end with CR LF or LF. The first line of a part shows which. */
function parsePart(part: string): Field {
  const [firstLine = "", carriageReturn = ""] = /^[ \t]*(\r?)\n/.exec(part) ?? []
  const lineBreak = `${carriageReturn}\n`
  const headEnd = part.indexOf(lineBreak + lineBreak, firstLine.length)
  if (firstLine === "" || headEnd === -1 || headEnd > headLengthMax) return [undefined, undefined]
  const { name, filename } = parseDisposition(part.slice(firstLine.length, headEnd))
  const value = part.slice(headEnd + 2 * lineBreak.length, part.length - carriageReturn.length)
  return [name, filename === undefined ? value : filePart]
}

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
type Query = Readonly<Record<string, string | number | undefined>>

export function withQuery(path: string, query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") params.set(name, String(value))
  }
  return params.size === 0 ? path : `${path}?${params}`
}
