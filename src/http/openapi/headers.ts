/** The headers of answers, as they were found on them. */
import type { JsonSchema } from "../../domain/values/shape.ts"
import { locales } from "../api/answer/messages.ts"
import { oneOf } from "./schemas.ts"
import type { Texts } from "./translations/en.ts"

type HeaderName = keyof Texts["headers"]

const digestSchema = { type: "string", pattern: "^sha-256=:[A-Za-z0-9+/]{43}=:$" }

/** The headers whose values differ between answers of one kind. */
const schemas: Readonly<Partial<Record<HeaderName, JsonSchema>>> = {
  "Request-Id": { type: "string", format: "uuid" },
  "Content-Language": oneOf(locales),
  "Retry-After": { type: "integer", format: "int32", minimum: 1, maximum: 3600 },
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
export function renderHeaders(alike: readonly Headers[], texts: Texts): Record<string, object> {
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
