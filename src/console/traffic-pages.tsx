/** The requests of all authors: by day, error code and operation, and keys that look shipped. */
import { paths, workspaceOf } from "../access/paths.ts"
import type { WidelyUsedKey } from "../keys/key.ts"
import { type KeySearchServices, shortKeyKindTexts } from "../keys/key-facts.tsx"
import { listShippedKeys } from "../keys/key-operations.ts"

import type { PageApp } from "../platform/pages/context.ts"
import { type Column, column, DataTable } from "../platform/pages/data-table.tsx"
import { parseRange } from "../platform/pages/date-range.tsx"
import { displayName, Panel } from "../platform/pages/elements.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import { groupColumns, outcomeTexts, RequestsChart } from "../usage/request-chart.tsx"
import { addFailureList, operationTexts, type UsagePageServices } from "../usage/request-pages.tsx"
import { callsOf, filterLog, summarizeDays, summarizeOperations } from "../usage/usage.ts"

/** Keys in the list, to fit on a screen. */
const shippedMax = 20

type TrafficServices = UsagePageServices & Pick<KeySearchServices, "keySearch">

export function addTrafficPages(
  app: PageApp,
  { failedRequests, usage, keySearch, now }: TrafficServices,
): void {
  addFailureList(app, paths.traffic, async (_, { error, ...query }) => {
    const at = formatTimestamp(now())
    const range = parseRange(query, at)
    const calls = await usage.listOfAll(range)
    const reasons = new Set(calls.flatMap(({ outcome }) => (outcome === "ok" ? [] : outcome)))
    const chosen = [...reasons].filter((reason) => error === "" || reason === error)
    const log = await failedRequests.listOfAll(chosen, at)
    const shipped = await listShippedKeys(keySearch, at, shippedMax)
    const days = summarizeDays(range, calls)
    return {
      title: t("Traffic"),
      range,
      counts: calls,
      log: filterLog(log, range, null),
      keys: new Map(),
      pathOfAuthor: paths.author,
      chart: <RequestsChart range={range} days={days} logPath={paths.traffic} />,
      more: (
        <>
          <Operations calls={calls} />
          <ShippedKeys shipped={shipped} />
        </>
      ),
    }
  })
}

const Operations = ({ calls }: { calls: Parameters<typeof summarizeOperations>[0] }) => {
  if (calls.length === 0) return null
  return (
    <Panel id="operations" title={t("Requests by operation")}>
      <DataTable
        rows={summarizeOperations(calls)}
        columns={[
          {
            head: t("Operation"),
            isWide: true,
            value: ({ operation }) => t(operationTexts[operation]),
          },
          { head: t("Requests # column"), kind: "number", value: callsOf },
          ...groupColumns(outcomeTexts),
        ]}
      />
    </Panel>
  )
}

const ShippedKeys = ({ shipped }: { shipped: readonly WidelyUsedKey[] }) => {
  const shippedColumns: readonly Column<WidelyUsedKey>[] = [
    column(t("Key"), ({ id, name }) => displayName(name, id), { isWide: true }),
    column(t("Type"), ({ kind }) => t(shortKeyKindTexts[kind])),
    column(t("Author"), ({ username }) => username),
    column(t("IP ranges, 7 days"), ({ ipRanges }) => ipRanges, { kind: "number" }),
  ]
  const linkOf = ({ id, username }: WidelyUsedKey) => workspaceOf(username).key(id)
  return (
    <Panel id="shipped" title={t("Secret keys that look shipped")}>
      <p class="hint">
        {shipped.length === 0
          ? t("No secret key looks shipped.")
          : t(
              "A secret key used from many IP ranges is probably inside a product. Anyone who has it can read the author's account.",
            )}
      </p>
      {shipped.length > 0 && <DataTable rows={shipped} columns={shippedColumns} linkOf={linkOf} />}
    </Panel>
  )
}
