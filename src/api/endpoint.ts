import type { KeyOperation, Operation } from "../contract/operation.ts"
import { successBodyPrefixes } from "../contract/response.ts"
import type { Authentication } from "../keys/authenticate-operations.ts"
import type { RateLimits } from "../keys/rate-limits.ts"
import type { Bytes } from "../platform/http/compression.ts"
import type { InFlight } from "../platform/http/in-flight.ts"
import { type Credentials, type Parameters, parseCredentials } from "../platform/http/parameters.ts"
import type { Caller } from "../platform/ip-range.ts"
import type { Locale } from "../platform/locale.ts"
import type { Challenge, PrepareSigning } from "../signing/signing-key.ts"
import type { RequestedPurchase, Route } from "../usage/usage.ts"

/** Chunks are read as the client takes them. */
export type Body = string | Bytes | AsyncIterable<Bytes>

/** `Data` are the stores that the operation reads. */
export type Endpoint<Data, Input, Result> = Readonly<{
  perform: KeyOperation<Data, Input, Result>
  operation: Operation
  path: string
  method: "GET" | "POST"
  cacheControl: string
  isCrossOrigin: boolean
  /** Finds the key. Throws unknown_key. */
  credentials(parameters: Parameters, headers: Headers): Credentials
  parameters(request: Parameters): Input
  /** Null unless the client requests a signed response. Throws invalid_parameter. */
  challenge(request: Parameters, credentials: Credentials): Challenge | null
  /** The base of the entity tag; null for responses that must not be stored. */
  contentVersion(result: Result): string | null
  /** The purchase of a valid code, for the usage counts; null for other results. */
  requestedPurchase(result: Result): RequestedPurchase | null
  /** `opening` is the start of the body: `{"status":"success",`. */
  render(result: Result, opening: string): Body | Promise<Body>
}>

export const readDefaults = {
  method: "GET",
  cacheControl: "private, no-cache",
  isCrossOrigin: false,
  credentials: parseCredentials,
  challenge: () => null,
  requestedPurchase: () => null,
} as const

export type ApiServices<Data> = Authentication &
  Readonly<{
    limits: RateLimits
    inFlight: Pick<InFlight, "enter" | "leave" | "takeTurn">
    data: Data
    testData: Data
    siteLocale: Locale
    prepareSigning: PrepareSigning
  }>

export type ApiRequestContext = Readonly<{
  request: Request
  trace: Trace
  caller: Caller
  /** Called when an error aborts a response that has started. */
  onStreamError(trace: Trace, fault: unknown): void
}>

export type Serve<Data> = <Input, Result>(endpoint: Endpoint<Data, Input, Result>) => Routes

/** The body that the API returns, from its own renderer. */
export async function renderApiResponse<Result>(
  endpoint: Pick<Endpoint<never, never, Result>, "render">,
  result: Result,
  locale: Locale,
): Promise<string> {
  const body = await endpoint.render(result, successBodyPrefixes[locale])
  if (typeof body !== "string")
    throw new Error("only bodies without a stream can be shown on a page")
  return body
}

export type Server = Bun.Server<undefined>
export type Handler<Received extends Request = Request> = (
  request: Received,
  server: Server,
) => Response | Promise<Response>
export type Routes = Readonly<Record<string, Handler>>

export type Trace = Readonly<{
  /** Logged, and sent as `Request-Id` by the API. */
  id: string
  startedAtMs: number
  method: string
  /** The name in the log and the metrics. Not the path, which may contain secrets. */
  route: Route
}>

export const createTrace = (request: Request, route: Route): Trace => ({
  id: Bun.randomUUIDv7(),
  startedAtMs: performance.now(),
  // Read once: the runtime creates a new string on each access.
  method: request.method,
  route,
})
