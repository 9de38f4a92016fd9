/**
 * The pipeline of the four operations: request → parameters → key → operation → store → render.
 * An endpoint is three plain functions and a few constants; everything else is here, once.
 */
import { type ApiKey, mayPerform, type Operation } from "../../domain/api-key.ts"
import { DomainError } from "../../domain/error.ts"
import type { Catalogue } from "../../domain/store.ts"
import { type Authentication, authenticate } from "../../operations/authenticate.ts"
import { type Body, type Exchange, respond, respondFailure, respondNotModified } from "./answer.ts"
import { acceptsGzip } from "./compression.ts"
import { readCredentials } from "./credentials.ts"
import { entityTag, matchesTag } from "./entity-tag.ts"
import { parseLocale } from "./locale.ts"
import { type Locale, renderOpening } from "./messages.ts"
import { type Parameters, readParameters } from "./parameters.ts"

export type Endpoint<Input, Result> = Readonly<{
  operation: Operation
  path: string
  method: "GET" | "POST"
  cacheControl: string
  /** Throws missing_parameter or invalid_parameter. */
  parameters(given: Parameters): Input
  perform(catalogue: Catalogue, key: ApiKey, input: Input): Promise<Result>
  /** What the answer can be kept under; null for what must not be kept. */
  version(result: Result): string | null
  /** `opening` is the body as far as the status word: `{"status":"success",`. */
  render(result: Result, opening: string): Body | Promise<Body>
}>

export type ApiServices = Authentication &
  Readonly<{
    catalogue: Catalogue
    /** What test keys see instead of the catalogue. */
    sampleWorld: Catalogue
    siteLocale: Locale
  }>

export async function handle<Input, Result>(
  endpoint: Endpoint<Input, Result>,
  services: ApiServices,
  exchange: Exchange,
): Promise<Response> {
  exchange.operation = endpoint.operation
  exchange.cacheControl = endpoint.cacheControl
  try {
    if (!isAllowed(endpoint, exchange.request.method)) throw new DomainError("method_not_allowed")
    const parameters = await readParameters(exchange.request, exchange.query)
    preferLocale(exchange, parameters)
    const key = await judgeKey(endpoint.operation, services, exchange, parameters)
    const input = endpoint.parameters(parameters)
    const catalogue = key.kind === "tk" ? services.sampleWorld : services.catalogue
    return await answer(endpoint, exchange, await endpoint.perform(catalogue, key, input))
  } catch (error) {
    return respondFailure(exchange, error, allowedMethods(endpoint))
  }
}

const isAllowed = ({ method }: Pick<Endpoint<never, never>, "method">, used: string) =>
  used === method || (used === "HEAD" && method === "GET")

const allowedMethods = ({ method }: Pick<Endpoint<never, never>, "method">) =>
  method === "GET" ? "GET, HEAD" : method

/** A body may name the rendering too; the query and header were judged when the exchange opened. */
function preferLocale(exchange: Exchange, parameters: Parameters): void {
  const lang = parameters("lang")
  const locale = typeof lang === "string" ? parseLocale(lang) : null
  if (locale === null) return
  exchange.locale = locale
  exchange.isLocaleNegotiated = false
}

async function judgeKey(
  operation: Operation,
  services: ApiServices,
  exchange: Exchange,
  parameters: Parameters,
): Promise<ApiKey> {
  const { secret, consulted } = readCredentials(parameters, exchange.request.headers)
  exchange.keyHeaders = consulted
  const key = await authenticate(services, secret)
  exchange.keyId = key.id
  if (!mayPerform(key, operation)) throw new DomainError("key_not_allowed")
  return key
}

async function answer<Input, Result>(
  endpoint: Endpoint<Input, Result>,
  exchange: Exchange,
  result: Result,
): Promise<Response> {
  const { headers } = exchange.request
  const mayGzip = acceptsGzip(headers.get("accept-encoding"))
  const version = endpoint.version(result)
  const ifNoneMatch = headers.get("if-none-match")
  if (version !== null && ifNoneMatch !== null) {
    for (const isGzip of mayGzip ? [false, true] : [false]) {
      const tag = entityTag(version, exchange.locale, isGzip)
      if (matchesTag(ifNoneMatch, tag)) return respondNotModified(exchange, tag)
    }
  }
  const body = await endpoint.render(result, renderOpening(exchange.locale))
  return respond(exchange, body, { mayGzip, version })
}
