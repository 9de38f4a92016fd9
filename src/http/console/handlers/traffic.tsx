import { rejectionDays } from "../../../domain/usage/rejections.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { createWorkQueue, untilNextTurn } from "../../../domain/values/work-queue.ts"
import { listShippedKeys } from "../../../operations/keys/list-shipped-keys.ts"
import { type ConsoleApp, viewOf } from "../frame/console-context.ts"
import { trafficPath } from "../frame/console-paths.ts"
import type { ConsoleServices } from "../frame/services.ts"
import { listPeriods, periodsOf, spans } from "../frame/traffic-facts.ts"
import { TrafficPage } from "../pages/traffic-page.tsx"

/** Keys and accounts in a list: what fits on a screen. */
const rowsMax = 20

export function addTrafficRoutes(app: ConsoleApp, { store, wallClock }: ConsoleServices): void {
  // An embedded store answers no other request while it reads.
  const queue = createWorkQueue(1, untilNextTurn)

  app.get(trafficPath, async (c) => {
    const span = spans.find((each) => each === c.req.query("span")) ?? "day"
    const { since, periods } = periodsOf(span, wallClock())
    const at = formatTimestamp(wallClock())
    const by = span === "month" ? "day" : "hour"
    const [totals, requests, rejectedKeys, rejectedAccounts, shipped] = await Promise.all([
      queue(() => store.traffic.listTotals(since, by)),
      queue(() => store.traffic.listRequests(since, by)),
      queue(() => store.rejections.listKeys(at, rejectionDays, rowsMax)),
      queue(() => store.rejections.listAccounts(at, rejectionDays, rowsMax)),
      queue(() => listShippedKeys(store.operatorReads, at, rowsMax)),
    ])
    return c.html(
      <TrafficPage
        {...{ view: viewOf(c), span, since, totals, rejectedKeys, rejectedAccounts, shipped }}
        periods={listPeriods(periods, requests)}
      />,
    )
  })
}
