import type { WidelyUsedKey } from "../../domain/usage/operator-reads.ts"
import {
  callsOf,
  type OperationDayCalls,
  summariseDays,
  summariseOperations,
  usageDays,
} from "../../domain/usage/usage.ts"
import type { Failure } from "../../domain/values/error.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { listShippedKeys } from "../../operations/keys/find-key.ts"
import { type Column, FoldedTable, numberColumn, TableSection } from "../pages/parts/blocks.tsx"
import { CallsPanel } from "../pages/parts/calls-panel.tsx"
import { groupColumns } from "../pages/parts/chart.tsx"
import { type ChosenRange, readRange } from "../pages/parts/date-range.tsx"
import { NamedLink, shownName } from "../pages/parts/values.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import type { ConsoleServices } from "./frame/services.ts"

/** Keys in the list: what fits on a screen. */
const rowsMax = 20

export function addTrafficRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { usage, operatorReads, now } = services

  app.get(paths.traffic, async (c) => {
    const at = formatTimestamp(now())
    const range = readRange(c.req.query(), at, usageDays)
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
      <CallsPanel view={view} range={range} days={summariseDays(range, calls)} path={paths.traffic}>
        <p class="hint">{traffic.counted}</p>
      </CallsPanel>
      <TableSection
        title={traffic.byOperation}
        rows={summariseOperations(calls)}
        columns={[
          operationColumn(view),
          {
            head: traffic.requests,
            isNumber: true,
            cell: (row) => callsOf(row).toLocaleString(view.locale),
          },
          ...groupColumns(view, view.words.overview.groups, () => undefined),
        ]}
        empty={traffic.none}
      />
      <TableSection
        title={traffic.why}
        rows={listFailures(calls)}
        columns={[
          {
            head: view.words.columns.reason,
            cell: ({ outcome }) => view.words.log.reasons[outcome].what,
          },
          operationColumn(view),
          numberColumn(view, traffic.requests, "calls"),
        ]}
        empty={traffic.noRejections}
      />
      <ShippedKeys view={view} shipped={shipped} />
    </ConsolePage>
  )
}

const operationColumn = (view: ConsoleView): Column<Pick<OperationDayCalls, "operation">> => ({
  head: view.words.keyPages.use.operation,
  cell: ({ operation }) => view.words.keyPages.operations[operation],
})

type FailedCalls = Pick<OperationDayCalls, "operation" | "calls"> & Readonly<{ outcome: Failure }>

/** The most frequent first. */
function listFailures(calls: readonly OperationDayCalls[]): readonly FailedCalls[] {
  const sums = new Map<string, FailedCalls>()
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
          head: view.words.columns.key,
          cell: ({ id, kind, name }) => (
            <>
              <NamedLink href={paths.key(id)} name={shownName(name, id)} />{" "}
              <span class="hint">{view.words.keys.kinds[kind]}</span>
            </>
          ),
        },
        numberColumn(view, traffic.networks, "networks"),
      ]}
      empty={traffic.noShipped}
    />
  )
}
