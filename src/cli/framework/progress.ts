/** For commands that work for long. */
import { formatCount } from "../../domain/values/text.ts"
import type { CommandContext } from "./command.ts"

const everyMs = 200

/** Records a second, how many so far, and the time left where the size is known. */
export function createProgress(
  { showProgress }: Pick<CommandContext, "showProgress">,
  sizeBytes: number | null,
) {
  const startedAt = performance.now()
  let shownAt = startedAt
  return {
    show(records: number, bytes: number, note: string): void {
      const at = performance.now()
      if (at - shownAt < everyMs) return
      shownAt = at
      const seconds = (at - startedAt) / 1000
      const rate = `${formatCount(Math.round(records / seconds))} records/s`
      const left = sizeBytes === null ? [] : [timeLeft(bytes / sizeBytes, seconds)]
      showProgress([`${formatCount(records)} done`, note, rate, ...left].join(" · "))
    },
    /** Clears the line for the next output. */
    end: () => showProgress(""),
  }
}

function timeLeft(share: number, seconds: number): string {
  const left = share > 0 ? Math.ceil((seconds / share) * (1 - share)) : 0
  return `${Math.floor(share * 100)} % · ${left} s left`
}
