/**
 * The parameters of a request, wherever they travel: query string, urlencoded, multipart or JSON
 * body. A body is read by looking at it, because clients label theirs wrongly; one that cannot be
 * read has no parameters.
 */
import { type Awaitable, chain } from "../../domain/awaitable.ts"
import { trimBlank } from "../../domain/blank.ts"
import { DomainError } from "../../domain/error.ts"
import { readBody } from "./body.ts"

/**
 * The value of a parameter: a trimmed, non-blank text, or null when it is missing or blank. Only a
 * JSON or multipart body can hold something else, which no parameter of ours may be.
 */
export type Parameters = (name: string) => unknown

type Source = (name: string) => unknown

const nothing: Source = () => null

export function queryParameters(query: string): Parameters {
  return query === "" ? nothing : cleaned(formSource(query))
}

/** A body beats the query. One sent with GET never reaches us: the runtime drops it. */
export function readParameters(request: Request, query: Parameters): Awaitable<Parameters> {
  if (request.method !== "POST") return query
  return chain(readBody(request), (body) =>
    body === ""
      ? query
      : chain(bodySource(body, request.headers), (source) => beating(cleaned(source), query)),
  )
}

const beating = (body: Parameters, query: Parameters): Parameters =>
  query === nothing ? body : (name) => body(name) ?? query(name)

export function textParameter(parameters: Parameters, name: string): string {
  const value = parameters(name)
  if (value === null) throw new DomainError("missing_parameter")
  if (typeof value !== "string") throw new DomainError("invalid_parameter")
  return value
}

function cleaned(source: Source): Parameters {
  return (name) => {
    const value = source(name)
    if (typeof value !== "string") return value ?? null
    return trimBlank(value) || null
  }
}

function bodySource(body: string, headers: Headers): Awaitable<Source> {
  const start = body.trimStart()
  if (start.startsWith("{")) return jsonSource(body)
  if (start.startsWith("--")) return multipartSource(start, firstLine(start).slice(2).trimEnd())
  // A form has no dashes in pairs unless it means them; only then is its label worth reading.
  if (!start.includes("--")) return formSource(start)
  const contentType = headers.get("content-type") ?? ""
  const boundary = /^multipart\/.*;\s*boundary="?([^";]{1,70})/i.exec(contentType)?.[1]
  const isMultipart = boundary !== undefined && body.includes(`--${boundary}`)
  return isMultipart ? multipartSource(body, boundary) : formSource(start)
}

/** The last of several counts. */
function formSource(text: string): Source {
  if (encoded.test(text)) {
    const form = new URLSearchParams(text)
    return (name) => form.getAll(name).at(-1)
  }
  // Keys and codes are seldom encoded, and cutting costs a third of what URLSearchParams does.
  const form = new Map<string, string>()
  for (const pair of text.split("&")) {
    const at = pair.indexOf("=")
    if (at !== -1) form.set(pair.slice(0, at), pair.slice(at + 1))
    else if (pair !== "") form.set(pair, "")
  }
  return (name) => form.get(name)
}

/** A question mark in front is dropped by the standard; it is left to the standard's own reader. */
const encoded = /[%+]|^\?/

function jsonSource(text: string): Source {
  try {
    // It starts with a brace: if it parses, it is an object.
    const object: Record<string, unknown> = JSON.parse(text)
    return (name) => object[name]
  } catch {
    return nothing
  }
}

async function multipartSource(text: string, boundary: string): Promise<Source> {
  try {
    const headers = { "content-type": `multipart/form-data; boundary="${boundary}"` }
    const form = await new Response(text, { headers }).formData()
    return (name) => form.getAll(name).at(-1)
  } catch {
    return nothing
  }
}

function firstLine(text: string): string {
  const end = text.search(/[\r\n]/)
  return end === -1 ? text : text.slice(0, end)
}
