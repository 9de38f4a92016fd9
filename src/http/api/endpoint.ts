/**
 * The pipeline of the four operations: request → parameters → key → operation → store → render.
 * An endpoint is three plain functions and a few constants; everything else is here, once.
 */
import { type ApiKey, mayPerform, type Operation } from "../../domain/api-key.ts"
import { type Awaitable, chain } from "../../domain/awaitable.ts"
import { DomainError } from "../../domain/error.ts"
import type { Catalogue } from "../../domain/store.ts"
import { type Authentication, authenticate } from "../../operations/authenticate.ts"
import {
  type Body,
  type Exchange,
  mayGzip,
  readWhole,
  respond,
  respondFailure,
  respondNotModified,
  respondReady,
} from "./answer.ts"
import { gzipBytesMin, pack } from "./compression.ts"
import { findSecret } from "./credentials.ts"
import { entityTag, matchesTag } from "./entity-tag.ts"
import { parseLocale } from "./locale.ts"
import { type Locale, renderOpening } from "./messages.ts"
import { type Parameters, readParameters } from "./parameters.ts"
import { entryBytesMax, type Shelf } from "./shelf.ts"

export type Endpoint<Input, Result> = Readonly<{
  operation: Operation
  path: string
  method: "GET" | "POST"
  cacheControl: string
  /** Throws missing_parameter or invalid_parameter. */
  parameters(given: Parameters): Input
  perform(catalogue: Catalogue, key: ApiKey, input: Input): Awaitable<Result>
  /** What the answer can be kept under; null for what must not be kept. */
  version(result: Result): string | null
  /** Whether its answers are long enough to be worth keeping ready. */
  isShelved: boolean
  /** `opening` is the body as far as the status word: `{"status":"success",`. */
  render(result: Result, opening: string): Awaitable<Body>
}>

export type ApiServices = Authentication &
  Readonly<{
    catalogue: Catalogue
    /** What test keys see instead of the catalogue. */
    sampleWorld: Catalogue
    siteLocale: Locale
    shelf: Shelf
  }>

/** The one door for failures, whether they are thrown at once or come with a promise. */
export function handle<Input, Result>(
  endpoint: Endpoint<Input, Result>,
  services: ApiServices,
  exchange: Exchange,
): Awaitable<Response> {
  exchange.operation = endpoint.operation
  exchange.cacheControl = endpoint.cacheControl
  const fail = (error: unknown) => respondFailure(exchange, error, allowedMethods(endpoint))
  try {
    const answering = run(endpoint, services, exchange)
    return answering instanceof Promise ? answering.catch(fail) : answering
  } catch (error) {
    return fail(error)
  }
}

function run<Input, Result>(
  endpoint: Endpoint<Input, Result>,
  services: ApiServices,
  exchange: Exchange,
): Awaitable<Response> {
  if (!isAllowed(endpoint, exchange.request.method)) throw new DomainError("method_not_allowed")
  return chain(readParameters(exchange.request, exchange.query), (parameters) => {
    preferLocale(exchange, parameters)
    return chain(authenticate(services, findSecret(exchange, parameters)), (key) => {
      exchange.keyId = key.id
      if (!mayPerform(key, endpoint.operation)) throw new DomainError("key_not_allowed")
      const input = endpoint.parameters(parameters)
      const catalogue = key.kind === "tk" ? services.sampleWorld : services.catalogue
      const perform = () => endpoint.perform(catalogue, key, input)
      return chain(perform(), (result) => answer(endpoint, services, exchange, perform, result))
    })
  })
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

function answer<Input, Result>(
  endpoint: Endpoint<Input, Result>,
  { shelf }: ApiServices,
  exchange: Exchange,
  perform: () => Awaitable<Result>,
  result: Result,
): Awaitable<Response> {
  const version = endpoint.version(result)
  const opening = renderOpening(exchange.locale)
  if (version !== null) {
    const kept = findKept(exchange, version)
    if (kept !== null) return respondNotModified(exchange, kept)
  }
  if (version !== null && endpoint.isShelved) {
    const isGzip = mayGzip(exchange)
    const tag = entityTag(version, exchange.locale, isGzip)
    const ready = shelf.find(tag, () =>
      makeReady(endpoint, version, perform, (again) => endpoint.render(again, opening), isGzip),
    )
    if (ready !== null) return respondReady(exchange, ready, tag, isGzip)
  }
  return chain(endpoint.render(result, opening), (body) => respond(exchange, body, version))
}

/** The tag of a copy the client has and may go on using. */
function findKept(exchange: Exchange, version: string): string | null {
  const ifNoneMatch = exchange.request.headers.get("if-none-match")
  if (ifNoneMatch === null) return null
  const codings = mayGzip(exchange) ? [false, true] : [false]
  const tags = codings.map((isGzip) => entityTag(version, exchange.locale, isGzip))
  return tags.find((tag) => matchesTag(ifNoneMatch, tag)) ?? null
}

/** Null unless the answer was the same one from its beginning to its end. */
async function makeReady<Result>(
  { version: versionOf }: Pick<Endpoint<never, Result>, "version">,
  version: string,
  perform: () => Awaitable<Result>,
  render: (result: Result) => Awaitable<Body>,
  isGzip: boolean,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const result = await perform()
  if (versionOf(result) !== version) return null
  const bytes = await readWhole(await render(result), entryBytesMax)
  const isSame = versionOf(await perform()) === version
  if (!isSame || bytes === null || bytes.length < gzipBytesMin) return null
  return isGzip ? pack(bytes) : bytes
}
