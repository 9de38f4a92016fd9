/** The sale in Envato's shape, described as the other operations are: by making its answers. */

import { itemMembers } from "../../domain/catalogue/item.ts"
import { sampleWorld } from "../../domain/catalogue/sample-world.ts"
import { unlimited } from "../../domain/running/rate-limits.ts"
import { DomainError, type Failure } from "../../domain/values/error.ts"
import { type JsonSchema, nonEmpty } from "../../domain/values/shape.ts"
import { allowedMethods, createResponder } from "../api/answer/response.ts"
import { answerSale, type SaleServices, saleRoute } from "../api/envato/answer-sale.ts"
import { commonFailures, exampleTrace, withQuotas } from "./answers.ts"
import { exampleKey } from "./operations.ts"
import { renderParameter } from "./parameters.ts"
import { type MadeAnswer, readMade, renderResponses } from "./responses.ts"
import { exactly, integer, oneOf } from "./schemas.ts"
import type { Texts } from "./translations/en.ts"

const failures: readonly Failure[] = [
  ...commonFailures,
  ...(["missing_parameter", "invalid_parameter", "unknown_code", "revoked_code"] as const),
]

const site = "market.example"
const code = "test-regular"

/** The example, each failure, and a bug. */
async function makeSaleAnswers(): Promise<readonly MadeAnswer[]> {
  const respond = createResponder({
    ...saleRoute,
    allow: allowedMethods(saleRoute.method),
    common: {},
  })
  const request = new Request(`http://localhost${saleRoute.path}?code=${code}`, {
    headers: { Authorization: "Bearer key" },
  })
  const services: SaleServices = {
    catalogue: sampleWorld,
    sampleWorld,
    now: () => new Date(0),
    findCachedKey: () => null,
    lookUpKey: () => exampleKey,
    ...unlimited,
  }
  const errors = [...failures.map((reason) => new DomainError(reason)), new Error("a bug")]
  const failing = errors.map((error) => ({ ...services, lookUpKey: () => Promise.reject(error) }))
  const call = { request, isAdmitted: true, address: () => "" }
  const outcomes = await Promise.all(
    [services, ...failing].map((each) => answerSale(each, call, site)),
  )
  // No web page may read an answer to a key that belongs on a server.
  const all = [
    ...outcomes.flatMap((outcome) => [outcome, { ...outcome, hasServerKey: true }]),
    ...withQuotas(outcomes, saleRoute),
  ]
  return Promise.all(all.map((outcome) => readMade("en", respond(outcome, exampleTrace))))
}

const offset: JsonSchema = {
  type: "string",
  format: "date-time",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$",
}
const decimal: JsonSchema = { type: "string", pattern: "^-?\\d" }

const sale = exactly({
  amount: decimal,
  sold_at: offset,
  license: nonEmpty.schema,
  support_amount: oneOf(["0.00"]),
  supported_until: { anyOf: [offset, { type: "null" }] },
  item: exactly({
    id: itemMembers.id.schema,
    name: itemMembers.name.schema,
    description: itemMembers.description.schema,
    site: nonEmpty.schema,
    classification: itemMembers.category.schema,
    price_cents: integer,
    author_username: nonEmpty.schema,
    url: itemMembers.demo_link.schema,
    updated_at: offset,
    published_at: offset,
    tags: itemMembers.tags.schema,
  }),
  buyer: { type: ["string", "null"] },
  purchase_count: oneOf([1]),
})

export async function renderSaleOperation(texts: Texts): Promise<object> {
  return {
    operationId: "findSale",
    tags: ["Envato"],
    ...texts.operations.find_sale,
    security: [{ bearer: [] }],
    parameters: [{ ...renderParameter("code", "query", texts), required: true }],
    responses: renderResponses(await makeSaleAnswers(), () => sale, texts),
  }
}
