/** The OpenAPI document in the form that the pages need. */
import type { authorDocuments } from "../contract/openapi.ts"

/** A parameter of a request or a field of an object. All texts are Markdown. */
export type Field = Readonly<{ name: string; type: string; isRequired: boolean; text: string }>

export type OperationResponse = Readonly<{
  status: string
  text: string
  errorCodes: readonly string[]
  /** JSON; null without a body. */
  example: string | null
}>

export type ReferenceOperation = Readonly<{
  id: string
  method: string
  path: string
  title: string
  text: string
  parameters: readonly Field[]
  responses: readonly OperationResponse[]
}>

export type Reference = Readonly<{
  operations: readonly [ReferenceOperation, ...ReferenceOperation[]]
  objects: readonly Readonly<{ name: string; fields: readonly Field[] }>[]
  errorCodes: readonly Readonly<{
    code: string
    meaning: string
    statuses: string
    isTemporary: boolean
  }>[]
}>

type Schema = Readonly<{
  $ref?: string
  description?: string
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  examples?: readonly unknown[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  oneOf?: readonly Schema[]
}>

type OpenApiParameter = Readonly<{
  name: string
  in: string
  required?: boolean
  description: string
  schema: Schema
}>

type OpenApiResponse = Readonly<{
  description: string
  headers?: Readonly<Record<string, Ref | Readonly<{ schema: Schema }>>>
  content?: Readonly<Record<string, Readonly<{ schema: Schema; example?: unknown }>>>
}>

type OpenApiOperation = Readonly<{
  operationId: string
  summary: string
  description: string
  parameters?: readonly (Ref | OpenApiParameter)[]
  requestBody?: Readonly<{ content: Readonly<Record<string, Readonly<{ schema: Schema }>>> }>
  responses: Readonly<Record<string, Ref | OpenApiResponse>>
}>

type Ref = Readonly<{ $ref: string }>

/** Whether the same request can succeed later. */
export const isTemporary = (status: string) => status === "429" || status >= "500"

const objectNames = ["Account", "Item", "Purchase"] as const

export function createReference(document: typeof authorDocuments.en): Reference {
  /** Follows a `$ref`. */
  function resolve<T extends object>(part: T | Ref): T {
    if (!("$ref" in part)) return part
    const names = part.$ref.split("/").slice(1)
    // A test lints the document, so every reference exists and has the right type.
    return names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), document) as T
  }
  const { paths, components } = document
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries<OpenApiOperation>(methods).map(([method, operation]) =>
      createOperation(resolve, path, method, operation),
    ),
  )
  const path = "/api/purchases/validation"
  const validation = createOperation(resolve, path, "post", paths[path].post)
  const responses = listed.flatMap((operation) => operation.responses)
  return {
    operations: [validation, ...listed.filter((operation) => operation.path !== path)],
    objects: objectNames.map((name) => ({
      name,
      fields: listFields(resolve, components.schemas[name], ""),
    })),
    errorCodes: components.schemas.Reason.oneOf
      .filter((reason) => reason.const !== "ok")
      .map(({ const: code, description: meaning }) => {
        const found = responses.filter(({ errorCodes }) => errorCodes.includes(code))
        const statuses = [...new Set(found.map(({ status }) => status))]
        return {
          code,
          meaning,
          // No operation returns `unknown_path`. Other paths of the Envato API return 501.
          statuses: statuses.join(", ") || "404, 501",
          isTemporary: statuses.some(isTemporary),
        }
      }),
  }
}

type Resolve = <T extends object>(part: T | Ref) => T

const createOperation = (
  resolve: Resolve,
  path: string,
  method: string,
  operation: OpenApiOperation,
): ReferenceOperation => ({
  id: operation.operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  method: method.toUpperCase(),
  path,
  title: operation.summary,
  text: operation.description,
  parameters: listParameters(resolve, operation),
  responses: Object.entries(operation.responses).map(([status, response]) =>
    createResponse(resolve, status, resolve(response)),
  ),
})

/** The parameters of the query, or the fields of the body. */
function listParameters(
  resolve: Resolve,
  { parameters = [], requestBody }: OpenApiOperation,
): readonly Field[] {
  const inQuery = parameters
    .map((parameter) => resolve<OpenApiParameter>(parameter))
    .filter((parameter) => parameter.in === "query")
  const body = requestBody?.content["application/json"]?.schema ?? {}
  return [
    ...listFields(resolve, resolve<Schema>(body), ""),
    ...inQuery.map(({ name, required = false, description, schema }) => ({
      name,
      type: renderType(resolve, schema),
      isRequired: required,
      text: description,
    })),
  ]
}

function createResponse(
  resolve: Resolve,
  status: string,
  response: OpenApiResponse,
): OperationResponse {
  const media = response.content?.["application/json"]
  const example = media?.example ?? (media && resolve<Schema>(media.schema).examples?.[0])
  const reason = response.headers?.["Pazar-Reason"]
  const codes = reason === undefined ? [] : resolve<{ schema: Schema }>(reason).schema.enum
  return {
    status,
    text: response.description,
    errorCodes: (codes ?? []).map(String).filter((code) => code !== "ok"),
    example: example === undefined ? null : JSON.stringify(example, null, 2),
  }
}

/** Nested fields are listed with their paths, such as `media.thumbnail`. */
function listFields(resolve: Resolve, schema: Schema, path: string): readonly Field[] {
  const variants = schema.oneOf ?? [schema]
  const fields = variants.flatMap(({ properties = {} }) => Object.entries(properties))
  return [...new Map(fields)].flatMap(([name, field]) => [
    {
      name: `${path}${name}`,
      type: renderType(resolve, field),
      isRequired: variants.every(({ required = [] }) => required.includes(name)),
      text: field.description ?? resolve<Schema>(field).description ?? "",
    },
    ...listFields(resolve, field, `${path}${name}.`),
  ])
}

function renderType(resolve: Resolve, schema: Schema): string {
  const object = objectNames.find((name) => schema.$ref === `#/components/schemas/${name}`)
  if (object !== undefined) return object
  const { type, format, enum: values, items, oneOf } = resolve<Schema>(schema)
  if (oneOf?.[0] !== undefined) return renderType(resolve, oneOf[0])
  if (items !== undefined) return `${renderType(resolve, items)}[]`
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ")
  return type === "string" && format !== undefined ? `${type} (${format})` : String(type)
}
