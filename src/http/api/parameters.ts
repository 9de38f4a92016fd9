/**
 * The parameters of a request, from the query string or a urlencoded, multipart or JSON body. The
 * format of a body is guessed from its content, because clients send wrong content types. A body that
 * cannot be read has no parameters.
 */
import { trimBlank } from "../../domain/blank.ts"
import { DomainError } from "../../domain/error.ts"
import { boundaryLettersMax, parseMultipart } from "./multipart.ts"

/** Only a JSON or multipart body can hold something else than text, which no parameter of ours may be. */
export type Parameters = Readonly<{
  /** A trimmed, non-blank text, or null when it is missing or blank. */
  find(name: string): unknown
  /** The same, but as the client sent it: with its blanks. */
  findAsSent(name: string): unknown
}>

function createParameters(findAsSent: Parameters["findAsSent"]): Parameters {
  return { find: (name) => clean(findAsSent(name)), findAsSent }
}

const nothing = createParameters(() => null)

export function queryParameters(query: string): Parameters {
  return query === "" ? nothing : formParameters(query)
}

/** A body beats the query. */
export function parametersOf(body: string, headers: Headers, query: Parameters): Parameters {
  if (body === "") return query
  const inBody = bodyParameters(body, headers)
  if (query === nothing) return inBody
  return createParameters((name) => inBody.findAsSent(name) ?? query.findAsSent(name))
}

export function textParameter(parameters: Parameters, name: string): string {
  const value = parameters.find(name)
  if (value === null) throw new DomainError("missing_parameter")
  if (typeof value !== "string") throw new DomainError("invalid_parameter")
  return value
}

const clean = (value: unknown) => (typeof value === "string" ? trimBlank(value) : value)

/** Null for what is missing or blank. */
const orNull = (value: unknown) => (clean(value) === "" ? null : (value ?? null))

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
    return createParameters((name) => orNull(form.getAll(name).at(-1)))
  }
  // Keys and codes are seldom encoded, and searching for one name costs less than parsing the form.
  return createParameters((name) => orNull(findLast(text, name)))
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
    return createParameters((name) => orNull(object[name]))
  } catch {
    return nothing
  }
}

function multipartParameters(text: string, boundary: string): Parameters {
  if (boundary.length > boundaryLettersMax) return nothing
  const fields = parseMultipart(text, boundary)
  return createParameters((name) => orNull(fields.get(name)))
}

function firstLine(text: string): string {
  const end = text.search(/[\r\n]/)
  return end === -1 ? text : text.slice(0, end)
}
