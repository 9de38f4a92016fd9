import type { Child } from "hono/jsx"
import { callsOf, type UsageDay } from "../../../domain/usage/usage.ts"
import { keysPath } from "../../pages/key-paths.ts"
import type { View } from "../../pages/view.ts"

type Props = Readonly<{
  view: View
  days: readonly UsageDay[]
  codesChecked: number
  workingKeys: number
  shippableKeys: number
  testKeys: number
}>

/** The numbers at the top of the overview. */
export const Figures = (props: Props) => {
  const { view, days, codesChecked, workingKeys, shippableKeys, testKeys } = props
  const words = view.words.overview.figures
  const sum = (name: "ok" | "refused" | "failed") =>
    days.reduce((total, day) => total + day[name], 0)
  const [ok, refused, failed] = [sum("ok"), sum("refused"), sum("failed")]
  const total = callsOf({ ok, refused, failed })
  const today = days.at(-1)
  const callsToday = today === undefined ? 0 : callsOf(today)
  const format = (n: number) => n.toLocaleString(view.locale)
  return (
    <dl class="figures">
      <Figure label={words.today} value={format(callsToday)} note={words.todayNote(total)} />
      <Figure
        label={words.success}
        value={total === 0 ? "–" : formatShare(ok / total, view.locale)}
        note={words.successNote(refused, failed)}
      />
      <Figure label={words.codes} value={format(codesChecked)} note={words.codesNote} />
      <Figure
        label={words.keys}
        value={<a href={keysPath}>{format(workingKeys)}</a>}
        note={words.keysNote(shippableKeys, testKeys)}
      />
    </dl>
  )
}

/** Rounded down: 100 % means all of them. */
const formatShare = (share: number, locale: string) =>
  (Math.floor(share * 1000) / 1000).toLocaleString(locale, {
    style: "percent",
    maximumFractionDigits: 1,
  })

type FigureProps = Readonly<{ label: string; value: Child; note: string }>

const Figure = ({ label, value, note }: FigureProps) => (
  <div>
    <dt>{label}</dt>
    <dd class="figure">{value}</dd>
    <dd class="hint">{note}</dd>
  </div>
)
