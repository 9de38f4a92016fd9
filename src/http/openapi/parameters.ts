/** The parameters of the operations, and whether each is sent in the query, a header or the body. */
import { purchaseMembers } from "../../domain/catalogue/purchase.ts"
import { siteCharactersMax } from "../../domain/catalogue/site.ts"
import type { JsonSchema } from "../../domain/values/shape.ts"
import { locales } from "../api/answer/messages.ts"
import { nonceForm } from "../api/validate-purchase.ts"
import { integer, oneOf } from "./schemas.ts"
import type { Texts } from "./translations/en.ts"

export type ParameterName = "item_id" | "purchase_code" | "site" | "nonce"

type Described = Readonly<{
  parameters: readonly ParameterName[]
  optional: readonly ParameterName[]
  method: "GET" | "POST"
  isTagged: boolean
}>

/** The runtime refuses a request whose headers are longer than this. */
const headerUnitsMax = 16_384

const schemas: Readonly<Record<keyof Texts["parameters"], JsonSchema>> = {
  item_id: integer,
  purchase_code: purchaseMembers.purchase_code.schema,
  site: { type: "string", maxLength: siteCharactersMax },
  nonce: { type: "string", pattern: nonceForm.source, minLength: 16, maxLength: 128 },
  code: purchaseMembers.purchase_code.schema,
  lang: oneOf(locales),
  "Accept-Language": { type: "string", maxLength: headerUnitsMax },
  "If-None-Match": { type: "string", maxLength: headerUnitsMax },
}

export const exampleTag = '"2k8f0z1x-en"'

const examples: Readonly<Record<keyof Texts["parameters"], unknown>> = {
  item_id: 1,
  purchase_code: "test-regular",
  site: "https://shop.example.com",
  nonce: "f00dfeed0123456789abcdef",
  code: "test-regular",
  lang: "en",
  "Accept-Language": "en",
  "If-None-Match": exampleTag,
}

/** The parameters in the query string and in headers. A body may hold those of the query instead. */
export function renderParameters(
  { parameters, method, isTagged }: Described,
  texts: Texts,
): readonly object[] {
  const inQuery = parameters.map((name) => ({
    ...renderParameter(name, "query", texts),
    required: method === "GET",
  }))
  return [
    ...inQuery,
    renderParameter("lang", "query", texts),
    renderParameter("Accept-Language", "header", texts),
    ...(isTagged ? [renderParameter("If-None-Match", "header", texts)] : []),
  ]
}

export const renderParameter = (
  name: keyof Texts["parameters"],
  place: "query" | "header",
  texts: Texts,
) => ({
  name,
  in: place,
  description: texts.parameters[name],
  schema: schemas[name],
  example: examples[name],
})

const mediaTypes = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]

/**
 * The same parameters in each of the forms a body may have. Without `api_key`: importers would send a placeholder,
 * which takes precedence over the key in a header.
 */
export function renderRequestBody({ parameters, optional }: Described, texts: Texts): object {
  const names = [...parameters, "lang"] as const
  const properties = Object.fromEntries(
    names.map((name) => [
      name,
      { ...schemas[name], description: texts.parameters[name], examples: [examples[name]] },
    ]),
  )
  const required = parameters.filter((name) => !optional.includes(name))
  const example = Object.fromEntries(required.map((name) => [name, examples[name]]))
  const content = { schema: { type: "object", properties, required }, example }
  return {
    description: texts.body,
    required: true,
    content: Object.fromEntries(mediaTypes.map((type) => [type, content])),
  }
}
