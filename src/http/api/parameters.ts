/**
 * The parameters of a request, from the query string or a urlencoded, multipart or JSON body. The
 * format of a body is guessed from its content, because clients send wrong content types. A body that
 * cannot be read has no parameters.
 */
import { trimBlank } from "../../domain/blank.ts"
import { DomainError } from "../../domain/error.ts"
import { boundaryLettersMax, parseMultipart } from "./multipart.ts"

/**
 * The value of a parameter: a trimmed, non-blank text, or null when it is missing or blank. Only a
 * JSON or multipart body can hold something else, which no parameter of ours may be.
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

export function textParameter(parameters: Parameters, name: string): string {
  const value = parameters(name)
  if (value === null) throw new DomainError("missing_parameter")
  if (typeof value !== "string") throw new DomainError("invalid_parameter")
  return value
}

function clean(value: unknown): unknown {
  if (typeof value !== "string") return value ?? null
  return trimBlank(value) || null
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
    return (name) => clean(form.getAll(name).at(-1))
  }
  // Keys and codes are seldom encoded, and searching for one name costs less than parsing the form.
  return (name) => clean(findLast(text, name))
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
    return (name) => clean(object[name])
  } catch {
    return nothing
  }
}

function multipartParameters(text: string, boundary: string): Parameters {
  if (boundary.length > boundaryLettersMax) return nothing
  const fields = parseMultipart(text, boundary)
  return (name) => clean(fields.get(name))
}

function firstLine(text: string): string {
  const end = text.search(/[\r\n]/)
  return end === -1 ? text : text.slice(0, end)
}
