/** An example of each event, for the documentation. */
import { examplePurchase } from "../catalogue/sample-world.ts"
import { type EventData, renderEvent, testEventType } from "./event.ts"

export type DocumentedType = keyof EventData

const key = { key_id: "key_4kT9wQzL2mXb7RcD", name: "Theme updater" }
const at = "2026-11-17T08:00:00Z"

const examples: EventData = {
  "purchase.created": { purchase: examplePurchase },
  "purchase.changed": { purchase: examplePurchase },
  "purchase.revoked": { purchase: examplePurchase },
  "purchase.restored": { purchase: examplePurchase },
  "site.refused": { purchase_code: "test-regular", site: "shop.example.com", limit: 2 },
  "key.leaked": key,
  "key.called_after_stop": key,
  "account.invited": {
    email: "sample@example.com",
    url: "https://market.example.com/invite/9sJ2xVbQ",
  },
  "import.failed": { source: "sales.ndjson", via: "file", problem: "line 7 is not valid JSON" },
  "pull.overdue": { name: "shop", due_at: at, last_success_at: "2026-11-16T08:00:00Z" },
  [testEventType]: { endpoint_id: "ep_1c2V3b4N5m6Q7w8E" },
}

/** Those that are told of no author, so that operators get no name with them. */
const isOfNobody = (type: DocumentedType) =>
  type === "import.failed" || type === "pull.overdue" || type === testEventType

/** The body as it is sent. */
export const renderExample = (type: DocumentedType, audience: "author" | "operator"): string =>
  renderEvent(
    {
      type,
      at,
      username: isOfNobody(type) ? null : "sample",
      data: JSON.stringify(examples[type]),
    },
    audience,
  )
