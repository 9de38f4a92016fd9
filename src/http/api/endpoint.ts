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
  type Bytes,
  type Exchange,
  isStream,
  mayGzip,
  readWhole,
  respond,
  respondFailure,
  respondNotModified,
  respondReady,
} from "./answer.ts"
import { readBody } from "./body.ts"
import { gzipBytesMin, pack } from "./compression.ts"
import { findSecret } from "./credentials.ts"
import { entityTag, matchesTag } from "./entity-tag.ts"
import { parseLocale } from "./locale.ts"
import { type Locale, openings } from "./messages.ts"
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

/** What is done with every answer before it leaves. */
type Finish = (response: Response, exchange: Exchange) => Response

/** A request on its way; nothing here is made anew for each but this and what comes of it. */
type Call<Input, Result> = Readonly<{
  endpoint: Endpoint<Input, Result>
  services: ApiServices
  exchange: Exchange
  finish: Finish
}>

/** A call that a key was found for. */
type Question<Input, Result> = Omit<Call<Input, Result>, "finish"> &
  Readonly<{ catalogue: Catalogue; key: ApiKey; input: Input }>

export function handle<Input, Result>(
  endpoint: Endpoint<Input, Result>,
  services: ApiServices,
  exchange: Exchange,
  finish: Finish,
): Awaitable<Response> {
  exchange.operation = endpoint.operation
  exchange.cacheControl = endpoint.cacheControl
  const call = { endpoint, services, exchange, finish }
  let body: Awaitable<string>
  try {
    if (!isAllowed(endpoint, exchange.method)) throw new DomainError("method_not_allowed")
    body = readBody(exchange)
  } catch (error) {
    return fail(error, call)
  }
  return body instanceof Promise ? receiveLater(body, call) : receive(body, call)
}

const receiveLater = <Input, Result>(body: Promise<string>, call: Call<Input, Result>) =>
  body.then(
    (text) => receive(text, call),
    // A sender that goes away has no parameters, and nobody reads the answer.
    (error) => (error instanceof DomainError ? fail(error, call) : receive("", call)),
  )

/** Failures come by two ways, thrown at once or with a promise, and leave by one door. */
function receive<Input, Result>(body: string, call: Call<Input, Result>): Awaitable<Response> {
  const { exchange, finish } = call
  let answering: Awaitable<Response>
  try {
    const parameters = readParameters(body, exchange.request.headers, exchange.query)
    answering = admit(parameters, call)
  } catch (error) {
    return fail(error, call)
  }
  return answering instanceof Promise ? finishLater(answering, call) : finish(answering, exchange)
}

const finishLater = <Input, Result>(answering: Promise<Response>, call: Call<Input, Result>) =>
  answering.then(
    (response) => call.finish(response, call.exchange),
    (error) => fail(error, call),
  )

const fail = <Input, Result>(error: unknown, { endpoint, exchange, finish }: Call<Input, Result>) =>
  finish(respondFailure(exchange, error, allowedMethods(endpoint)), exchange)

function admit<Input, Result>(
  parameters: Parameters,
  call: Call<Input, Result>,
): Awaitable<Response> {
  const { services, exchange } = call
  exchange.parameters = parameters
  preferLocale(exchange, parameters)
  return chain(authenticate(services, findSecret(exchange)), ask<Input, Result>, call)
}

function ask<Input, Result>(key: ApiKey, call: Call<Input, Result>): Awaitable<Response> {
  const { endpoint, services, exchange } = call
  exchange.keyId = key.id
  if (!mayPerform(key, endpoint.operation)) throw new DomainError("key_not_allowed")
  const input = endpoint.parameters(exchange.parameters)
  const catalogue = key.kind === "tk" ? services.sampleWorld : services.catalogue
  const question = { endpoint, services, exchange, catalogue, key, input }
  return chain(perform(question), answer<Input, Result>, question)
}

const perform = <Input, Result>({ endpoint, catalogue, key, input }: Question<Input, Result>) =>
  endpoint.perform(catalogue, key, input)

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
  result: Result,
  question: Question<Input, Result>,
): Awaitable<Response> {
  const { endpoint, exchange } = question
  const version = endpoint.version(result)
  if (version !== null) {
    const kept = findKept(exchange, version)
    if (kept !== null) return respondNotModified(exchange, kept)
    if (endpoint.isShelved) {
      const ready = findReady(question, version)
      if (ready !== null) return ready
    }
  }
  const body = endpoint.render(result, openings[exchange.locale])
  return body instanceof Promise
    ? respondLater(question, body, version)
    : respond(exchange, body, version)
}

const respondLater = <Input, Result>(
  question: Question<Input, Result>,
  body: Promise<Body>,
  version: string | null,
) =>
  body.then((known) => {
    const checked = isStream(known) ? whileAdmitted(known, question) : known
    return respond(question.exchange, checked, version)
  })

/**
 * Checks the key again before each piece: a reader may take minutes, and the key can be revoked or its
 * account deleted meanwhile. A remembered key costs no look-up.
 */
async function* whileAdmitted<Input, Result>(
  pieces: AsyncIterable<Bytes>,
  { services, exchange, key }: Question<Input, Result>,
): AsyncGenerator<Bytes> {
  for await (const piece of pieces) {
    yield piece
    const { accountId } = await authenticate(services, findSecret(exchange))
    if (accountId !== key.accountId) throw new DomainError("unknown_key")
  }
}

function findReady<Input, Result>(
  question: Question<Input, Result>,
  version: string,
): Response | null {
  const { exchange, services } = question
  const isGzip = mayGzip(exchange)
  const tag = entityTag(version, exchange.locale, isGzip)
  const ready = services.shelf.find(tag, () => makeReady(question, version, isGzip))
  return ready === null ? null : respondReady(exchange, ready, tag, isGzip)
}

/** The tag of a copy the client has and may go on using. */
function findKept(exchange: Exchange, version: string): string | null {
  const ifNoneMatch = exchange.request.headers.get("if-none-match")
  if (ifNoneMatch === null) return null
  const plain = entityTag(version, exchange.locale, false)
  if (matchesTag(ifNoneMatch, plain)) return plain
  const packed = mayGzip(exchange) ? entityTag(version, exchange.locale, true) : null
  return packed !== null && matchesTag(ifNoneMatch, packed) ? packed : null
}

/** Null unless the answer was the same one from its beginning to its end. */
async function makeReady<Input, Result>(
  question: Question<Input, Result>,
  version: string,
  isGzip: boolean,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { endpoint, exchange } = question
  const result = await perform(question)
  if (endpoint.version(result) !== version) return null
  const body = await endpoint.render(result, openings[exchange.locale])
  const bytes = await readWhole(body, entryBytesMax)
  const isSame = endpoint.version(await perform(question)) === version
  if (!isSame || bytes === null || bytes.length < gzipBytesMin) return null
  return isGzip ? pack(bytes) : bytes
}
