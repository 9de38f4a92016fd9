/** Tells the operator what a full feed removed, and why it did not. */
import type { StayingRecord } from "../../domain/feed/feed.ts"
import type { CommandContext } from "../frame/command.ts"

/** More are only counted. */
const stayingListedMax = 20

export function followRemoval(context: Pick<CommandContext, "tell">) {
  const listed: StayingRecord[] = []
  let others = 0
  return {
    onStaying(record: StayingRecord): void {
      if (listed.length < stayingListedMax) listed.push(record)
      else others += 1
    },
    /** Called once, at the end. */
    tell(problem: string | null): void {
      if (problem !== null) context.tell(`The feed removed nothing: ${problem}.`)
      for (const { kind, identity, reason } of listed) {
        context.tell(`${kind} ${identity} is not in the feed, but stays: ${reason}`)
      }
      if (others > 0) context.tell(`${others} more records that are not in the feed stay.`)
    },
  }
}
