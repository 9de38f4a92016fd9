/** Holds answers against the published description of the API: status, headers and body. */
import { gunzipSync } from "node:zlib"
import Ajv2020 from "ajv/dist/2020.js"
import { createDocument } from "../../../src/http/openapi/document.ts"
import { createOperatorDocument } from "../../../src/http/openapi/operator-document.ts"

type Schema = Readonly<{ type?: string }>
type DescribedResponse = Readonly<{
  headers?: Readonly<Record<string, Readonly<{ required: boolean; schema: Schema }>>>
  content?: object
}>
type Described = Readonly<{ responses: Readonly<Record<string, DescribedResponse>> }>
export type Description = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}>

export type GivenAnswer = Readonly<{
  method: string
  url: string
  status: number
  headers: Headers
  body: Uint8Array | string
}>

/** Headers of every HTTP answer, which say nothing about the API. */
const transportHeaders = [
  ...["connection", "content-encoding", "content-length", "content-type", "date", "keep-alive"],
  ...["strict-transport-security", "transfer-encoding"],
]

const options = { version: "0.0.0", baseUrl: "http://localhost", locale: "en" } as const
/** As a reader of the JSON sees it. */
const published: Description = JSON.parse(JSON.stringify(await createDocument(options)))
const operators: Description = JSON.parse(JSON.stringify(await createOperatorDocument(options)))

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
ajv.addFormat("date-time", (text) => !Number.isNaN(Date.parse(text)))
ajv.addFormat("int32", true)
ajv.addFormat("int64", true)
ajv.addSchema(published, "api")
ajv.addSchema(operators, "operator")

/** Every way in which the answer differs from its description; null when its path is not described. */
export function listDeviations(answer: GivenAnswer): readonly string[] | null {
  const path = new URL(answer.url).pathname.replace(/\/{2,}/g, "/").replace(/\/$/, "")
  for (const [name, { paths }] of Object.entries({ api: published, operator: operators })) {
    const [[method, described] = []] = Object.entries(paths[path] ?? {})
    if (method === undefined || described === undefined) continue
    const response = described.responses[answer.status]
    if (response === undefined) return [`status ${answer.status} is not described`]
    const place = [name, "paths", path, method, "responses", answer.status]
    return [
      ...methodDeviations(method, answer),
      ...headerDeviations(response, answer),
      ...bodyDeviations(place, response, answer),
    ]
  }
  return null
}

function methodDeviations(described: string, { method, status }: GivenAnswer): readonly string[] {
  const isDescribed =
    method.toLowerCase() === described || (method === "HEAD" && described === "get")
  return isDescribed || status === 405 ? [] : [`${method} is not described`]
}

function headerDeviations(
  { headers: described = {} }: DescribedResponse,
  { headers }: GivenAnswer,
): readonly string[] {
  const names = Object.keys(described).map((name) => name.toLowerCase())
  const strangers = [...headers.keys()].filter(
    (name) => !names.includes(name) && !transportHeaders.includes(name),
  )
  const wrong = Object.entries(described).flatMap(([name, { required, schema }]) => {
    const value = headers.get(name)
    if (value === null) return required ? [`${name} is missing`] : []
    const isRight = ajv.validate(schema, schema.type === "integer" ? Number(value) : value)
    return isRight ? [] : [`${name} is ${value}`]
  })
  return [...strangers.map((name) => `${name} is not described`), ...wrong]
}

function bodyDeviations(
  place: readonly (string | number)[],
  { content }: DescribedResponse,
  { method, headers, body }: GivenAnswer,
): readonly string[] {
  if (method === "HEAD") return []
  if (content === undefined) return body.length === 0 ? [] : ["there is a body"]
  const contentType = headers.get("content-type") ?? ""
  const [[mediaType = ""] = []] = Object.entries(content)
  const isRightType =
    contentType === mediaType || /^application\/json; ?charset=utf-8$/.test(contentType)
  if (!isRightType) return [`Content-Type is ${contentType}`]
  const [document, ...rest] = [...place, "content", mediaType, "schema"]
  const pointer = rest.map((part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1"))
  const validate = ajv.getSchema(`${document}#/${pointer.join("/")}`)
  if (validate === undefined) throw new Error(`no schema at ${pointer.join("/")}`)
  if (validate(JSON.parse(textOf(body)))) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `body${instancePath} ${message}`,
  )
}

/** A test that asks for packed bytes gets them as they came. */
function textOf(body: Uint8Array | string): string {
  if (typeof body === "string") return body
  const isGzip = body[0] === 0x1f && body[1] === 0x8b
  return new TextDecoder().decode(isGzip ? gunzipSync(body) : body)
}
