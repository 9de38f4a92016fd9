import type { KeyUsageDetails } from "../../../domain/usage/usage.ts"
import { DataTable } from "../../pages/components/data-table.tsx"
import { type ChosenRange, RangeBar } from "../../pages/components/date-range.tsx"
import { Panel } from "../../pages/components/panels-and-tables.tsx"
import { groupColumns, RequestsChart } from "../../pages/components/usage-chart.tsx"
import { logPath, pathOfKey } from "../../pages/paths.ts"
import type { View } from "../../pages/view.ts"

type KeyUseProps = Readonly<{
  view: View
  range: ChosenRange
  details: KeyUsageDetails
  isUsed: boolean
  keyId: string
}>

export const KeyUse = ({ view, range, details, isUsed, keyId }: KeyUseProps) => {
  const { keyPages, log, overview } = view.texts
  const texts = keyPages.usage
  if (!isUsed) {
    return (
      <Panel id="calls" title={overview.requests}>
        <p class="hint">{texts.none}</p>
      </Panel>
    )
  }
  return (
    <>
      <Panel id="calls" title={overview.requests}>
        <RangeBar view={view} range={range} />
        <RequestsChart
          view={view}
          range={range}
          days={details.days}
          csvPath={`${pathOfKey(keyId)}/usage.csv`}
          logPath={logPath}
          keyId={keyId}
        />
        {details.operations.length > 1 && (
          <>
            <h3>{texts.byOperation}</h3>
            <DataTable
              view={view}
              rows={details.operations}
              columns={[
                {
                  head: log.operation,
                  isWide: true,
                  value: ({ operation }) => keyPages.operations[operation],
                },
                ...groupColumns(view, overview.groups),
              ]}
            />
          </>
        )}
      </Panel>
      <Panel id="ip-ranges" title={texts.title}>
        {details.ipRanges.length === 0 ? (
          <p class="hint">{texts.noRequests}</p>
        ) : (
          <IpRanges view={view} ipRanges={details.ipRanges} />
        )}
      </Panel>
    </>
  )
}

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

const IpRangeTable = ({ view, ipRanges }: IpRangesProps) => (
  <DataTable
    view={view}
    rows={ipRanges}
    columns={[
      { head: view.texts.columns.ipRange, kind: "code", value: ({ ipRange }) => ipRange },
      { head: view.texts.columns.lastRequest, kind: "day", value: ({ lastDay }) => lastDay },
    ]}
  />
)
