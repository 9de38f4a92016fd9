import { rejectionDays } from "../../../domain/rejections.ts"
import { formatTimestamp } from "../../../domain/timestamp.ts"
import { createWorkQueue, untilNextTurn } from "../../../domain/work-queue.ts"
import { listShippedKeys } from "../../../operations/list-shipped-keys.ts"
import { type ConsoleApp, viewOf } from "../console-context.ts"
import { trafficPath } from "../console-paths.ts"
import { TrafficPage } from "../pages/traffic-page.tsx"
import type { ConsoleServices } from "../services.ts"
import { listPeriods, periodsOf, spans } from "../traffic-facts.ts"

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
