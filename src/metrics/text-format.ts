/** Prometheus' text format, version 0.0.4. */

export type Sample = Readonly<{
  labels: Readonly<Record<string, string>>
  value: number
  /** The end of a histogram's name. */
  suffix?: "_bucket" | "_sum" | "_count"
}>

export type Family = Readonly<{
  name: string
  type: "counter" | "gauge" | "histogram"
  help: string
  samples: readonly Sample[]
}>

export const textFormat = "text/plain; version=0.0.4; charset=utf-8"

export const renderFamilies = (families: readonly Family[]) => families.map(renderFamily).join("")

function renderFamily({ name, type, help, samples }: Family): string {
  const lines = samples.map(
    ({ labels, value, suffix = "" }) =>
      `${name}${suffix}${renderLabels(labels)} ${renderValue(value)}\n`,
  )
  return [`# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`, ...lines].join("")
}

function renderLabels(labels: Sample["labels"]): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

const escapeHelp = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
const escapeLabel = (text: string) => escapeHelp(text).replaceAll('"', '\\"')

function renderValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf"
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value)
}
