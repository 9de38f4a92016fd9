import type { Endpoint, NewEvent } from "../../src/webhooks/webhook.ts"

export const endpointRecord = (id: string, changes: Partial<Endpoint> = {}): Endpoint => ({
  id,
  accountId: null,
  url: "https://shop.example.com/hook",
  events: null,
  createdAt: "2026-06-01T08:00:00Z",
  encrypted: new Uint8Array([1, 2, 3]),
  oldSecret: null,
  disabled: null,
  pendingMessages: 0,
  failingSince: null,
  attemptedAt: null,
  ...changes,
})

/** An event for operators only. */
export const overdue = (name: string, changes: Partial<NewEvent> = {}): NewEvent => ({
  type: "pull.overdue",
  at: "2026-06-02T08:00:00Z",
  account: null,
  data: JSON.stringify({ name }),
  ...changes,
})
