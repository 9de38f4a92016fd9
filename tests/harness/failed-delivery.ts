import { formatTimestamp } from "../../src/platform/time.ts"
import { evaluateAttempt } from "../../src/webhooks/delivery.ts"
import type { Program } from "./program.ts"

/** A test event of the endpoint whose delivery has failed for good. */
export async function failDelivery(
  { app }: Program,
  endpointId: string,
  nowMs: number,
): Promise<void> {
  const { messages } = app.store
  await messages.insertTest(endpointId, formatTimestamp(new Date(nowMs)))
  const due = (await messages.listDue(nowMs, true)).flatMap(({ messageIds }) => messageIds)
  const attempt = { status: 500, problem: null, response: "broken", durationMs: 12 }
  for (const message of await messages.lease(due, nowMs, nowMs)) {
    await messages.completeAttempt(message, attempt, nowMs, (earlier) => ({
      ...evaluateAttempt(attempt, 1, earlier, { nowMs, random: 0.5 }),
      state: "failed",
      nextAtMs: null,
    }))
  }
}
