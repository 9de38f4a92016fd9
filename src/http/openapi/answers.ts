/** Every answer that an operation can give, in both languages. */
import type { Signature } from "../../domain/keys/signing-key.ts"
import type { Quota } from "../../domain/running/rate-limits.ts"
import { DomainError, type Failure } from "../../domain/values/error.ts"
import { type Locale, locales } from "../api/answer/messages.ts"
import { failureOutcome, type Outcome, success, type Variant } from "../api/answer/outcome.ts"
import { allowedMethods, createResponder } from "../api/answer/response.ts"
import type { Trace } from "../request/handler.ts"
import { type DescribedOperation, exampleKey } from "./operations.ts"
import { exampleTag } from "./parameters.ts"
import { type MadeAnswer, readMade } from "./responses.ts"

/** Any operation may answer with these. */
export const commonFailures: readonly Failure[] = [
  ...(["missing_key", "unknown_key", "revoked_key", "expired_key"] as const),
  "account_suspended",
  ...(["method_not_allowed", "rate_limited", "unavailable"] as const),
]

export async function makeAnswers(operation: DescribedOperation): Promise<readonly MadeAnswer[]> {
  const { method, failures } = operation
  const respond = createResponder({ ...operation, allow: allowedMethods(method), common: {} })
  const errors = errorsOf([...commonFailures, ...failures])
  const inEach = locales.map(async (locale) => {
    const variant = variantOf(locale)
    const example = { variant, key: exampleKey, purchase: null }
    const tag = operation.isTagged ? exampleTag : null
    const outcomes = [
      success(example, 200, await operation.renderExample(locale), tag, false),
      ...(operation.isTagged ? [success(example, 304, null, tag, false)] : []),
      ...errors.map((error) => failureOutcome(error, operation.operation, variant, null)),
    ]
    const isSigned = operation.parameters.includes("nonce")
    const toServers = operation.isCrossOrigin ? outcomes.map(withServerKey(isSigned)) : []
    const all = [...outcomes, ...toServers, ...withQuotas(outcomes, operation)]
    return Promise.all(all.map((outcome) => readMade(locale, respond(outcome, exampleTrace))))
  })
  return (await Promise.all(inEach)).flat()
}

/** The answers to these errors on a path that is no operation, and to a bug there. */
export async function makeFailuresElsewhere(
  failures: readonly Failure[],
): Promise<readonly MadeAnswer[]> {
  const respond = createResponder({
    cacheControl: "no-store",
    allow: "",
    isCrossOrigin: false,
    common: {},
  })
  const outcomes = locales.flatMap((locale) =>
    errorsOf(failures).map((error) => failureOutcome(error, null, variantOf(locale), null)),
  )
  return Promise.all(
    outcomes.map((outcome) => readMade(outcome.variant.locale, respond(outcome, exampleTrace))),
  )
}

/** These, and a bug. */
export const errorsOf = (failures: readonly Failure[]) => [
  ...failures.map((reason) => new DomainError(reason)),
  new Error("a bug"),
]

const variantOf = (locale: Locale): Variant => ({
  locale,
  isLocaleNegotiated: true,
  keyHeaders: "",
})

export const exampleTrace: Trace = {
  id: "019a8b1c-7d2e-7f00-8a3b-4c5d6e7f8091",
  startedAtMs: 0,
  method: "GET",
  route: "read_item",
}

/** Those answers that tell what is left of a rate limit, which may be off. */
export const withQuotas = (
  outcomes: readonly Outcome[],
  { operation }: Pick<DescribedOperation, "operation">,
): readonly Outcome[] => {
  const countsMisses = operation === "validate_purchase" || operation === "release_site"
  const telling = countsMisses ? [404, 429] : [200, 304, 400, 404, 429, 500, 503]
  return outcomes
    .filter(({ status }) => telling.includes(status))
    .map((outcome) => ({ ...outcome, quota: exampleQuota }))
}

/** Only the names of its headers count: the description has a pattern for each value. */
export const exampleQuota: Quota = {
  limit: "reads",
  rate: { intervalMs: 1_000, burst: 5 },
  remaining: 0,
  resetSeconds: 5,
  retryAfterSeconds: 1,
}

/** The same answer to a client with a key that belongs on a server and, if the operation takes one, a nonce. */
const withServerKey =
  (isSigned: boolean) =>
  (outcome: Outcome): Outcome => ({
    ...outcome,
    hasServerKey: true,
    signature: isSigned && (outcome.status === 200 || outcome.status === 404) ? signature : null,
  })

/** Only the names count: the description has a pattern for each value. */
const signature: Signature = {
  "Unencoded-Digest": "",
  "Pazar-Question": "",
  "Signature-Input": "",
  Signature: "",
}
