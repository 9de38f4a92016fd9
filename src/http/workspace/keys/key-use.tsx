/** The networks that use a key, and its calls by day, operation and item. */
import type { KeyUsageDetails, NetworkUse, OperationCalls } from "../../../domain/usage/usage.ts"
import { numberColumn, Panel, Table } from "../../pages/parts/blocks.tsx"
import { CallsPanel } from "../../pages/parts/calls-panel.tsx"
import { groupColumns, linkToLog } from "../../pages/parts/chart.tsx"
import type { ChosenRange } from "../../pages/parts/date-range.tsx"
import { Moment, NamedLink, shownName } from "../../pages/parts/values.tsx"
import { pathOfKey } from "../../pages/paths.ts"
import type { View } from "../../pages/view.ts"

/** The items whose codes were asked for most, and the calls for all others. */
export type MostUsedItems = Readonly<{
  items: readonly (NamedItem & { calls: number })[]
  others: number
}>

/** The name is empty when the item is gone. */
export type NamedItem = Readonly<{ id: number; name: string }>

type KeyUseProps = Readonly<{
  view: View
  /** The days of the calls in `details`. */
  range: ChosenRange
  details: KeyUsageDetails
  isUsed: boolean
  /** How many networks used it within a week; not all of them are in `details`. */
  networks: number
  mostUsed: MostUsedItems
  /** Its calls are counted here and not on the overview. */
  isTest: boolean
  keyId: string
}>

export const KeyUse = (props: KeyUseProps) => {
  const { view, range, details, isUsed, networks, mostUsed, isTest, keyId } = props
  const words = view.words.keyPages.use
  if (!isUsed) {
    return (
      <section class="panel">
        <h2>{words.title}</h2>
        <p class="hint">{words.none}</p>
      </section>
    )
  }
  return (
    <>
      <Panel id="networks" title={words.title}>
        {networks === 0 ? (
          <p class="hint">{words.quiet}</p>
        ) : (
          <Networks view={view} details={details} networks={networks} />
        )}
      </Panel>
      <CallsPanel
        view={view}
        range={range}
        days={details.days}
        path={pathOfKey(keyId)}
        csvPath={`${pathOfKey(keyId)}/usage.csv`}
        log={{ key: keyId }}
      >
        {isTest && <p class="hint">{view.words.overview.testCalls}</p>}
        {details.operations.length > 1 && (
          <>
            <h2>{words.byOperation}</h2>
            <Table
              class="numbers stack"
              rows={details.operations}
              columns={[
                {
                  head: words.operation,
                  isRowHead: true,
                  cell: ({ operation }) => view.words.keyPages.operations[operation],
                },
                ...groupColumns(
                  view,
                  view.words.overview.groups,
                  ({ operation }: OperationCalls, group) =>
                    linkToLog({ key: keyId, operation }, range.today)(null, group),
                ),
              ]}
            />
          </>
        )}
      </CallsPanel>
      {mostUsed.items.length > 0 && (
        <Panel id="item-calls" title={words.itemCalls}>
          <ItemTable view={view} mostUsed={mostUsed} />
        </Panel>
      )}
    </>
  )
}

/** More of them are behind a disclosure. */
const openNetworks = 8

type NetworksProps = Pick<KeyUseProps, "view" | "details" | "networks">

const Networks = ({ view, details: { networks: latest }, networks }: NetworksProps) => {
  const words = view.words.keyPages.use
  const more = latest.slice(openNetworks)
  const called = latest.flatMap(({ operations }) => operations.map(({ operation }) => operation))
  const isMixed = new Set(called).size > 1
  return (
    <>
      <p>{words.networks(networks, latest.length)}</p>
      <NetworkTable view={view} networks={latest.slice(0, openNetworks)} isMixed={isMixed} />
      {more.length > 0 && (
        <details>
          <summary>{words.moreNetworks(more.length)}</summary>
          <NetworkTable view={view} networks={more} isMixed={isMixed} />
        </details>
      )}
    </>
  )
}

type NetworkProps = Readonly<{
  view: View
  networks: readonly NetworkUse[]
  /** The key makes calls of several kinds. */
  isMixed: boolean
}>

const NetworkTable = ({ view, networks, isMixed }: NetworkProps) => {
  const words = view.words.keyPages.use
  const { columns } = view.words
  return (
    <Table
      class="numbers stack dense"
      rows={networks}
      columns={[
        { head: columns.network, isRowHead: true, class: "mono", cell: ({ network }) => network },
        { head: columns.calls, isNumber: true, cell: (use) => describeCalls(view, use) },
        ...(isMixed
          ? [
              {
                head: words.operations,
                class: "wraps",
                cell: (use: NetworkUse) => describeOperations(view, use),
              },
            ]
          : []),
        { head: columns.lastCall, cell: (use) => <Moment view={view} at={use.lastUsedAt} /> },
      ]}
    />
  )
}

function describeCalls({ words, locale }: View, { operations, isEstimate }: NetworkUse): string {
  if (operations.length === 0) return words.keyPages.use.uncounted
  const calls = operations.reduce((sum, each) => sum + each.calls, 0)
  return isEstimate ? words.keyPages.use.about(calls) : calls.toLocaleString(locale)
}

/** The calls of each operation, unless there is only one. */
function describeOperations({ words, locale }: View, { operations }: NetworkUse): string {
  const names = operations.map(({ operation, calls }) => {
    const name = words.keyPages.operations[operation]
    return operations.length === 1 ? name : `${name} (${calls.toLocaleString(locale)})`
  })
  return names.join(", ")
}

type ItemTableProps = Pick<KeyUseProps, "view" | "mostUsed">

export const ItemTable = ({ view, mostUsed: { items, others } }: ItemTableProps) => {
  const words = view.words.keyPages.use
  const rest = { id: null, name: words.otherItems, calls: others }
  return (
    <Table
      class="numbers dense"
      rows={[...items, ...(others > 0 ? [rest] : [])]}
      columns={[
        {
          head: view.words.columns.item,
          isRowHead: true,
          cell: ({ id, name }) =>
            id === null ? (
              name
            ) : (
              <NamedLink class="clamp" href={`/workspace/items/${id}`} name={shownName(name, id)} />
            ),
        },
        { ...numberColumn(view, words.checks, "calls"), isClear: true },
      ]}
    />
  )
}
