/** A strict parser of Prometheus' text format, version 0.0.4. It throws if Prometheus would reject a scrape. */

export type ReadSample = Readonly<{
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}>

export type ReadFamily = Readonly<{
  name: string
  type: string
  help: string
  samples: readonly ReadSample[]
}>

type OpenFamily = { name: string; type: string; help: string; samples: ReadSample[] }

const types = ["counter", "gauge", "histogram"]
// `s`: a label may contain U+2028 and U+000D.
const helpLine = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/s
const typeLine = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (\w+)$/
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/s
const labelPair = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,(?=.)|$)/s
const number = /^(?:NaN|[+-]Inf|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/

export function readPrometheusText(text: string): readonly ReadFamily[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no end")
  const families = new Map<string, OpenFamily>()
  const seen = new Set<string>()
  let family: OpenFamily | null = null
  for (const line of text.slice(0, -1).split("\n")) {
    const [, helped, help = ""] = helpLine.exec(line) ?? []
    const [, typed, type = ""] = typeLine.exec(line) ?? []
    if (helped !== undefined) {
      if (families.has(helped)) throw new Error(`${helped} comes twice`)
      family = { name: helped, type: "", help: unescapeText(help), samples: [] }
      families.set(helped, family)
    } else if (typed !== undefined) {
      if (family?.name !== typed || family.type !== "" || !types.includes(type)) {
        throw new Error(`a type in the wrong place: ${line}`)
      }
      family.type = type
    } else {
      const sample = readSample(line)
      if (family === null || !belongsTo(sample.name, family)) {
        throw new Error(`a sample without its family: ${line}`)
      }
      const identity = line.replace(/ \S+$/, "")
      if (seen.has(identity)) throw new Error(`a series comes twice: ${identity}`)
      seen.add(identity)
      family.samples.push(sample)
    }
  }
  return [...families.values()]
}

const belongsTo = (name: string, family: OpenFamily) =>
  family.type === "histogram"
    ? ["_bucket", "_sum", "_count"].some((end) => name === `${family.name}${end}`)
    : name === family.name

function readSample(line: string): ReadSample {
  const [, name, labels = "", value = ""] = sampleLine.exec(line) ?? []
  if (name === undefined || !number.test(value)) throw new Error(`no sample: ${line}`)
  return { name, labels: readLabels(labels), value: Number(value.replace("Inf", "Infinity")) }
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  let rest = text
  while (rest !== "") {
    const [pair, name, value = ""] = labelPair.exec(rest) ?? []
    if (pair === undefined || name === undefined || name in labels) {
      throw new Error(`labels that cannot be read: ${text}`)
    }
    labels[name] = unescapeText(value)
    rest = rest.slice(pair.length)
  }
  return labels
}

const unescapeText = (text: string) =>
  text.replaceAll(/\\([\\"n])/g, (_, letter) => (letter === "n" ? "\n" : letter))

/** The value of the only series with this name and exactly these labels, or null. */
export function findValue(
  families: readonly ReadFamily[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | null {
  const found = families
    .flatMap(({ samples }) => samples)
    .find((sample) => sample.name === name && Bun.deepEquals(sample.labels, labels))
  return found?.value ?? null
}
