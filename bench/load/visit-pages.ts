/** People who are signed in to a server, and the time and the size of the pages that they open. */
import { randomBytes } from "node:crypto"
import { openVisitor, type Visitor } from "../../tests/harness/browser/visitor.ts"
import { usernameOf } from "../stores/marketplace.ts"
import { operatorName, type PageStore, password } from "../stores/page-stores.ts"
import { listPages, type Page, type Person } from "./page-list.ts"

export type People = Readonly<Record<Person, Visitor>>

export type Visit = Readonly<{
  /** Until the last byte; until the first one of a file, which is sent as it is read. */
  ms: number
  /** 0 for a file. */
  bytes: number
  status: number
  location: string | null
}>

export async function signInAll(url: string): Promise<People> {
  const [stranger, items, sales, operator] = [0, 1, 2, 3].map(() => openVisitor(url))
  if (!stranger || !items || !sales || !operator) throw new Error("there are four visitors")
  await enter(items, "/login", usernameOf(0))
  await enter(sales, "/login", usernameOf(1))
  await enter(operator, "/console/login", operatorName)
  return { stranger, items, sales, operator }
}

export async function enter(visitor: Visitor, path: string, name: string): Promise<void> {
  const { status } = await visitor.submit(path, { name, password }, path)
  if (status !== 303) throw new Error(`${name} was not let in: ${status}`)
}

const newToken = () => randomBytes(32).toString("base64url")

/** Of the page; of a form also that of the page that its answer leads to. */
export async function visitPage(
  url: string,
  people: People,
  page: Page,
): Promise<readonly Visit[]> {
  const visit = await ask(url, people, page)
  if (page.fields === undefined || visit.location === null) return [visit]
  return [visit, await ask(url, people, { person: page.person, path: visit.location })]
}

/** Throws if the answer is an error that the page does not have. */
async function ask(url: string, people: People, page: Page): Promise<Visit> {
  const cookies = [...people[page.person].cookies].map(([name, value]) => `${name}=${value}`)
  const body = page.fields === undefined ? null : new URLSearchParams(page.fields)
  if (body?.has("form_id")) body.set("form_id", newToken())
  const startedAt = performance.now()
  const response = await fetch(`${url}${page.path}`, {
    method: body === null ? "GET" : "POST",
    headers: { cookie: cookies.join("; ") },
    body,
    redirect: "manual",
  })
  const isFile = response.headers.has("content-disposition")
  const reader = response.body?.getReader()
  let bytes = 0
  for (;;) {
    const read = await reader?.read()
    if (isFile || !read?.value) break
    bytes += read.value.length
  }
  const ms = performance.now() - startedAt
  await reader?.cancel()
  const { status, headers } = response
  if (status !== 200 && status !== 303 && status !== page.refusal) {
    throw new Error(`${page.path} was answered by ${status}`)
  }
  return { ms, bytes, status, location: headers.get("location") }
}

export async function openPages(
  people: People,
  { store, filled }: PageStore,
): Promise<readonly Page[]> {
  const [ofAuthors, ofOperators] = ["/workspace/search", "/console/search"]
  const tokens = new Map<Person, string>()
  for (const person of ["items", "sales", "operator"] as const) {
    const from = person === "operator" ? ofOperators : ofAuthors
    tokens.set(person, await people[person].formToken(from))
  }
  return listPages(store.market, filled).map((page) =>
    page.fields === undefined
      ? page
      : { ...page, fields: { ...page.fields, form_token: tokens.get(page.person) ?? "" } },
  )
}
