/** The description of the operator's paths in OpenAPI 3.1. */
import { username } from "../../domain/catalogue/account.ts"
import { noCounts } from "../../domain/feed/import-run.ts"
import {
  identifier,
  type JsonSchema,
  nonEmpty,
  problemsMax,
  text,
  timestamp,
  url,
} from "../../domain/values/shape.ts"
import { failFeed, refusedListedMax } from "../operator-api/feed.ts"
import { failLink } from "../operator-api/links.ts"
import { refuseGuesses, refuseRight } from "../operator-api/token.ts"
import { exampleQuota, makeFailuresElsewhere } from "./answers.ts"
import { type DocumentOptions, renderHead, renderTags, textsOf } from "./document.ts"
import { readMade, renderResponses } from "./responses.ts"
import { exactly } from "./schemas.ts"
import type { Texts } from "./translations/en.ts"
import { operatorTypes, renderWebhooks } from "./webhooks.ts"

export async function createOperatorDocument(options: DocumentOptions): Promise<object> {
  const common = textsOf[options.locale]
  const texts = { ...common, statuses: { ...common.statuses, ...common.operatorStatuses } }
  return {
    ...renderHead(options, texts.operator, true),
    tags: renderTags(["Feed", "Authors", "Webhooks"], texts),
    security: [{ operator: [] }],
    paths: {
      "/operator/feed": { post: await renderPushFeed(texts) },
      "/operator/links": { post: await renderCreateLink(texts) },
    },
    webhooks: renderWebhooks(operatorTypes, texts),
    components: {
      securitySchemes: {
        operator: { type: "http", scheme: "bearer", description: texts.security.operator },
      },
    },
  }
}

const count = { type: "integer", format: "int64", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

const problemList = {
  type: "array",
  items: exactly({ member: nonEmpty.schema, reason: nonEmpty.schema }),
  minItems: 1,
  maxItems: problemsMax,
}

/** `type` and `identity` are there as far as the line names them. */
const refusedLine: JsonSchema = {
  type: "object",
  properties: {
    line: identifier.schema,
    type: text.schema,
    identity: text.schema,
    member: nonEmpty.schema,
    reason: nonEmpty.schema,
    problems: problemList,
  },
  required: ["line", "member", "reason", "problems"],
  additionalProperties: false,
}

const defaultedLine: JsonSchema = {
  type: "object",
  properties: {
    line: identifier.schema,
    type: text.schema,
    identity: text.schema,
    problems: problemList,
  },
  required: ["line", "problems"],
  additionalProperties: false,
}

const summaryMembers = {
  accepted: count,
  adjusted: count,
  waiting: count,
  rejected: count,
  removed: count,
  revoked: count,
  restored: count,
  seconds: { type: "number", minimum: 0 },
  refused: { type: "array", items: refusedLine, maxItems: refusedListedMax },
}
/** The others are there only where there are any. */
const summary = {
  ...exactly(summaryMembers),
  properties: {
    ...summaryMembers,
    outdated: count,
    defaulted: count,
    ahead: exactly({ records: count, seconds: count }),
    problem: nonEmpty.schema,
    defaults: { type: "array", items: defaultedLine, maxItems: refusedListedMax },
  },
}

/** A number of records, or a share of all of them. */
const allowance = { type: "string", pattern: "^[0-9]{1,15}(\\.[0-9]{1,3})?%?$", maxLength: 20 }
const problems = [{ member: "currency", reason: "must be three letters" }]
const taken = { ...noCounts, accepted: 1, seconds: 0.004, refused: [] }
const refused = {
  ...noCounts,
  rejected: 1,
  seconds: 0.004,
  refused: [{ line: 1, type: "item", identity: "1229", ...problems[0], problems }],
}
const deletion = '{"type":"purchase","purchase_code":"test-regular","deleted":true}\n'
const feedFailures = [400, 401, 405, 408, 503] as const
const linkFailures = [400, 401, 403, 404, 405, 413, 503] as const

async function renderPushFeed(texts: Texts): Promise<object> {
  const responses = [
    Response.json(taken),
    Response.json(refused, { status: 422 }),
    ...feedFailures.map((status) => failFeed(status)),
    refuseRight("feed"),
    refuseGuesses(failFeed, exampleQuota),
  ]
  return {
    operationId: "pushFeed",
    tags: ["Feed"],
    ...texts.operations.push_feed,
    parameters: (["max_deletes", "max_revokes"] as const).map((name) => ({
      name,
      in: "query",
      description: texts.limits[name],
      schema: allowance,
      example: "5%",
    })),
    requestBody: {
      required: true,
      content: { "application/x-ndjson": { schema: text.schema, example: deletion } },
    },
    responses: await describeAnswers(responses, summary, texts),
  }
}

/** Those that the path gives, and those where there is no operator token at all. */
async function describeAnswers(responses: readonly Response[], success: JsonSchema, texts: Texts) {
  const answers = await Promise.all(responses.map((response) => readMade("en", response)))
  const elsewhere = await makeFailuresElsewhere(["unknown_path"])
  return renderResponses([...answers, ...elsewhere], () => success, texts)
}

const link = exactly({ url: url.schema, expires_at: timestamp.schema })
const exampleLink = {
  url: "https://api.example.com/login/link/Zr3mKfQ0m1n6Cw2yT8aVbX5hJ9pLdEsGuRoNiBkAqWc",
  expires_at: "2026-01-31T14:02:00Z",
}

async function renderCreateLink(texts: Texts): Promise<object> {
  const responses = [
    Response.json(exampleLink, { headers: { "Cache-Control": "no-store" } }),
    ...linkFailures.map((status) => failLink(status)),
    refuseRight("links"),
    refuseGuesses(failLink, exampleQuota),
  ]
  return {
    operationId: "createLink",
    tags: ["Authors"],
    ...texts.operations.create_link,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: { username: username.schema },
            required: ["username"],
          },
          example: { username: "ada" },
        },
      },
    },
    responses: await describeAnswers(responses, link, texts),
  }
}
