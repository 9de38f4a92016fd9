/** The series that a PromQL query selects, parsed with Prometheus' own grammar. */
import { parser } from "@prometheus-io/lezer-promql"

export type Matcher = Readonly<{ label: string; operator: string; value: string }>
export type Selector = Readonly<{ name: string; matchers: readonly Matcher[] }>
export type Query = Readonly<{ selectors: readonly Selector[]; groupings: readonly string[] }>

/** Throws if Prometheus could not parse the query. */
export function readQuery(text: string): Query {
  // Grafana replaces this variable; its others occur in texts only.
  const query = text.replaceAll("$__rate_interval", "5m")
  const selectors: { name: string; matchers: Matcher[] }[] = []
  const groupings: string[] = []
  parser.parse(query).iterate({
    enter({ type, node, from, to }) {
      const textOf = (part: string) => {
        const found = node.getChild(part)
        return found === null ? "" : query.slice(found.from, found.to)
      }
      if (type.isError) throw new Error(`not PromQL at ${from}: ${query}`)
      if (type.name === "VectorSelector") {
        selectors.push({ name: textOf("Identifier"), matchers: [] })
      } else if (type.name === "UnquotedLabelMatcher") {
        const [label, operator] = [textOf("LabelName"), textOf("MatchOp")]
        selectors
          .at(-1)
          ?.matchers.push({ label, operator, value: JSON.parse(textOf("StringLiteral")) })
      } else if (type.name === "LabelName" && node.parent?.name === "GroupingLabels") {
        groupings.push(query.slice(from, to))
      }
    },
  })
  return { selectors, groupings }
}
