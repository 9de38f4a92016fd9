/** Turns a result into an outcome: 304 if the client has it, else bytes from the cache or a new body. */
import { belongsOnServer } from "../../domain/api-key.ts"
import type { Awaitable } from "../../domain/awaitable.ts"
import { DomainError } from "../../domain/error.ts"
import { unlimited } from "../../domain/rate-limits.ts"
import type { SignatureHeaders } from "../../domain/signed-answer.ts"
import { authenticate } from "../../operations/authenticate.ts"
import { performOperation } from "../../operations/operation.ts"
import { type Body, type Bytes, bytesOf, isStream, readWhole, streamOf } from "./body-bytes.ts"
import { acceptsGzip, gzipBytesMin } from "./compression.ts"
import type { Question } from "./endpoint.ts"
import { entityTag, matchesTag } from "./entity-tag.ts"
import { type Locale, openings } from "./messages.ts"
import type { Outcome } from "./outcome.ts"
import { entryBytesMax } from "./response-cache.ts"

export function renderResult<Input, Found, Result>(
  question: Question<Input, Found, Result>,
  result: Result,
): Awaitable<Outcome> {
  const { endpoint, call, variant } = question
  const contentVersion = endpoint.contentVersion(result)
  if (contentVersion !== null) {
    const tag = findKeptTag(call.request.headers, contentVersion, variant.locale)
    if (tag !== null) return success(question, 304, null, tag, false)
    const cached = endpoint.usesResponseCache ? findCached(question, contentVersion) : null
    if (cached !== null) return question.api.inOwnTurn(() => cached)
  }
  const body = endpoint.render(result, openings[variant.locale])
  return body instanceof Promise
    ? body.then((rendered) => encode(question, rendered, contentVersion))
    : encode(question, body, contentVersion)
}

const success = <Input, Found, Result>(
  { variant, key, purchase }: Question<Input, Found, Result>,
  status: 200 | 304,
  body: Outcome["body"],
  tag: string | null,
  isGzip: boolean,
  signature: SignatureHeaders | null = null,
): Outcome => ({
  status,
  reason: "ok",
  variant,
  keyId: key.id,
  isKeyAccepted: true,
  hasServerKey: belongsOnServer(key),
  purchase,
  body,
  tag,
  isGzip,
  signature,
  quota: null,
  fault: null,
  isLast: false,
})

/** The tag of a copy that the client has and that is still current. */
function findKeptTag(headers: Headers, contentVersion: string, locale: Locale): string | null {
  const ifNoneMatch = headers.get("if-none-match")
  if (ifNoneMatch === null) return null
  const plain = entityTag(contentVersion, locale, false)
  if (matchesTag(ifNoneMatch, plain)) return plain
  const packed = mayGzip(headers) ? entityTag(contentVersion, locale, true) : null
  return packed !== null && matchesTag(ifNoneMatch, packed) ? packed : null
}

const mayGzip = (headers: Headers) => acceptsGzip(headers.get("accept-encoding"))

function findCached<Input, Found, Result>(
  question: Question<Input, Found, Result>,
  contentVersion: string,
): Outcome | null {
  const { api, call, variant } = question
  const isGzip = mayGzip(call.request.headers)
  const tag = entityTag(contentVersion, variant.locale, isGzip)
  const body = api.cache.get(tag, () => load(question, contentVersion, isGzip))
  return body === null ? null : success(question, 200, body, tag, isGzip)
}

/** Null when the content changed while it was read, or is too short or too long for the cache. */
async function load<Input, Found, Result>(
  { endpoint, api, catalogue, key, input, variant }: Question<Input, Found, Result>,
  contentVersion: string,
  isGzip: boolean,
): Promise<Bytes | null> {
  const find = () => performOperation(endpoint, catalogue, key, input)
  const result = await find()
  if (endpoint.contentVersion(result) !== contentVersion) return null
  const body = await endpoint.render(result, openings[variant.locale])
  const bytes = await readWhole(body, entryBytesMax)
  const isUnchanged = endpoint.contentVersion(await find()) === contentVersion
  if (!isUnchanged || bytes === null || bytes.length < gzipBytesMin) return null
  return isGzip ? api.compression.compress(bytes) : bytes
}

function encode<Input, Found, Result>(
  question: Question<Input, Found, Result>,
  body: Body,
  contentVersion: string | null,
): Awaitable<Outcome> {
  const { api, call, variant } = question
  const isLong = isStream(body) || body.length >= gzipBytesMin
  const isGzip = isLong && mayGzip(call.request.headers)
  const tag = contentVersion === null ? null : entityTag(contentVersion, variant.locale, isGzip)
  const signature = typeof body === "string" ? question.sign(200, "ok", body) : null
  const answer = (sent: Outcome["body"]) => success(question, 200, sent, tag, isGzip, signature)
  if (isStream(body)) {
    return answer(
      streamWhileAdmitted(question, isGzip ? api.compression.compressPieces(body) : body),
    )
  }
  if (!isGzip) return answer(body)
  const compressing = api.compression.compress(bytesOf(body))
  return compressing instanceof Promise ? compressing.then(answer) : answer(compressing)
}

/** Reading a long list can take minutes: the key is checked again before each piece. */
function streamWhileAdmitted<Input, Found, Result>(
  { api, call, secret, key }: Question<Input, Found, Result>,
  pieces: AsyncIterable<Bytes>,
): ReadableStream<Bytes> {
  // The list was counted when it began.
  const again = { ...api, ...unlimited }
  async function assertAdmitted(): Promise<void> {
    const { accountId } = await authenticate(again, secret, call)
    if (accountId !== key.accountId) throw new DomainError("unknown_key")
  }
  return streamOf(pieces, assertAdmitted, (fault) => call.onBroken(call.trace, fault))
}
