/** The description of the API in OpenAPI 3.1. */

import { itemMembers } from "../../domain/catalogue/item.ts"
import { sampleWorld } from "../../domain/catalogue/sample-world.ts"
import { unlimited } from "../../domain/running/rate-limits.ts"
import type { Failure } from "../../domain/values/error.ts"
import { type JsonSchema, nonEmpty } from "../../domain/values/shape.ts"
import type { Locale } from "../api/answer/messages.ts"
import { allowedMethods, createResponder } from "../api/answer/response.ts"
import { answerSale, type SaleServices, saleRoute } from "../api/envato/answer-sale.ts"
import { handleKeySet, keySetPath } from "../api/key-set.ts"
import {
  commonFailures,
  errorsOf,
  exampleTrace,
  makeAnswers,
  makeFailuresElsewhere,
  withQuotas,
} from "./answers.ts"
import { type DescribedOperation, describedOperations, exampleKey } from "./operations.ts"
import { renderParameter, renderParameters, renderRequestBody } from "./parameters.ts"
import { type MadeAnswer, readMade, renderResponses } from "./responses.ts"
import { describeMembers, exactly, integer, nouns, oneOf } from "./schemas.ts"
import { en, type Texts } from "./translations/en.ts"
import { tr } from "./translations/tr.ts"
import { authorTypes, camelCase, renderWebhooks } from "./webhooks.ts"

export type DocumentOptions = Readonly<{
  version: string
  /** The base of the paths. */
  baseUrl: string
  locale: Locale
}>

export const textsOf: Readonly<Record<Locale, Texts>> = { en, tr }

export async function createDocument(options: DocumentOptions): Promise<object> {
  const texts = textsOf[options.locale]
  const paths = await Promise.all(
    describedOperations.map(
      async (operation) =>
        [
          operation.path,
          { [operation.method.toLowerCase()]: await renderOperation(operation, texts) },
        ] as const,
    ),
  )
  return {
    ...renderHead(options, texts.api, false),
    tags: renderTags(["Account", "Items", "Purchases", "Envato", "Webhooks"], texts),
    security: [{ header: [] }, { bearer: [] }, { parameter: [] }],
    paths: {
      ...Object.fromEntries(paths),
      [saleRoute.path]: {
        get: await renderSaleOperation(texts, new URL(options.baseUrl).hostname),
      },
      [keySetPath]: { get: await renderKeySetOperation(texts) },
    },
    webhooks: renderWebhooks(authorTypes, texts),
    components: {
      securitySchemes: {
        header: { type: "apiKey", in: "header", name: "X-Api-Key", ...about(texts, "header") },
        bearer: { type: "http", scheme: "bearer", ...about(texts, "bearer") },
        parameter: { type: "apiKey", in: "query", name: "api_key", ...about(texts, "parameter") },
      },
      schemas: Object.fromEntries(
        Object.entries(nouns).map(([name, schema]) => [
          name,
          describeMembers(schema, membersOf(texts, name)),
        ]),
      ),
    },
  }
}

const membersOf = ({ members }: Texts, noun: string): Readonly<Record<string, string>> =>
  new Map(Object.entries(members)).get(noun) ?? {}

const about = ({ security }: Texts, name: keyof Texts["security"]) => ({
  description: security[name],
})

/** The members that every document begins with. */
export const renderHead = (
  { version, baseUrl }: DocumentOptions,
  { title, description }: Texts["api"],
  isInternal: boolean,
) => ({
  openapi: "3.1.0",
  info: { title, description, version, license: { name: "MIT", identifier: "MIT" } },
  servers: [{ url: baseUrl, "x-internal": isInternal }],
})

export const renderTags = (names: readonly (keyof Texts["tags"])[], { tags }: Texts) =>
  names.map((name) => ({ name, description: tags[name] }))

async function renderOperation(operation: DescribedOperation, texts: Texts): Promise<object> {
  const body =
    operation.method === "POST" ? { requestBody: renderRequestBody(operation, texts) } : {}
  return {
    operationId: camelCase(operation.operation),
    tags: [operation.tag],
    ...texts.operations[operation.operation],
    parameters: renderParameters(operation, texts),
    ...body,
    responses: renderResponses(
      await makeAnswers(operation),
      (found) => exactly({ status: found.status ?? {}, ...operation.success }),
      texts,
    ),
  }
}

const failures: readonly Failure[] = [
  ...commonFailures,
  ...(["missing_parameter", "invalid_parameter", "unknown_code", "revoked_code"] as const),
  "site_limit",
]

const code = "test-regular"

/** The example, each failure, and a bug. */
async function makeSaleAnswers(site: string): Promise<readonly MadeAnswer[]> {
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
    lookUpKey: async () => exampleKey,
    ...unlimited,
  }
  const failing = errorsOf(failures).map((error) => ({
    ...services,
    lookUpKey: async () => Promise.reject(error),
  }))
  const call = { request, isAdmitted: true, caller: { address: () => "" } }
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

async function renderSaleOperation(texts: Texts, site: string): Promise<object> {
  return {
    operationId: "findSale",
    tags: ["Envato"],
    ...texts.operations.find_sale,
    security: [{ bearer: [] }],
    parameters: [
      { ...renderParameter("code", "query", texts), required: true },
      renderParameter("site", "query", texts),
    ],
    responses: renderResponses(await makeSaleAnswers(site), () => sale, texts),
  }
}

const base64Url = (characters: number): JsonSchema => ({
  type: "string",
  pattern: `^[A-Za-z0-9_-]{${characters}}$`,
})
const thumbprint = base64Url(43)
const endorsement = exactly({ by: thumbprint, sig: base64Url(86) })

const keySet = exactly({
  keys: {
    type: "array",
    minItems: 1,
    items: exactly({
      kty: oneOf(["OKP"]),
      crv: oneOf(["Ed25519"]),
      x: base64Url(43),
      kid: thumbprint,
      endorsed: { type: "array", items: endorsement },
    }),
  },
})

const exampleSigningKey = {
  kty: "OKP",
  crv: "Ed25519",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  endorsed: [],
}

async function renderKeySetOperation(texts: Texts): Promise<object> {
  const asked = [
    {},
    { headers: { "If-None-Match": "*" } },
    { method: "POST" },
  ] satisfies RequestInit[]
  const answers = await Promise.all(
    asked.map(async (init) => {
      const request = new Request(`http://localhost${keySetPath}`, init)
      return readMade(
        "en",
        await handleKeySet(request, async () => JSON.stringify({ keys: [exampleSigningKey] })),
      )
    }),
  )
  const failures = await makeFailuresElsewhere(["unavailable"])
  return {
    operationId: "readSigningKeys",
    tags: ["Purchases"],
    ...texts.operations.read_signing_keys,
    security: [],
    responses: renderResponses([...answers, ...failures], () => keySet, texts),
  }
}
