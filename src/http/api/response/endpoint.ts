/** The shape of an endpoint, and the services the pipeline works with. */
import type { Catalog, RequestedPurchase } from "../../../domain/catalog/purchase.ts"
import type { Operation } from "../../../domain/keys/api-key.ts"
import type { Challenge, PrepareSigning } from "../../../domain/keys/signing-key.ts"
import type { Caller, InFlight, RateLimits } from "../../../domain/limits/request-limits.ts"
import type { Locale } from "../../../domain/values/locale.ts"
import type { Authentication } from "../../../operations/keys/authenticate.ts"
import type { KeyOperation } from "../../../operations/operation.ts"
import type { Trace } from "../../request/handler.ts"
import type { Credentials, Parameters } from "../request/parameters.ts"
import type { Body } from "./body-bytes.ts"
import type { ResponseCache } from "./response-cache.ts"

/** An operation with its path, its parameters and its rendering. */
export type Endpoint<Input, Found, Result> = KeyOperation<Input, Found, Result> &
  Readonly<{
    operation: Operation
    path: string
    method: "GET" | "POST"
    cacheControl: string
    /** Whether web pages of other sites may call it. */
    isCrossOrigin: boolean
    /** Throws missing_parameter or invalid_parameter. */
    parameters(request: Parameters): Input
    /** Null unless the client asks for a signed answer. Throws invalid_parameter. */
    challenge(request: Parameters, credentials: Credentials): Challenge | null
    /** The entity tag is made of it; null for answers that must not be stored. */
    contentVersion(result: Result): string | null
    /** Whether its answers are long enough for the response cache. */
    usesResponseCache: boolean
    /** The purchase of a valid code, which is counted; null for other results. */
    requestedPurchase(result: Result): RequestedPurchase | null
    /** `opening` is the body as far as the status word: `{"status":"success",`. */
    render(result: Result, opening: string): Body | Promise<Body>
  }>

export type ApiServices = Authentication &
  Readonly<{
    limits: RateLimits
    inFlight: Pick<InFlight, "enter" | "leave">
    catalogue: Catalog
    /** The catalogue of test keys. */
    testCatalogue: Catalog
    siteLocale: Locale
    cache: ResponseCache
    prepareSigning: PrepareSigning
  }>

export type ApiRequestContext = Readonly<{
  request: Request
  trace: Trace
  caller: Caller
  /** Called when an error breaks off an answer that has begun. */
  onStreamError(trace: Trace, fault: unknown): void
}>
