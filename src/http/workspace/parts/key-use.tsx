/** The networks that use a key, and its calls by day and operation. */
import type { KeyUsageDetails, NetworkUse, OperationCalls } from "../../../domain/usage.ts"
import type { View } from "../view.ts"
import { UsageChart } from "./chart.tsx"
import { Moment } from "./values.tsx"

type KeyUseProps = Readonly<{
  view: View
  details: KeyUsageDetails
  /** How many networks used it within a week; not all of them are in `details`. */
  networks: number
}>

export const KeyUse = ({ view, details, networks }: KeyUseProps) => {
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
    </>
  )
}

/** More of them are behind a disclosure. */
const openNetworks = 8

const Networks = ({ view, details: { networks: latest }, networks }: KeyUseProps) => {
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

const NetworkTable = ({ view, networks }: { view: View; networks: readonly NetworkUse[] }) => (
  <table class="numbers networks">
    <thead>
      <tr>
        <th scope="col">{view.words.keyPages.use.network}</th>
        <th scope="col">{view.words.keyPages.use.lastCall}</th>
      </tr>
    </thead>
    <tbody>
      {networks.map(({ network, lastUsedAt }) => (
        <tr>
          <td class="mono">{network}</td>
          <td>
            <Moment view={view} at={lastUsedAt} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

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
