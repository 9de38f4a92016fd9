/** The requests of all authors: by day, error code and operation, and keys that look shipped. */
import { paths, workspaceOf } from "../access/paths.ts"
import type { WidelyUsedKey } from "../keys/key.ts"
import { listShippedKeys } from "../keys/key-operations.ts"
import type { PageApp, View } from "../platform/pages/context.ts"
import { type Column, DataTable } from "../platform/pages/data-table.tsx"
import { parseRange } from "../platform/pages/date-range.tsx"
import { displayName, Panel } from "../platform/pages/elements.tsx"
import { formatTimestamp } from "../platform/time.ts"
import { addFailureList } from "../usage/failed-requests.tsx"
import { groupColumns, RequestsChart } from "../usage/request-chart.tsx"
import { callsOf, filterLog, summarizeDays, summarizeOperations } from "../usage/usage.ts"
import { pageOf } from "./frame.tsx"
import type { ConsoleServices } from "./services.ts"

/** Keys in the list, to fit on a screen. */
const shippedMax = 20

export function addTrafficRoutes(app: PageApp, services: ConsoleServices): void {
  const { failedRequests, usage, keySearch, now } = services

  addFailureList(app, paths.traffic, async (c, { error, ...query }) => {
    const view = c.var.view
    const at = formatTimestamp(now())
    const range = parseRange(query, at)
    const calls = await usage.listOfAll(range)
    const reasons = new Set(calls.flatMap(({ outcome }) => (outcome === "ok" ? [] : outcome)))
    const chosen = [...reasons].filter((reason) => error === "" || reason === error)
    const log = await failedRequests.listOfAll(chosen, at)
    const shipped = await listShippedKeys(keySearch, at, shippedMax)
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
