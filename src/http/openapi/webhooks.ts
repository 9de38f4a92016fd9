/** The events that endpoints are sent, as OpenAPI describes them. */
import { purchaseMembers } from "../../domain/catalogue/purchase.ts"
import { authorEventTypes, operatorEventTypes, testEventType } from "../../domain/events/event.ts"
import { type DocumentedType, renderExample } from "../../domain/events/example-events.ts"
import {
  identifier,
  type JsonSchema,
  nonEmpty,
  record,
  shortText,
  text,
  timestamp,
  url,
} from "../../domain/values/shape.ts"
import { exactly, oneOf, refer } from "./schemas.ts"
import type { Texts } from "./translations/en.ts"

export const authorTypes: readonly DocumentedType[] = [...authorEventTypes, testEventType]
/** Those that only operators are told of. */
export const operatorTypes = operatorEventTypes.filter(
  (type) => !authorEventTypes.some((each) => each === type),
)

/** Of an item that was deleted before the delivery. */
const deletedItem = record({ id: identifier, name: shortText })
const ofPurchase = {
  purchase: {
    anyOf: [refer("Purchase"), record({ ...purchaseMembers, item: deletedItem }).schema],
  },
}
const ofKey = { key_id: nonEmpty.schema, name: text.schema }

const members: Readonly<Record<DocumentedType, Readonly<Record<string, JsonSchema>>>> = {
  "purchase.created": ofPurchase,
  "purchase.changed": ofPurchase,
  "purchase.revoked": ofPurchase,
  "purchase.restored": ofPurchase,
  "site.refused": {
    purchase_code: nonEmpty.schema,
    site: nonEmpty.schema,
    limit: { type: "integer", format: "int32", minimum: 1, maximum: 200 },
  },
  "key.leaked": ofKey,
  "key.called_after_stop": ofKey,
  "account.invited": { username: nonEmpty.schema, email: nonEmpty.schema, url: url.schema },
  "import.failed": { source: text.schema, via: nonEmpty.schema, problem: nonEmpty.schema },
  "pull.overdue": {
    name: nonEmpty.schema,
    due_at: timestamp.schema,
    last_success_at: timestamp.schema,
  },
  [testEventType]: { endpoint_id: nonEmpty.schema },
}

/** Whether an operator's data begins with the name of the author. */
const isOfAuthor = (type: DocumentedType) => authorEventTypes.some((each) => each === type)

function dataOf(type: DocumentedType, texts: Texts): JsonSchema {
  const schema = exactly(members[type])
  if (type === "pull.overdue") return { ...schema, required: ["name", "due_at"] }
  if (type === "account.invited") return { ...schema, required: ["username", "url"] }
  if (!isOfAuthor(type)) return schema
  const username = { ...nonEmpty.schema, description: texts.webhooks.username }
  return { ...schema, properties: { username, ...members[type] } }
}

const headerNames = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const

const headers: Readonly<Record<(typeof headerNames)[number], JsonSchema>> = {
  "webhook-id": { type: "string", pattern: "^msg_[0-9A-Za-z]+$", maxLength: 64 },
  "webhook-timestamp": { type: "string", pattern: "^[0-9]+$", maxLength: 20 },
  "webhook-signature": {
    type: "string",
    pattern: "^v1,[0-9A-Za-z+/=]{44}( v1,[0-9A-Za-z+/=]{44})?$",
    maxLength: 95,
  },
}

export const camelCase = (type: string) =>
  type.replace(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase())

export const renderWebhooks = (
  types: readonly DocumentedType[],
  texts: Texts,
): Readonly<Record<string, object>> =>
  Object.fromEntries(types.map((type) => [type, { post: renderWebhook(type, texts) }]))

function renderWebhook(type: DocumentedType, texts: Texts): object {
  const words = texts.webhooks
  const audience = operatorTypes.some((each) => each === type) ? "operator" : "author"
  const schema = exactly({
    type: oneOf([type]),
    timestamp: timestamp.schema,
    data: dataOf(type, texts),
  })
  return {
    operationId: camelCase(type),
    tags: ["Webhooks"],
    summary: type,
    description: words.events[type],
    security: [],
    parameters: headerNames.map((name) => ({
      name,
      in: "header",
      required: true,
      description: words[name],
      schema: headers[name],
    })),
    requestBody: {
      description: words.body,
      required: true,
      content: {
        "application/json": { schema, example: JSON.parse(renderExample(type, audience)) },
      },
    },
    responses: { "2XX": { description: words.taken }, "410": { description: words.gone } },
  }
}
