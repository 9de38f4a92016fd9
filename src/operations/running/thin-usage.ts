import type { CountStore } from "../../domain/usage/counts.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { batchRowsMax, type Forgetting } from "./forget-expired.ts"

export type Thinning = Pick<Forgetting, "now" | "pause"> &
  Readonly<{ counts: Pick<CountStore, "thin"> }>

/** Goes through the usage of all keys, in small batches. */
export async function thinUsage({ counts, now, pause }: Thinning): Promise<void> {
  const at = formatTimestamp(now())
  let after = await counts.thin(at, "", batchRowsMax)
  while (after !== null) {
    await pause()
    after = await counts.thin(at, after, batchRowsMax)
  }
}
