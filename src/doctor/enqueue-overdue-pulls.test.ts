import { expect, test } from "bun:test"
import type { Pull } from "../feed/import-run.ts"
import type { NewEvent } from "../webhooks/webhook.ts"
import { enqueueOverduePulls } from "./alerts.ts"

const pull = (name: string, lastSuccessAt: string | null): Pull => ({
  name,
  everySeconds: 300,
  firstRoundAt: "2026-06-01T08:00:00Z",
  lastScheduledAt: "2026-06-01T11:58:00Z",
  lastReadAt: lastSuccessAt,
  lastSuccessAt,
  problem: null,
})

test("pull.overdue is enqueued once each time a pull becomes overdue", async () => {
  const enqueued: NewEvent[] = []
  await enqueueOverduePulls({
    pulls: {
      list: async () => [
        pull("late.json", "2026-06-01T09:00:00Z"),
        pull("never.json", null),
        pull("fine.json", "2026-06-01T11:58:00Z"),
      ],
    },
    messages: {
      async enqueue(event) {
        enqueued.push(event)
      },
    },
    now: () => new Date("2026-06-01T12:00:00Z"),
  })
  expect(enqueued.map(({ data, idempotencyKey: once }) => [JSON.parse(data), once])).toEqual([
    [
      {
        name: "late.json",
        due_at: "2026-06-01T09:20:00Z",
        last_success_at: "2026-06-01T09:00:00Z",
      },
      "pull.overdue 2026-06-01T09:00:00Z late.json",
    ],
    [{ name: "never.json", due_at: "2026-06-01T08:20:00Z" }, "pull.overdue never never.json"],
  ])
})
