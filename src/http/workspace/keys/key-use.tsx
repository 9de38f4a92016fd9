/** The networks that use a key, and its calls by day and operation. */
import type { KeyUsageDetails, OperationCalls } from "../../../domain/usage/usage.ts"
import { Panel, Table } from "../../pages/parts/blocks.tsx"
import { CallsPanel } from "../../pages/parts/calls-panel.tsx"
import { groupColumns, linkToLog } from "../../pages/parts/chart.tsx"
import type { ChosenRange } from "../../pages/parts/date-range.tsx"
import { StoredDay } from "../../pages/parts/values.tsx"
import { pathOfKey } from "../../pages/paths.ts"
import type { View } from "../../pages/view.ts"

type KeyUseProps = Readonly<{
  view: View
  /** The days of the calls in `details`. */
  range: ChosenRange
  details: KeyUsageDetails
  isUsed: boolean
  /** Its calls are counted here and not on the overview. */
  isTest: boolean
  keyId: string
}>

export const KeyUse = ({ view, range, details, isUsed, isTest, keyId }: KeyUseProps) => {
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
        {details.networks.length === 0 ? (
          <p class="hint">{words.quiet}</p>
        ) : (
          <Networks view={view} networks={details.networks} />
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
    </>
  )
}

/** More of them are behind a disclosure. */
const openNetworks = 8

type NetworksProps = Readonly<{ view: View; networks: KeyUsageDetails["networks"] }>

const Networks = ({ view, networks }: NetworksProps) => {
  const words = view.words.keyPages.use
  const more = networks.slice(openNetworks)
  return (
    <>
      <p>{words.networks(networks.length)}</p>
      <NetworkTable view={view} networks={networks.slice(0, openNetworks)} />
      {more.length > 0 && (
        <details>
          <summary>{words.moreNetworks(more.length)}</summary>
          <NetworkTable view={view} networks={more} />
        </details>
      )}
    </>
  )
}

const NetworkTable = ({ view, networks }: NetworksProps) => {
  const { columns } = view.words
  return (
    <Table
      class="numbers stack dense"
      rows={networks}
      columns={[
        { head: columns.network, isRowHead: true, class: "mono", cell: ({ network }) => network },
        { head: columns.lastCall, cell: ({ lastDay }) => <StoredDay view={view} day={lastDay} /> },
      ]}
    />
  )
}
