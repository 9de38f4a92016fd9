/** The networks that use a key, and its calls by day, operation and item. */
import type { KeyUsageDetails, NetworkUse, OperationCalls } from "../../../domain/usage.ts"
import type { View } from "../view.ts"
import { UsageChart } from "./chart.tsx"
import { shownName } from "./name.ts"
import { Moment } from "./values.tsx"

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
}>

export const KeyUse = ({ view, details, networks, mostUsed }: KeyUseProps) => {
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
        <OperationTable view={view} operations={details.operations} />
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

const Networks = ({
  view,
  details: { networks: latest },
  networks,
}: Omit<KeyUseProps, "mostUsed">) => {
  const words = view.words.keyPages.use
  const more = latest.slice(openNetworks)
  return (
    <>
      <p>
        {words.networks(networks)} {latest.length < networks && words.latest(latest.length)}
      </p>
      <NetworkTable view={view} networks={latest.slice(0, openNetworks)} />
      {more.length > 0 && (
        <details>
          <summary>{words.moreNetworks(more.length)}</summary>
          <NetworkTable view={view} networks={more} />
        </details>
      )}
    </>
  )
}

const NetworkTable = ({ view, networks }: { view: View; networks: readonly NetworkUse[] }) => {
  const words = view.words.keyPages.use
  return (
    <table class="numbers stack dense">
      <thead>
        <tr>
          <th scope="col">{words.network}</th>
          <th scope="col">{words.networkCalls}</th>
          <th scope="col">{words.operations}</th>
          <th scope="col">{words.lastCall}</th>
        </tr>
      </thead>
      <tbody>
        {networks.map((use) => (
          <tr>
            <th scope="row" class="mono">
              {use.network}
            </th>
            <td data-label={words.networkCalls}>{describeCalls(view, use)}</td>
            <td data-label={words.operations}>{describeOperations(view, use)}</td>
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

const ItemTable = ({
  view,
  mostUsed: { items, others },
}: Pick<KeyUseProps, "view" | "mostUsed">) => {
  const words = view.words.keyPages.use
  return (
    <table class="numbers dense">
      <thead>
        <tr>
          <th scope="col">{words.item}</th>
          <th scope="col">{words.codes}</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, name, calls }) => (
          <tr>
            <th scope="row">
              <a class="clamp" href={`/workspace/items/${id}`}>
                {shownName(name, id)}
              </a>
            </th>
            <td>{calls.toLocaleString(view.locale)}</td>
          </tr>
        ))}
        {others > 0 && (
          <tr>
            <th scope="row">{words.otherItems}</th>
            <td>{others.toLocaleString(view.locale)}</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

const groups = ["ok", "refused", "failed"] as const

const OperationTable = ({
  view,
  operations,
}: {
  view: View
  operations: readonly OperationCalls[]
}) => (
  <table class="numbers stack">
    <thead>
      <tr>
        <th scope="col">{view.words.keyPages.use.operation}</th>
        {groups.map((group) => (
          <th scope="col">{view.words.overview[group]}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {operations.map((each) => (
        <tr>
          <th scope="row">{view.words.keyPages.operations[each.operation]}</th>
          {groups.map((group) => (
            <td data-label={view.words.overview[group]}>
              {each[group].toLocaleString(view.locale)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
