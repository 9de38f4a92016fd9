/** The OpenAPI document as the pages show it. */
import type { Locale } from "../api/answer/messages.ts"
import { validatePurchaseEndpoint } from "../api/validate-purchase.ts"
import { textsOf } from "../openapi/document.ts"
import type { Words } from "../pages/translations/en.ts"

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
  /** The statuses that each reason comes with. */
  statuses: ReadonlyMap<string, readonly string[]>
}>

type Schema = Readonly<{
  $ref?: string
  description?: string
  type?: string
  format?: string
  enum?: readonly unknown[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  oneOf?: readonly Schema[]
}>

type Content = Readonly<Record<string, MediaType>>
type MediaType = Readonly<{
  schema: Schema
  example?: unknown
  examples?: Readonly<Record<string, Readonly<{ value: unknown }>>>
}>

/** The members of an OpenAPI document that are read here. */
export type OpenApi = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  components: Readonly<{ schemas: Readonly<Record<string, Schema>> }>
}>

type OpenApiOperation = Readonly<{
  operationId: string
  summary: string
  description: string
  parameters?: readonly Readonly<{
    name: string
    in: string
    required?: boolean
    description?: string
    schema: Schema
  }>[]
  requestBody?: Readonly<{ content: Content }>
  responses: Readonly<Record<string, OpenApiResponse>>
}>

type OpenApiResponse = Readonly<{
  description: string
  headers?: Readonly<Record<string, Readonly<{ schema: Schema }>>>
  content?: Content
}>

export function createReference({ paths, components }: OpenApi, locale: Locale): Reference {
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      createOperation(path, method, operation, locale),
    ),
  )
  // Most readers come for the validation.
  const isFirst = ({ path }: ReferenceOperation) => path === validatePurchaseEndpoint.path
  const operations = [
    ...listed.filter(isFirst),
    ...listed.filter((operation) => !isFirst(operation)),
  ]
  const pairs = operations.flatMap(({ answers }) =>
    answers.flatMap(({ status, reasons }) => reasons.map((reason) => [reason, status] as const)),
  )
  const statuses = Map.groupBy(pairs, ([reason]) => reason)
  return {
    operations,
    nouns: Object.entries(components.schemas).map(([name, schema]) => ({
      name,
      members: listMembers(schema, ""),
    })),
    statuses: new Map(
      [...statuses].map(([reason, found]) => [
        reason,
        [...new Set(found.map(([, status]) => status))],
      ]),
    ),
  }
}

function createOperation(
  path: string,
  method: string,
  operation: OpenApiOperation,
  locale: Locale,
): ReferenceOperation {
  return {
    id: snakeCase(operation.operationId),
    method: method.toUpperCase(),
    path,
    title: operation.summary,
    text: operation.description,
    parameters: listParameters(operation),
    answers: Object.entries(operation.responses).map(([status, response]) =>
      createAnswer(status, response, locale),
    ),
  }
}

/** As the operation is called everywhere else. */
const snakeCase = (id: string) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Without headers, which the page explains once for all. A body holds the same ones as the query, and
 * its schema says which must be there.
 */
function listParameters({ parameters = [], requestBody }: OpenApiOperation): readonly Parameter[] {
  const inBody = requestBody?.content["application/json"]?.schema.required ?? []
  return parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, required = false, description = "", schema }) => ({
      name,
      type: typeOf(schema),
      isRequired: required || inBody.includes(name),
      text: description,
    }))
}

function createAnswer(
  status: string,
  { description, headers, content }: OpenApiResponse,
  locale: Locale,
): Answer {
  const media = content?.["application/json"]
  const { [locale]: own, en } = media?.examples ?? {}
  // Some answers are the same in every language.
  const example = (own ?? en)?.value ?? media?.example
  return {
    status,
    text: description,
    reasons: (headers?.["Pazar-Reason"]?.schema.enum ?? []).map(String),
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

function typeOf({ $ref, type, format, enum: values, items, oneOf }: Schema): string {
  if (oneOf?.[0] !== undefined) return typeOf(oneOf[0])
  if ($ref !== undefined) return $ref.split("/").at(-1) ?? ""
  if (type === "array" && items !== undefined) return `${typeOf(items)}[]`
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ")
  const isTelling = type === "string" && format !== undefined
  return isTelling ? `${type} (${format})` : (type ?? "any")
}

/** The reasons of the described operations, and that of an unknown path: 501 among Envato's. */
export function listReasons(
  { statuses }: Pick<Reference, "statuses">,
  { docs }: Words,
  locale: Locale,
) {
  const meanings: Readonly<Record<string, string>> = textsOf[locale].reasons
  const known = new Map(statuses).set("unknown_path", ["404", "501"])
  return Object.entries(docs.actions)
    .filter(([reason]) => known.has(reason))
    .map(([reason, action]) => ({
      reason,
      action,
      meaning: meanings[reason] ?? "",
      statuses: known.get(reason)?.join(", ") ?? "",
    }))
}
