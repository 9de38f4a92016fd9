import { formatTimestamp } from "../domain/timestamp.ts"
import type { TrafficStore } from "../domain/traffic.ts"
import { batchRowsMax, type Forgetting } from "./forget-expired.ts"

export type TrafficThinning = Pick<Forgetting, "now" | "pause"> &
  Readonly<{ traffic: Pick<TrafficStore, "thin"> }>

/** Turns old hours into days, in small batches. */
export async function thinTraffic({ traffic, now, pause }: TrafficThinning): Promise<void> {
  const at = formatTimestamp(now())
  while ((await traffic.thin(at, batchRowsMax)) > 0) await pause()
}
