/** The OpenAPI document as the pages show it. */
import { validatePurchaseEndpoint } from "../api/validate-purchase-endpoint.ts"
import type { authorDocuments } from "../openapi/openapi-document.ts"

/** Of a request, or a member of an answer. */
export type Parameter = Readonly<{
  name: string
  type: string
  isRequired: boolean
  /** Markdown, as all texts here. */
  text: string
}>

export type Answer = Readonly<{
  status: string
  text: string
  reasons: readonly string[]
  /** JSON; null where there is no body. */
  example: string | null
}>

export type ReferenceOperation = Readonly<{
  /** Its anchor in the page. */
  id: string
  method: string
  path: string
  title: string
  text: string
  parameters: readonly Parameter[]
  answers: readonly Answer[]
}>

export type Noun = Readonly<{ name: string; members: readonly Parameter[] }>

export type Reference = Readonly<{
  operations: readonly ReferenceOperation[]
  nouns: readonly Noun[]
  reasons: readonly Readonly<{ reason: string; meaning: string; statuses: string }>[]
}>

type Schema = Readonly<{
  $ref?: string
  description?: string
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  const?: unknown
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

const nounNames = ["Account", "Item", "Purchase"] as const

export function createReference(document: (typeof authorDocuments)["en" | "tr"]): Reference {
  /** The part of the document that a reference names, or the part itself. */
  function resolve<T extends object>(part: T | Ref): T {
    if (!("$ref" in part)) return part
    const names = part.$ref.split("/").slice(1)
    // The linter of the test finds references to what is not there, or to another kind of part.
    return names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), document) as T
  }

  function createOperation(
    path: string,
    method: string,
    operation: OpenApiOperation,
  ): ReferenceOperation {
    return {
      // As the operation is called everywhere else.
      id: operation.operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      method: method.toUpperCase(),
      path,
      title: operation.summary,
      text: operation.description,
      parameters: listParameters(operation),
      answers: Object.entries(operation.responses).map(([status, response]) =>
        createAnswer(status, resolve(response)),
      ),
    }
  }

  /**
   * Without headers, which the page explains once for all. The body takes the same parameters as the query,
   * and its schema says which are required.
   */
  function listParameters({ parameters = [], requestBody }: OpenApiOperation) {
    const body = requestBody?.content["application/json"]?.schema ?? {}
    const inBody = resolve<Schema>(body).required ?? []
    return parameters
      .map((parameter) => resolve<OpenApiParameter>(parameter))
      .filter((parameter) => parameter.in === "query")
      .map(({ name, required = false, description, schema }) => ({
        name,
        type: typeOf(schema),
        isRequired: required || inBody.includes(name),
        text: description,
      }))
  }

  function createAnswer(status: string, response: OpenApiResponse): Answer {
    const media = response.content?.["application/json"]
    const example = media?.example ?? (media && resolve<Schema>(media.schema).examples?.[0])
    const reason = response.headers?.["Pazar-Reason"]
    const reasons = reason === undefined ? [] : resolve<{ schema: Schema }>(reason).schema.enum
    return {
      status,
      text: response.description,
      reasons: (reasons ?? []).map(String),
      example: example === undefined ? null : JSON.stringify(example, null, 2),
    }
  }

  /** All members with their paths, as in `media.thumbnail`. */
  function listMembers(schema: Schema, path: string): readonly Parameter[] {
    const variants = schema.oneOf ?? [schema]
    const members = variants.flatMap(({ properties = {} }) => Object.entries(properties))
    return [...new Map(members)].flatMap(([name, member]) => [
      {
        name: `${path}${name}`,
        type: typeOf(member),
        isRequired: variants.every(({ required = [] }) => required.includes(name)),
        text: member.description ?? "",
      },
      ...listMembers(member, `${path}${name}.`),
    ])
  }

  function typeOf(schema: Schema): string {
    const noun = nounNames.find((name) => schema.$ref === `#/components/schemas/${name}`)
    if (noun !== undefined) return noun
    const { type, format, enum: values, items, oneOf } = resolve<Schema>(schema)
    if (oneOf?.[0] !== undefined) return typeOf(oneOf[0])
    if (items !== undefined) return `${typeOf(items)}[]`
    if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ")
    const isTelling = type === "string" && format !== undefined
    return isTelling ? `${type} (${format})` : String(type)
  }

  const { paths, components } = document
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries<OpenApiOperation>(methods).map(([method, operation]) =>
      createOperation(path, method, operation),
    ),
  )
  // Most readers come for the validation.
  const isFirst = ({ path }: ReferenceOperation) => path === validatePurchaseEndpoint.path
  const operations = [
    ...listed.filter(isFirst),
    ...listed.filter((operation) => !isFirst(operation)),
  ]
  const answers = operations.flatMap((operation) => operation.answers)
  return {
    operations,
    nouns: nounNames.map((name) => ({ name, members: listMembers(components.schemas[name], "") })),
    reasons: components.schemas.Reason.oneOf.map(({ const: reason, description: meaning }) => {
      const found = answers.filter(({ reasons }) => reasons.includes(reason))
      const statuses = new Set(found.map(({ status }) => status))
      // No operation responds with it: 501 is for Envato's other paths.
      return { reason, meaning, statuses: [...statuses].join(", ") || "404, 501" }
    }),
  }
}
