/** The description of the operator's paths in OpenAPI 3.1. */
import { identifier, type JsonSchema, nonEmpty, problemsMax, text } from "../../domain/shape.ts"
import { type OperatorFailure, respondFailure } from "../operator/failures.ts"
import { refusedListedMax } from "../operator/feed.ts"
import { makeFailuresElsewhere } from "./answers.ts"
import { type DocumentOptions, renderHead, renderTags, textsOf } from "./document.ts"
import { readMade, renderResponses } from "./responses.ts"
import { exactly } from "./schemas.ts"
import type { Texts } from "./translations/en.ts"

export async function createOperatorDocument(options: DocumentOptions): Promise<object> {
  const texts = textsOf[options.locale]
  return {
    ...renderHead(options, texts.operator, true),
    tags: renderTags(["Feed"], texts),
    security: [{ operator: [] }],
    paths: { "/operator/feed": { post: await renderPushFeed(texts) } },
    components: {
      securitySchemes: {
        operator: { type: "http", scheme: "bearer", description: texts.security.operator },
      },
    },
  }
}

const count = { type: "integer", format: "int64", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

const problem = exactly({ member: nonEmpty.schema, reason: nonEmpty.schema })

/** `type` and `identity` are there as far as the line names them. */
const refusedLine: JsonSchema = {
  type: "object",
  properties: {
    line: identifier.schema,
    type: text.schema,
    identity: text.schema,
    member: nonEmpty.schema,
    reason: nonEmpty.schema,
    problems: { type: "array", items: problem, minItems: 1, maxItems: problemsMax },
  },
  required: ["line", "member", "reason", "problems"],
  additionalProperties: false,
}

const summary = exactly({
  accepted: count,
  adjusted: count,
  rejected: count,
  removed: count,
  seconds: { type: "number", minimum: 0 },
  refused: { type: "array", items: refusedLine, maxItems: refusedListedMax },
})

const nothing = { accepted: 0, adjusted: 0, rejected: 0, removed: 0 }
const problems = [{ member: "currency", reason: "must be three letters" }]
const taken = { ...nothing, accepted: 1, seconds: 0.004, refused: [] }
const refused = {
  ...{ ...nothing, rejected: 1, seconds: 0.004 },
  refused: [{ line: 1, type: "item", identity: "1229", ...problems[0], problems }],
}
const deletion = '{"type":"purchase","purchase_code":"test-regular","deleted":true}\n'
const failures: readonly OperatorFailure[] = [400, 401, 405, 408, 503]

async function renderPushFeed(texts: Texts): Promise<object> {
  const responses = [
    Response.json(taken),
    Response.json(refused, { status: 422 }),
    ...failures.map((status) => respondFailure(status, "POST")),
  ]
  const answers = await Promise.all(responses.map((response) => readMade("en", response)))
  return {
    operationId: "pushFeed",
    tags: ["Feed"],
    ...texts.operations.push_feed,
    requestBody: {
      required: true,
      content: { "application/x-ndjson": { schema: text.schema, example: deletion } },
    },
    responses: renderResponses(
      [...answers, ...(await makeFailuresElsewhere(["unknown_path"]))],
      () => summary,
      texts,
    ),
  }
}
