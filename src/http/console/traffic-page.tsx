/** The requests of all authors: by day, error code and operation, and keys that look shipped. */

import type { WidelyUsedKey } from "../../domain/usage/operator-reads.ts"
import { callsOf, filterLog, summarizeDays, summarizeOperations } from "../../domain/usage/usage.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { listShippedKeys } from "../../operations/keys/key-operations.ts"
import { type Column, DataTable } from "../pages/components/data-table.tsx"
import { parseRange } from "../pages/components/date-range.tsx"
import { displayName, Panel } from "../pages/components/elements.tsx"
import { addFailureList } from "../pages/components/failed-requests.tsx"
import { groupColumns, RequestsChart } from "../pages/components/usage-chart.tsx"
import type { PageApp, View } from "../pages/page-context.ts"
import { workspaceOf } from "../pages/paths.ts"
import { pageOf } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

/** Keys in the list, to fit on a screen. */
const shippedMax = 20

export function addTrafficRoutes(app: PageApp, services: ConsoleServices): void {
  const { failedRequests, usage, operatorReads, now } = services

  addFailureList(app, paths.traffic, async (c, { error, ...query }) => {
    const view = c.var.view
    const at = formatTimestamp(now())
    const range = parseRange(query, at)
    const calls = await usage.listOfAll(range)
    const reasons = new Set(calls.flatMap(({ outcome }) => (outcome === "ok" ? [] : outcome)))
    const chosen = [...reasons].filter((reason) => error === "" || reason === error)
    const log = await failedRequests.listOfAll(chosen, at)
    const shipped = await listShippedKeys(operatorReads, at, shippedMax)
    const days = summarizeDays(range, calls)
    return {
      failures: { range, counts: calls, log: filterLog(log, range, null), keys: new Map() },
      pathOfAuthor: paths.author,
      page: (title, content) => pageOf(view, title ?? view.texts.traffic.title)(content),
      chart: <RequestsChart view={view} range={range} days={days} logPath={paths.traffic} />,
      more: (
        <>
          <Operations view={view} calls={calls} />
          <ShippedKeys view={view} shipped={shipped} />
        </>
      ),
    }
  })
}

type OperationsProps = Readonly<{ view: View; calls: Parameters<typeof summarizeOperations>[0] }>

const Operations = ({ view, calls }: OperationsProps) => {
  const { columns, keyPages, log, overview, traffic } = view.texts
  if (calls.length === 0) return null
  return (
    <Panel id="operations" title={traffic.byOperation}>
      <DataTable
        view={view}
        rows={summarizeOperations(calls)}
        columns={[
          {
            head: log.operation,
            isWide: true,
            value: ({ operation }) => keyPages.operations[operation],
          },
          { head: columns.requests, kind: "number", value: callsOf },
          ...groupColumns(view, overview.groups),
        ]}
      />
    </Panel>
  )
}

const ShippedKeys = ({ view, shipped }: { view: View; shipped: readonly WidelyUsedKey[] }) => {
  const { authors, columns, keys, traffic } = view.texts
  const shippedColumns: readonly Column<WidelyUsedKey>[] = [
    { head: columns.key, isWide: true, value: ({ id, name }) => displayName(name, id) },
    { head: view.texts.keyPages.table.kind, value: ({ kind }) => keys.shortKinds[kind] },
    { head: authors.author, value: ({ username }) => username },
    { head: traffic.ipRanges, kind: "number", value: ({ ipRanges }) => ipRanges },
  ]
  const linkOf = ({ id, username }: WidelyUsedKey) => workspaceOf(username).key(id)
  return (
    <Panel id="shipped" title={traffic.shipped}>
      <p class="hint">{shipped.length === 0 ? traffic.noShipped : traffic.shippedHint}</p>
      {shipped.length > 0 && (
        <DataTable view={view} rows={shipped} columns={shippedColumns} linkOf={linkOf} />
      )}
    </Panel>
  )
}
