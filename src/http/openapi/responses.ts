/**
 * Answers are described by making them: the headers, the words and the examples of the description come from
 * the code that serves requests.
 */
import type { JsonSchema } from "../../domain/values/shape.ts"
import { commonHeaders, setHeaders } from "../api/answer/headers.ts"
import { locales } from "../api/answer/messages.ts"

import { exactly, oneOf } from "./schemas.ts"
import type { Texts } from "./translations/en.ts"

export type MadeAnswer = Readonly<{
  status: number
  /** The name of the example. */
  name: string
  headers: Headers
  body: string
}>

export async function readMade(name: string, response: Response): Promise<MadeAnswer> {
  const { status, headers } = response
  setHeaders(headers, commonHeaders(null))
  return { status, name, headers, body: await response.text() }
}

/** By status. `successSchema` is given the members of the examples; errors are described by theirs. */
export function renderResponses(
  answers: readonly MadeAnswer[],
  successSchema: (found: Readonly<Record<string, JsonSchema>>) => JsonSchema,
  texts: Texts,
): Record<string, object> {
  const byStatus = Map.groupBy(answers, ({ status }) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, alike]) => {
      const headers = renderHeaders(
        alike.map((answer) => answer.headers),
        texts,
      )
      const response = { description: describeStatus(status, texts), headers }
      if (status === 304) return [status, response]
      const examples = alike.map(({ name, body }) => [name, { value: JSON.parse(body) }] as const)
      const found = describeMembers(examples.map(([, { value }]) => value))
      const schema = status < 400 || status === 422 ? successSchema(found) : exactly(found)
      const content = { schema, examples: Object.fromEntries(examples) }
      return [status, { ...response, content: { [mediaTypeOf(alike)]: content } }]
    }),
  )
}

const mediaTypeOf = ([answer]: readonly MadeAnswer[]) =>
  answer?.headers.get("content-type")?.replace(/;.*/, "") ?? ""

function describeStatus(status: number, { statuses }: Texts): string {
  const texts: Readonly<Record<number, string>> = statuses
  const text = texts[status]
  if (text === undefined) throw new Error(`status ${status} has no description`)
  return text
}

/** Each member with the values it has on these objects. */
function describeMembers(objects: readonly Record<string, unknown>[]): Record<string, JsonSchema> {
  const names = new Set(objects.flatMap((object) => Object.keys(object)))
  return Object.fromEntries(
    [...names].map((name) => [name, oneOf(objects.map((object) => object[name]))]),
  )
}

type HeaderName = keyof Texts["headers"]

const digestSchema = { type: "string", pattern: "^sha-256=:[A-Za-z0-9+/]{43}=:$" }

/** The headers whose values differ between answers of one kind. */
const schemas: Readonly<Partial<Record<HeaderName, JsonSchema>>> = {
  "Request-Id": { type: "string", format: "uuid" },
  "Content-Language": oneOf(locales),
  "Retry-After": { type: "integer", format: "int32", minimum: 1, maximum: 2_592_000 },
  "RateLimit-Policy": { type: "string", pattern: '^"[a-z-]+";q=[0-9]+;w=[0-9]+$' },
  RateLimit: { type: "string", pattern: '^"[a-z-]+";r=[0-9]+;t=[0-9]+$' },
  Vary: { type: "string", pattern: "^[A-Za-z-]+(, [A-Za-z-]+)*$" },
  ETag: { type: "string", pattern: '^"[^"]+"$' },
  "Unencoded-Digest": digestSchema,
  "Pazar-Question": digestSchema,
  "Signature-Input": { type: "string", pattern: '^pazar=\\("@status" [^)]+\\);created=[0-9]+;' },
  Signature: { type: "string", pattern: "^pazar=:[A-Za-z0-9+/]{86}==:$" },
}

/** Of all answers with one status. A header that each of them has is required. */
function renderHeaders(alike: readonly Headers[], texts: Texts): Record<string, object> {
  // Object.keys knows no more than that they are strings.
  const names = Object.keys(texts.headers) as HeaderName[]
  const found = names.filter((name) => alike.some((headers) => headers.has(name)))
  return Object.fromEntries(found.map((name) => [name, renderHeader(name, alike, texts)]))
}

function renderHeader(name: HeaderName, alike: readonly Headers[], texts: Texts): object {
  const values = alike.flatMap((headers) => headers.get(name) ?? [])
  return {
    description: texts.headers[name] + (name === "Pazar-Reason" ? listReasons(values, texts) : ""),
    required: values.length === alike.length,
    schema: schemas[name] ?? oneOf(values),
  }
}

function listReasons(values: readonly string[], texts: Texts): string {
  const meanings: Readonly<Record<string, string>> = texts.reasons
  const lines = [...new Set(values)].map((reason) => `- \`${reason}\`: ${meanings[reason]}`)
  return `\n\n${lines.join("\n")}`
}
