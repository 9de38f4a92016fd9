/** The description of the API in OpenAPI 3.1. */
import type { Locale } from "../api/answer/messages.ts"
import { saleRoute } from "../api/envato/answer-sale.ts"
import { keySetPath } from "../api/key-set.ts"
import { makeAnswers } from "./answers.ts"
import { renderKeySetOperation } from "./key-set-operation.ts"
import { type DescribedOperation, describedOperations } from "./operations.ts"
import { renderParameters, renderRequestBody } from "./parameters.ts"
import { renderResponses } from "./responses.ts"
import { renderSaleOperation } from "./sale-operation.ts"
import { exactly, nouns } from "./schemas.ts"
import { en, type Texts } from "./translations/en.ts"
import { tr } from "./translations/tr.ts"

export type DocumentOptions = Readonly<{
  /** The version of the program. */
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
    tags: renderTags(["Account", "Items", "Purchases", "Envato"], texts),
    security: [{ header: [] }, { bearer: [] }, { parameter: [] }],
    paths: {
      ...Object.fromEntries(paths),
      [saleRoute.path]: { get: await renderSaleOperation(texts) },
      [keySetPath]: { get: await renderKeySetOperation(texts) },
    },
    components: {
      securitySchemes: {
        header: { type: "apiKey", in: "header", name: "X-Api-Key", ...about(texts, "header") },
        bearer: { type: "http", scheme: "bearer", ...about(texts, "bearer") },
        parameter: { type: "apiKey", in: "query", name: "api_key", ...about(texts, "parameter") },
      },
      schemas: nouns,
    },
  }
}

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

const camelCase = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
