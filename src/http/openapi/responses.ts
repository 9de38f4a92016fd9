/**
 * Answers are described by making them: the headers, the words and the examples of the description come from
 * the code that serves requests.
 */
import type { JsonSchema } from "../../domain/values/shape.ts"
import { commonHeaders, setHeaders } from "../api/answer/headers.ts"
import { renderHeaders } from "./headers.ts"
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
