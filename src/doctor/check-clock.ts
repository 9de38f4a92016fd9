import type { StoreChecks } from "../domain/running/store-checks.ts"
import { type Finding, ok, problem, warning } from "./finding.ts"

/** More than the clocks of two machines that are kept in time ever differ. */
const aheadMsMax = 60_000
const differenceMsMax = 5_000

const hint = "Keep the clocks in time with NTP: expiry, sessions and signatures depend on them."

export async function checkClock(
  checks: Pick<StoreChecks, "findNewestTime" | "readClock">,
  now: Date,
): Promise<readonly Finding[]> {
  const newest = await checks.findNewestTime()
  const aheadMs = newest === null ? 0 : Date.parse(newest) - now.getTime()
  if (aheadMs > aheadMsMax) {
    const detail = `it shows ${now.toISOString()}, but the store has an entry of ${newest}`
    return [problem("clock", detail, hint)]
  }
  const server = await checks.readClock()
  const differenceMs = server === null ? 0 : Math.abs(server.getTime() - now.getTime())
  if (differenceMs > differenceMsMax) {
    const detail = `it differs from that of the database by ${Math.round(differenceMs / 1000)} s`
    return [warning("clock", detail, hint)]
  }
  return [ok("clock", "nothing in the store is from the future")]
}
