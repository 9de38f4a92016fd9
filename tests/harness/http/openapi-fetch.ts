/** Sends requests, and fails if a response differs from the OpenAPI description. */
import { gunzipSync } from "node:zlib"
import Ajv2020 from "ajv/dist/2020.js"
import { authorDocuments, operatorDocuments } from "../../../src/contract/openapi.ts"
import { parseRaw, sendRaw } from "./raw-http.ts"

type Schema = Readonly<{ properties?: Readonly<Record<string, object>> }>
type Header = Readonly<{
  required?: boolean
  schema: Readonly<{ type?: string; enum?: readonly string[] }>
}>
type DescribedResponse = Readonly<{
  headers?: Readonly<Record<string, Header>>
  content?: Readonly<Record<string, Readonly<{ schema: object }>>>
}>
type Security = readonly Readonly<Record<string, readonly string[]>>[]
type Described = Readonly<{
  operationId: string
  security?: Security
  parameters?: readonly Readonly<{ name: string; in: string }>[]
  requestBody?: Readonly<{ content: Readonly<Record<string, Readonly<{ schema: Schema }>>> }>
  responses: Readonly<Record<string, DescribedResponse>>
}>
type Operations = Readonly<Record<string, Readonly<Record<string, Described>>>>
type Description = Readonly<{
  security: Security
  paths: Operations
  webhooks: Operations
  components: Readonly<{ schemas: Readonly<Record<string, object>> }>
}>

/** HTTP headers that are not part of the API. */
const transportHeaders = [
  ...["connection", "content-encoding", "content-length", "content-type", "date", "keep-alive"],
  ...["strict-transport-security", "transfer-encoding", "x-content-type-options"],
]

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
ajv.addFormat("date-time", (text) => !Number.isNaN(Date.parse(text)))
ajv.addFormat("int32", true)
ajv.addFormat("int64", true)

export function dereference(document: object): Description {
  const replace = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(replace)
    if (typeof part !== "object" || part === null) return part
    const { $ref, ...rest } = part as Readonly<Record<string, unknown>> // The document is JSON.
    const own = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, replace(value)]),
    )
    if (typeof $ref !== "string") return own
    const names = $ref.split("/").slice(1)
    const named = replace(
      names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), document),
    )
    return { ...Object(named), ...own }
  }
  return replace(document) as Description // The linter has checked the document.
}

const author = dereference(authorDocuments.en)
const operator = dereference(operatorDocuments.en)
const paths = { ...author.paths, ...operator.paths }
const webhooks = { ...author.webhooks, ...operator.webhooks }
/** Path, status and error code of each response. */
export const openapiResponses = Object.entries(paths).flatMap(([path, methods]) =>
  Object.values(methods).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { headers }]) =>
      (headers?.["Pazar-Reason"]?.schema.enum ?? [""]).map((code) =>
        `${path} ${status} ${code}`.trimEnd(),
      ),
    ),
  ),
)

export async function openapiFetch(url: string, init: BunFetchRequestInit = {}): Promise<Response> {
  const response = await fetch(url, init)
  const { status, headers } = response
  const body = await response.clone().bytes()
  assertDescribed({ method: init.method ?? "GET", url, status, headers, body })
  return response
}

/** As `sendRaw`, for pieces of one request with its method and path in the first piece. */
export async function openapiFetchRaw(
  url: string,
  ...pieces: [string, ...(string | Uint8Array)[]]
) {
  const response = parseRaw(await sendRaw(url, ...pieces))
  const [method = "", target = ""] = pieces[0].split(" ")
  assertDescribed({ method, url: `${url}${target}`, ...response })
  return response
}

type ReceivedResponse = Readonly<{
  method: string
  url: string
  status: number
  headers: Headers
  body: Uint8Array | string
}>

function assertDescribed(received: ReceivedResponse): void {
  const { method, url, status } = received
  const path = new URL(url).pathname.replace(/\/{2,}/g, "/").replace(/\/$/, "")
  const [[describedMethod = "", described] = []] = Object.entries(paths[path] ?? {})
  if (described === undefined && status === 404) return
  const response = described?.responses[status]
  const isMethod = status === 405 || method.toLowerCase().replace("head", "get") === describedMethod
  const deviations =
    response === undefined || !isMethod
      ? ["it is not described"]
      : [...headerDeviations(response, received), ...bodyDeviations(response, received)]
  if (deviations.length > 0)
    throw new Error(`${method} ${path}, ${status}: ${deviations.join("; ")}`)
}

export function listEventProblems(body: Readonly<{ type: string }>): readonly string[] {
  const content = webhooks[body.type]?.post?.requestBody?.content["application/json"]
  return content ? schemaProblems(content.schema, body) : [`${body.type} is not described`]
}

export const listProblems = (noun: "Account" | "Item" | "Purchase", value: unknown) =>
  schemaProblems(author.components.schemas[noun] ?? {}, value)

function schemaProblems(schema: object, value: unknown): readonly string[] {
  if (ajv.validate(schema, value)) return []
  return (ajv.errors ?? []).map(({ instancePath, message }) => `body${instancePath} ${message}`)
}

function headerDeviations(
  { headers: described = {} }: DescribedResponse,
  { headers }: ReceivedResponse,
): readonly string[] {
  const names = Object.keys(described).map((name) => name.toLowerCase())
  const unknown = [...headers.keys()].filter(
    (name) => !names.includes(name) && !transportHeaders.includes(name),
  )
  const problems = Object.entries(described).flatMap(([name, { required = false, schema }]) => {
    const value = headers.get(name)
    if (value === null) return required ? [`${name} is missing`] : []
    const isRight = ajv.validate(schema, schema.type === "integer" ? Number(value) : value)
    return isRight ? [] : [`${name} is ${value}`]
  })
  return [...unknown.map((name) => `${name} is not described`), ...problems]
}

function bodyDeviations(
  { content }: DescribedResponse,
  { method, headers, body }: ReceivedResponse,
): readonly string[] {
  if (method === "HEAD") return []
  if (content === undefined) return body.length === 0 ? [] : ["there is a body"]
  const [[mediaType = "", { schema = {} } = {}] = []] = Object.entries(content)
  const contentType = headers.get("content-type") ?? ""
  const isRightType =
    contentType === mediaType || /^application\/json; ?charset=utf-8$/.test(contentType)
  if (!isRightType) return [`Content-Type is ${contentType}`]
  return schemaProblems(schema, JSON.parse(textOf(body)))
}

/** A test that requests compressed bytes gets them unchanged. */
function textOf(body: Uint8Array | string): string {
  if (typeof body === "string") return body
  const isGzip = body[0] === 0x1f && body[1] === 0x8b
  return new TextDecoder().decode(isGzip ? gunzipSync(body) : body)
}
