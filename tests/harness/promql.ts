/** Which series a PromQL query asks for. Enough of the language for the queries in deploy/, not all of it. */

export type Matcher = Readonly<{ label: string; operator: string; value: string }>
/** A metric in a query, with the matchers behind it. */
export type Selector = Readonly<{ name: string; matchers: readonly Matcher[] }>
export type Query = Readonly<{ selectors: readonly Selector[]; groupings: readonly string[] }>

const name = "[a-zA-Z_:][a-zA-Z0-9_:]*"
const grouping = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g
const selector = new RegExp(`(?<![\\w:.$])(${name})\\b(?!\\s*\\()\\s*(?:\\{([^}]*)\\})?`, "g")
const matcher = /\s*([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/y
const words = ["and", "or", "unless", "bool", "offset", "inf", "nan"]

export function readQuery(query: string): Query {
  const groupings = [...query.matchAll(grouping)].flatMap(([, labels = ""]) =>
    labels.split(",").map((label) => label.trim()),
  )
  const rest = query
    .replaceAll(grouping, " ")
    // Durations: the range of a selector.
    .replaceAll(/\[[^\]]*\]/g, " ")
  const selectors = [...rest.matchAll(selector)]
    .filter(([, found = ""]) => !words.includes(found.toLowerCase()))
    .map(([, found = "", matchers = ""]) => ({ name: found, matchers: readMatchers(matchers) }))
  return { selectors, groupings }
}

function readMatchers(text: string): readonly Matcher[] {
  const matchers: Matcher[] = []
  matcher.lastIndex = 0
  let end = 0
  while (end < text.length) {
    const found = matcher.exec(text)
    if (found === null) throw new Error(`matchers that cannot be read: ${text}`)
    const [, label = "", operator = "", value = ""] = found
    matchers.push({ label, operator, value })
    end = matcher.lastIndex
  }
  return matchers
}
