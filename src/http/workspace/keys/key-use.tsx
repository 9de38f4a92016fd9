/** The networks that use a key, and its calls by day, operation and item. */
import type { KeyUsageDetails, NetworkUse, OperationCalls } from "../../../domain/usage/usage.ts"
import { GroupCells, GroupHeads, UsageChart } from "../../pages/parts/chart.tsx"
import { Heads, Moment, shownName } from "../../pages/parts/values.tsx"
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
  details: KeyUsageDetails
  /** How many networks used it within a week; not all of them are in `details`. */
  networks: number
  mostUsed: MostUsedItems
  /** Its calls are counted here and not on the overview. */
  isTest: boolean
}>

export const KeyUse = ({ view, details, networks, mostUsed, isTest }: KeyUseProps) => {
  const words = view.words.keyPages.use
  if (details.operations.length === 0) {
    return (
      <section class="panel">
        <h2>{words.title}</h2>
        <p class="hint">{words.none}</p>
      </section>
    )
  }
  return (
    <>
      <section class="panel" aria-labelledby="networks">
        <h2 id="networks">{words.title}</h2>
        {networks === 0 ? (
          <p class="hint">{words.quiet}</p>
        ) : (
          <Networks view={view} details={details} networks={networks} />
        )}
      </section>
      <section class="panel" aria-labelledby="calls">
        <h2 id="calls">{words.calls}</h2>
        <UsageChart view={view} days={details.days} />
        {isTest && <p class="hint">{view.words.overview.testCalls}</p>}
        {details.operations.length > 1 && (
          <>
            <h2>{words.byOperation}</h2>
            <OperationTable view={view} operations={details.operations} />
          </>
        )}
      </section>
      {mostUsed.items.length > 0 && (
        <section class="panel" aria-labelledby="item-calls">
          <h2 id="item-calls">{words.itemCalls}</h2>
          <ItemTable view={view} mostUsed={mostUsed} />
        </section>
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
  return (
    <table class="numbers stack dense">
      <Heads
        of={[
          words.network,
          words.networkCalls,
          ...(isMixed ? [words.operations] : []),
          words.lastCall,
        ]}
        amounts={[1]}
      />
      <tbody>
        {networks.map((use) => (
          <tr>
            <th scope="row" class="mono">
              {use.network}
            </th>
            <td class="amount" data-label={words.networkCalls}>
              {describeCalls(view, use)}
            </td>
            {isMixed && (
              <td class="wraps" data-label={words.operations}>
                {describeOperations(view, use)}
              </td>
            )}
            <td data-label={words.lastCall}>
              <Moment view={view} at={use.lastUsedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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

const ItemTable = ({ view, mostUsed: { items, others } }: ItemTableProps) => {
  const words = view.words.keyPages.use
  return (
    <table class="numbers dense">
      <Heads of={[words.item, words.checks]} amounts={[1]} />
      <tbody>
        {items.map(({ id, name, calls }) => (
          <tr>
            <th scope="row">
              <a class="clamp" href={`/workspace/items/${id}`}>
                <bdi>{shownName(name, id)}</bdi>
              </a>
            </th>
            <td class="amount">{calls.toLocaleString(view.locale)}</td>
          </tr>
        ))}
        {others > 0 && (
          <tr>
            <th scope="row">{words.otherItems}</th>
            <td class="amount">{others.toLocaleString(view.locale)}</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

type OperationProps = Readonly<{ view: View; operations: readonly OperationCalls[] }>

const OperationTable = ({ view, operations }: OperationProps) => (
  <table class="numbers stack">
    <GroupHeads view={view} first={view.words.keyPages.use.operation} />
    <tbody>
      {operations.map((each) => (
        <tr>
          <th scope="row">{view.words.keyPages.operations[each.operation]}</th>
          <GroupCells view={view} of={each} />
        </tr>
      ))}
    </tbody>
  </table>
)
