/**
 * Reads a request: its body, parameters and key. Parameters are in the query string or in a urlencoded,
 * multipart or JSON body. The format of a body is guessed from its content, because clients send wrong content types.
 * A body that cannot be read has no parameters.
 */

import { DomainError } from "../../../domain/values/error.ts"
import { trimWhitespace } from "../../../domain/values/text.ts"
import { findContentLength } from "../../request/request-head.ts"

export const bodyBytesMax = 64 * 1024

/** Where the body of such a request ends is unknown, so the connection is closed after the answer. */
export class InvalidContentLength extends DomainError {
  constructor() {
    super("invalid_parameter")
  }
}

/** The body as text, byte order mark dropped. Its length is checked before and while it is read. */
export async function readBody(request: Request): Promise<string> {
  const declared = request.headers.get("content-length")
  // Without a declared length the stream is counted while it is read.
  if (declared === null) return request.body === null ? "" : readAtMost(request.body)
  const length = findContentLength(declared)
  if (length === null) throw new InvalidContentLength()
  if (length > bodyBytesMax) throw new DomainError("too_large")
  // The runtime reads no byte beyond a plain length. Reading through `request.body` would cost 3 µs.
  // A sender that disconnects has no parameters; the answer is lost anyway.
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
 * The value of a parameter as the client sent it, or null when it is missing or blank. Only a JSON or multipart
 * body can hold something else than text, which no parameter of ours may be.
 */
export type Parameters = (name: string) => unknown

const nothing: Parameters = () => null

export function queryParameters(query: string): Parameters {
  return query === "" ? nothing : formParameters(query)
}

/** A body beats the query. */
export function parametersOf(body: string, headers: Headers, query: Parameters): Parameters {
  if (body === "") return query
  const inBody = bodyParameters(body, headers)
  return query === nothing ? inBody : (name) => inBody(name) ?? query(name)
}

/** Trimmed. */
export function textParameter(parameters: Parameters, name: string): string {
  const value = parameters(name)
  if (value === null) throw new DomainError("missing_parameter")
  if (typeof value !== "string") throw new DomainError("invalid_parameter")
  return trimWhitespace(value)
}

function orNull(value: unknown): unknown {
  const isBlank = typeof value === "string" && trimWhitespace(value) === ""
  return isBlank ? null : (value ?? null)
}

function bodyParameters(body: string, headers: Headers): Parameters {
  const start = body.trimStart()
  if (start.startsWith("{")) return jsonParameters(body)
  if (start.startsWith("--")) return multipartParameters(start, firstLine(start).slice(2).trimEnd())
  // Few forms hold two dashes in a row; only for those is the content type read.
  if (!start.includes("--")) return formParameters(start)
  const contentType = headers.get("content-type") ?? ""
  const boundary = /^multipart\/.*;\s*boundary="?([^";]{1,70})/i.exec(contentType)?.[1]
  const isMultipart = boundary !== undefined && body.includes(`--${boundary}`)
  return isMultipart ? multipartParameters(body, boundary) : formParameters(start)
}

/** The last of several counts. */
function formParameters(text: string): Parameters {
  if (encoded.test(text)) {
    const form = new URLSearchParams(text)
    return (name) => orNull(form.getAll(name).at(-1))
  }
  // Keys and codes are seldom encoded, and parsing the form takes 5 % more CPU for a validation.
  return (name) => orNull(findLast(text, name))
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

/** URLSearchParams also drops a leading question mark. */
const encoded = /[%+]|^\?/

function jsonParameters(text: string): Parameters {
  try {
    // It starts with a brace: if it parses, it is an object.
    const object: Record<string, unknown> = JSON.parse(text)
    return (name) => orNull(object[name])
  } catch {
    return nothing
  }
}

function multipartParameters(text: string, boundary: string): Parameters {
  if (boundary.length > boundaryLettersMax) return nothing
  const fields = parseMultipart(text, boundary)
  return (name) => orNull(fields.get(name))
}

function firstLine(text: string): string {
  const end = text.search(/[\r\n]/)
  return end === -1 ? text : text.slice(0, end)
}

/** The headers a key was looked for in, as `Vary` lists them. */
export type KeyHeaders = "" | ", Authorization" | ", X-Api-Key" | ", X-Api-Key, Authorization"

export type Credentials = Readonly<{
  /** Null when the request brings none. */
  secret: string | null
  /** The key as the client sent it: with its blanks, apart from those that HTTP drops around a header. */
  raw: string
  keyHeaders: KeyHeaders
}>

/** The key: parameter `api_key`, else `X-Api-Key`, else `Authorization: Bearer`. */
export function parseCredentials(parameters: Parameters, headers: Headers): Credentials {
  const parameter = parameters("api_key")
  if (typeof parameter === "string") return credentials(parameter, "")
  if (parameter !== null) throw new DomainError("unknown_key")
  const header = credentials(decodeHeader(headers.get("x-api-key") ?? ""), ", X-Api-Key")
  if (header.secret !== null) return header
  return credentials(bearerOf(headers), ", X-Api-Key, Authorization")
}

const credentials = (raw: string, keyHeaders: KeyHeaders): Credentials => ({
  secret: trimWhitespace(raw) || null,
  raw,
  keyHeaders,
})

/** Null without one. */
export const findBearer = (headers: Headers) => trimWhitespace(bearerOf(headers)) || null

/** The scheme is taken in any case; other schemes count as no key. */
function bearerOf(headers: Headers): string {
  const authorization = decodeHeader(headers.get("authorization") ?? "")
  return /^bearer\s[ \t]*(.*)$/is.exec(authorization)?.[1] ?? ""
}

/** The runtime decodes headers as Latin-1; clients send UTF-8. A value that is not UTF-8 is kept. */
function decodeHeader(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return value
  const decoded = Buffer.from(value, "latin1").toString("utf8")
  return decoded.includes("\ufffd") ? value : decoded
}

/**
 * The fields of a multipart body. The runtime's own reader takes `form-data` parts only; libcurl
 * writes `attachment` when the request is labelled as something other than a form.
 */

/** The limit of RFC 2046. A short delimiter keeps the search linear. */
const boundaryLettersMax = 70
/** Ten times what a name and a media type need. */
const headLettersMax = 2_000

/** The value of a part with a file name, which no parameter may have. */
export const filePart = Symbol("file")

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
  return [name, filename === undefined ? value : filePart]
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
