/**
 * Every kind of page that links lead to, for a signed-in author and operator. As a program with the URL of a server
 * it visits each page once, prints a line, and then opens three pages per second. A separate process, so that reading
 * pages does not delay the load generator.
 */
import { workspaceOf } from "../../src/access/paths.ts"
import { openVisitor, type Visitor } from "../../tests/harness/browser/visitor.ts"
import { shuffle } from "../statistics.ts"
import { operatorName, password } from "../stores/bench-stores.ts"
import { usernameOf } from "../stores/marketplace.ts"

const pageEveryMs = 333

export type Page = Readonly<{ visitor: Visitor; path: string }>

async function signIn(url: string, from: string, name: string): Promise<Visitor> {
  const visitor = openVisitor(url)
  const { status } = await visitor.submit(from, { name, password }, from)
  if (status !== 303) throw new Error(`${name} could not sign in: ${status}`)
  return visitor
}

/** Pages that differ only in ids, numbers and dates are one kind. Combinations of filters are left out. */
export const kindOf = (path: string) => path.replaceAll(/(?:key|ep|msg)_\w+|\d[\w.:-]*/g, "…")

/** Follows the links from `first` on, and returns one page of each kind. */
async function crawl(visitor: Visitor, first: string): Promise<readonly Page[]> {
  const paths = new Map([[first, first]])
  const pages: Page[] = []
  for (const path of paths.values()) {
    const { status, text } = await visitor.get(path)
    if (status === 303) continue
    if (status !== 200) throw new Error(`${path} returned ${status}`)
    pages.push({ visitor, path })
    for (const [, link = ""] of text.matchAll(/href="(\/[^"#&]*)"/g)) {
      const isOwn = link.startsWith(first) && !link.includes(".csv")
      if (isOwn && !paths.has(kindOf(link))) paths.set(kindOf(link), link)
    }
  }
  return pages
}

export async function listPages(url: string): Promise<readonly Page[]> {
  const author = await signIn(url, "/login", usernameOf(0))
  const operator = await signIn(url, "/login", operatorName)
  return [
    ...(await crawl(author, workspaceOf(usernameOf(0)).home)),
    ...(await crawl(operator, "/console")),
  ]
}

if (import.meta.main) {
  const pages = await listPages(process.argv[2] ?? "")
  console.log(`${pages.length} pages`)
  for (;;) {
    for (const { visitor, path } of shuffle(pages, Math.random)) {
      const next = Bun.sleep(pageEveryMs)
      await visitor.get(path)
      await next
    }
  }
}
