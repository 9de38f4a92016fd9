import { formatCount } from "../../domain/values/text.ts"
import type { CommandContext } from "./command.ts"

const everyMs = 200

/** Shows the number of records, records per second and, if the size is known, the time left. */
export function createProgress(
  { showProgress }: Pick<CommandContext, "showProgress">,
  sizeBytes: number | null,
) {
  const startedAt = performance.now()
  let shownAt = startedAt
  return {
    show(records: number, bytes: number, details: string): void {
      const at = performance.now()
      if (at - shownAt < everyMs) return
      shownAt = at
      const seconds = (at - startedAt) / 1000
      const rate = `${formatCount(Math.round(records / seconds))} records/s`
      const left = sizeBytes === null ? [] : [timeLeft(bytes / sizeBytes, seconds)]
      showProgress([`${formatCount(records)} done`, details, rate, ...left].join(" · "))
    },
    end: () => showProgress(""),
  }
}

function timeLeft(share: number, seconds: number): string {
  const left = share > 0 ? Math.ceil((seconds / share) * (1 - share)) : 0
  return `${Math.floor(share * 100)} % · ${left} s left`
}
