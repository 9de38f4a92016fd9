import type { Child } from "hono/jsx"
import type { UsageDay } from "../../../domain/usage/usage.ts"
import { type LogFilter, withQuery } from "../paths.ts"
import type { View } from "../view.ts"
import { type ChosenRange, paramsOfRange, RangeNav } from "./date-range.tsx"
import { Panel } from "./panels-and-tables.tsx"
import { linkToLog, UsageChart } from "./usage-chart.tsx"

type Props = Readonly<{
  view: View
  range: ChosenRange
  days: readonly UsageDay[]
  path: string
  csvPath?: string
  /** In the workspace, bars and numbers link to these log entries. */
  log?: LogFilter
  children?: Child
}>

export const RequestsPanel = ({ view, range, days, path, csvPath, log, children }: Props) => {
  const { overview } = view.texts
  return (
    <Panel id="calls" title={overview.requests}>
      <RangeNav
        view={view}
        range={range}
        linkTo={(params) => `${path}?${new URLSearchParams(params)}#calls`}
      />
      <UsageChart
        view={view}
        days={days}
        today={range.today}
        names={overview.groups}
        caption={overview.chart}
        empty={overview.noRequests}
        linkTo={log && linkToLog(log, range.today)}
        csvPath={csvPath && withQuery(csvPath, paramsOfRange(range))}
      />
      {children}
    </Panel>
  )
}
