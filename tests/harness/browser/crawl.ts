/** Opens every page that a visitor can reach by links, and lists where the forms and buttons of these pages lead. */
import { unescapeHtml } from "./docs-page.ts"
import type { Visitor } from "./visitor.ts"

/** Pages of one kind: more differ in their data only. */
const pagesOfKind = 4

/** With `*` for ids. */
export const patternOf = (href: string) =>
  (href.split("?")[0] ?? "").replaceAll(/\/(?:[^/]*\d[^/]*|(?:ep|key|msg)_\w+)(?=\/|$)/g, "/*")

export async function crawl(visitor: Visitor, home: string) {
  const seen = new Map<string, number>()
  const pages: Readonly<{ path: string; status: number; from: string }>[] = []
  const forms = new Map<string, string>()
  const open = [{ path: home, from: "" }]
  const known = new Set([home])
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { path: from } = next
    const { status, text } = await visitor.get(from)
    pages.push({ ...next, status })
    const html = unescapeHtml(text)
    const filters = /<form[^>]* method="get"[\s\S]*?<\/form>/g
    for (const [, action = ""] of html
      .replaceAll(filters, "")
      .matchAll(/ (?:form)?action="([^"]+)"/g))
      forms.set(action, from)
    const links = html.matchAll(/ href="([^"#]*)/g)
    const files = (html.match(filters) ?? []).join("").matchAll(/ (?:form)?action="([^"]+)"/g)
    for (const [, path = ""] of [...links, ...files]) {
      if (known.has(path) || !new RegExp(`^${home}(?:[/?]|$)`).test(path)) continue
      known.add(path)
      const query = new URL(path, "http://localhost").searchParams
      const kind = `${patternOf(path)} ${[...query.keys()]}`
      const count = (seen.get(kind) ?? 0) + 1
      seen.set(kind, count)
      if (count <= pagesOfKind) open.push({ path, from })
    }
  }
  return { pages, forms: [...forms].map(([action, from]) => ({ action, from })) }
}
