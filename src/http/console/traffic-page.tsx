import type { WidelyUsedKey } from "../../domain/usage/operator-reads.ts"
import { callsOf } from "../../domain/usage/outcome.ts"
import {
  type OperationDayCalls,
  summarizeDays,
  summarizeOperations,
  usageDays,
} from "../../domain/usage/usage.ts"
import type { Failure } from "../../domain/values/error.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { listShippedKeys } from "../../operations/keys/find-key.ts"
import { type ChosenRange, parseRange } from "../pages/components/date-range.tsx"
import { displayName, NamedLink } from "../pages/components/formatted-values.tsx"
import {
  type Column,
  FoldedTable,
  numberColumn,
  TableSection,
} from "../pages/components/panels-and-tables.tsx"
import { groupColumns, RequestsPanel } from "../pages/components/usage-chart.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

/** Keys in the list, to fit on a screen. */
const rowsMax = 20

export function addTrafficRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { usage, operatorReads, now } = services

  app.get(paths.traffic, async (c) => {
    const at = formatTimestamp(now())
    const range = parseRange(c.req.query(), at, usageDays)
    const [calls, shipped] = await Promise.all([
      usage.listOfAll(range),
      listShippedKeys(operatorReads, at, rowsMax),
    ])
    return c.html(<TrafficPage view={viewOf(c)} range={range} calls={calls} shipped={shipped} />)
  })
}

type Props = Readonly<{
  view: ConsoleView
  range: ChosenRange
  calls: readonly OperationDayCalls[]
  shipped: readonly WidelyUsedKey[]
}>

export const TrafficPage = ({ view, range, calls, shipped }: Props) => {
  const { traffic } = view.texts
  return (
    <ConsolePage view={view} title={traffic.title}>
      <RequestsPanel
        view={view}
        range={range}
        days={summarizeDays(range, calls)}
        path={paths.traffic}
      >
        <p class="hint">{traffic.countedRequests}</p>
      </RequestsPanel>
      <TableSection
        title={traffic.byOperation}
        rows={summarizeOperations(calls)}
        columns={[
          operationColumn(view),
          {
            head: view.texts.columns.requests,
            isNumber: true,
            cell: (row) => callsOf(row).toLocaleString(view.locale),
          },
          ...groupColumns(view, view.texts.overview.groups, () => undefined),
        ]}
        empty={view.texts.overview.noRequests}
      />
      <TableSection
        title={traffic.why}
        rows={listFailures(calls)}
        columns={[
          {
            head: view.texts.columns.reason,
            cell: ({ outcome }) => view.texts.log.errors[outcome].what,
          },
          operationColumn(view),
          numberColumn(view, view.texts.columns.requests, "calls"),
        ]}
        empty={traffic.noRejections}
      />
      <ShippedKeys view={view} shipped={shipped} />
    </ConsolePage>
  )
}

const operationColumn = (view: ConsoleView): Column<Pick<OperationDayCalls, "operation">> => ({
  head: view.texts.log.operation,
  cell: ({ operation }) => view.texts.keyPages.operations[operation],
})

type FailedRequests = Pick<OperationDayCalls, "operation" | "calls"> &
  Readonly<{ outcome: Failure }>

/** Most frequent first. */
function listFailures(calls: readonly OperationDayCalls[]): readonly FailedRequests[] {
  const sums = new Map<string, FailedRequests>()
  for (const { operation, outcome, calls: more } of calls) {
    if (outcome === "ok") continue
    const name = `${operation} ${outcome}`
    sums.set(name, { operation, outcome, calls: (sums.get(name)?.calls ?? 0) + more })
  }
  return [...sums.values()].toSorted((one, other) => other.calls - one.calls)
}

const ShippedKeys = ({ view, shipped }: Pick<Props, "view" | "shipped">) => {
  const { authors, traffic } = view.texts
  return (
    <FoldedTable
      title={traffic.shipped}
      hint={traffic.shippedHint}
      rows={shipped}
      columns={[
        {
          head: authors.author,
          class: "name",
          cell: ({ accountId, username }) => (
            <NamedLink href={paths.author(accountId)} name={username} />
          ),
        },
        {
          head: view.texts.columns.key,
          cell: ({ id, kind, name }) => (
            <>
              <NamedLink href={paths.key(id)} name={displayName(name, id)} />{" "}
              <span class="hint">{view.texts.keys.kinds[kind]}</span>
            </>
          ),
        },
        numberColumn(view, traffic.ipRanges, "ipRanges"),
      ]}
      empty={traffic.noShipped}
    />
  )
}
