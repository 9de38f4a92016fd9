import { formatTimestamp } from "../domain/timestamp.ts"
import type { UsageStore } from "../domain/usage.ts"
import { batchRowsMax, type Forgetting } from "./forget-expired.ts"

export type Thinning = Pick<Forgetting, "now" | "pause"> &
  Readonly<{ usage: Pick<UsageStore, "thin"> }>

/** Goes through the usage of all keys, in small batches. */
export async function thinUsage({ usage, now, pause }: Thinning): Promise<void> {
  const at = formatTimestamp(now())
  let after = await usage.thin(at, "", batchRowsMax)
  while (after !== null) {
    await pause()
    after = await usage.thin(at, after, batchRowsMax)
  }
}
