import { renderData } from "../../domain/events/event.ts"
import type { MessageStore } from "../../domain/events/message.ts"
import { dueMsOf, isOverdue, type PullStore } from "../../domain/feed/pull.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"

type OverduePullServices = Readonly<{
  pulls: Pick<PullStore, "list">
  messages: Pick<MessageStore, "enqueue">
  now: () => Date
}>

/** Once per pull until it succeeds again, on whatever node. */
export async function enqueueOverduePulls({
  pulls,
  messages,
  now,
}: OverduePullServices): Promise<void> {
  const nowMs = now().getTime()
  const overdue = (await pulls.list()).filter((pull) => isOverdue(pull, nowMs))
  for (const pull of overdue) {
    const { name, lastSuccessAt } = pull
    const data = renderData("pull.overdue", {
      name,
      due_at: formatTimestamp(new Date(dueMsOf(pull, nowMs) ?? nowMs)),
      ...(lastSuccessAt === null ? {} : { last_success_at: lastSuccessAt }),
    })
    const idempotencyKey = `pull.overdue ${lastSuccessAt ?? "never"} ${name}`
    const at = formatTimestamp(now())
    await messages.enqueue({ type: "pull.overdue", at, account: null, data, idempotencyKey })
  }
}
