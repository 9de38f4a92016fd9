/** Warns of proxies that are not listed: all callers behind one share its address, and its limits. */
import { networkOf } from "../../domain/values/network.ts"
import type { Log } from "../../log/log.ts"

const tellEveryMs = 3_600_000
/** Anybody can send the header, so at most this many networks are logged in an hour. */
const networksMax = 20

/** Call the returned function with every peer that sends `X-Forwarded-For` and is not trusted. */
export function createProxyWarning(
  log: Pick<Log, "warn">,
  nowMs: () => number = () => performance.now(),
): (peer: string) => void {
  const told = new Set<string>()
  let hourEndsAtMs = 0
  return (peer) => {
    if (nowMs() >= hourEndsAtMs) {
      told.clear()
      hourEndsAtMs = nowMs() + tellEveryMs
    }
    if (told.size >= networksMax) return
    const network = networkOf(peer)
    if (told.has(network)) return
    told.add(network)
    log.warn("X-Forwarded-For of an unlisted proxy", {
      ...{ network, setting: "PAZAR_TRUSTED_PROXIES" },
    })
  }
}
