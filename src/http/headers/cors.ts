/**
 * Calls from web pages of other sites: which headers let a page send a request and read its answer. Only
 * for paths that take keys which may be shipped, and for the key set.
 */

/** For an answer that a page may read. Without credentials, so cookies play no part. */
export const crossOriginHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Pazar-Reason, Request-Id, Retry-After, RateLimit, RateLimit-Policy, Unencoded-Digest, Pazar-Question, Signature, Signature-Input",
} as const

/** The answer to OPTIONS, which a browser asks before a request. `methods` as in `GET, HEAD`. */
export const createPreflightResponse = (methods: string) =>
  new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": "Content-Type, X-Api-Key, Authorization",
      "Access-Control-Max-Age": "86400",
    },
  })
