/** Usage of a key by IP range, day and operation. */
import type { KeyUsageDetails, OperationCalls } from "../../../domain/usage/usage.ts"
import type { ChosenRange } from "../../pages/components/date-range.tsx"
import { UtcDay } from "../../pages/components/formatted-values.tsx"
import { Panel, Table } from "../../pages/components/panels-and-tables.tsx"
import { groupColumns, linkToLog, RequestsPanel } from "../../pages/components/usage-chart.tsx"
import { pathOfKey } from "../../pages/paths.ts"
import type { View } from "../../pages/view.ts"

type KeyUseProps = Readonly<{
  view: View
  range: ChosenRange
  details: KeyUsageDetails
  isUsed: boolean
  /** The overview does not count requests with test keys. */
  isTest: boolean
  keyId: string
}>

export const KeyUse = ({ view, range, details, isUsed, isTest, keyId }: KeyUseProps) => {
  const texts = view.texts.keyPages.usage
  if (!isUsed) {
    return (
      <section class="panel">
        <h2>{texts.title}</h2>
        <p class="hint">{texts.none}</p>
      </section>
    )
  }
  return (
    <>
      <Panel id="ip-ranges" title={texts.title}>
        {details.ipRanges.length === 0 ? (
          <p class="hint">{texts.noRequests}</p>
        ) : (
          <IpRanges view={view} ipRanges={details.ipRanges} />
        )}
      </Panel>
      <RequestsPanel
        view={view}
        range={range}
        days={details.days}
        path={pathOfKey(keyId)}
        csvPath={`${pathOfKey(keyId)}/usage.csv`}
        log={{ key: keyId }}
      >
        {isTest && <p class="hint">{view.texts.overview.testRequests}</p>}
        {details.operations.length > 1 && (
          <>
            <h2>{texts.byOperation}</h2>
            <Table
              class="numbers stack"
              rows={details.operations}
              columns={[
                {
                  head: view.texts.log.operation,
                  isRowHead: true,
                  cell: ({ operation }) => view.texts.keyPages.operations[operation],
                },
                ...groupColumns(
                  view,
                  view.texts.overview.groups,
                  ({ operation }: OperationCalls, group) =>
                    linkToLog({ key: keyId, operation }, range.today)(null, group),
                ),
              ]}
            />
          </>
        )}
      </RequestsPanel>
    </>
  )
}

/** More are behind a disclosure. */
const openIpRanges = 8

type IpRangesProps = Readonly<{ view: View; ipRanges: KeyUsageDetails["ipRanges"] }>

const IpRanges = ({ view, ipRanges }: IpRangesProps) => {
  const texts = view.texts.keyPages.usage
  const more = ipRanges.slice(openIpRanges)
  return (
    <>
      <p>{texts.ipRanges(ipRanges.length)}</p>
      <IpRangeTable view={view} ipRanges={ipRanges.slice(0, openIpRanges)} />
      {more.length > 0 && (
        <details>
          <summary>{texts.moreIpRanges(more.length)}</summary>
          <IpRangeTable view={view} ipRanges={more} />
        </details>
      )}
    </>
  )
}

const IpRangeTable = ({ view, ipRanges }: IpRangesProps) => {
  const { columns } = view.texts
  return (
    <Table
      class="numbers stack dense"
      rows={ipRanges}
      columns={[
        { head: columns.ipRange, isRowHead: true, class: "mono", cell: ({ ipRange }) => ipRange },
        { head: columns.lastRequest, cell: ({ lastDay }) => <UtcDay view={view} day={lastDay} /> },
      ]}
    />
  )
}
