/**
 * People who look at pages while something else is measured: one operator and two authors, each a page a second. A
 * process of its own, so that reading pages does not delay the generator. The first line that it reads has the address
 * and the store as JSON; after `walk` they walk, after `rest` they stop. Each line is answered when it was carried out.
 */

import { shuffle } from "../report/statistics.ts"
import type { PageStore } from "../stores/page-stores.ts"
import type { Page, Person } from "./page-list.ts"
import { openPages, signInAll, visitPage } from "./visit-pages.ts"

const pageEveryMs = 1_000
const walkers: readonly Person[] = ["operator", "items", "sales"]

let isWalking = false
const strolls: Promise<void>[] = []

async function stroll(
  visit: (page: Page) => Promise<unknown>,
  pages: Iterator<Page>,
  delayMs: number,
): Promise<void> {
  await Bun.sleep(delayMs)
  while (isWalking) {
    const next = Bun.sleep(pageEveryMs)
    const { value } = pages.next()
    if (value !== undefined) await visit(value)
    await next
  }
}

function* again(pages: readonly Page[]): Generator<Page> {
  for (;;) yield* shuffle(pages, Math.random)
}

let start: (() => void) | null = null
for await (const line of console) {
  if (start === null) {
    const { url, on }: { url: string; on: PageStore } = JSON.parse(line)
    const people = await signInAll(url)
    // An author has room for a hundred keys.
    const pages = (await openPages(people, on)).filter(({ fields }) => !fields?.form_id)
    const visit = (page: Page) => visitPage(url, people, page)
    const ways = walkers.map((walker) => again(pages.filter(({ person }) => person === walker)))
    // The first visit of a page compiles what renders it.
    for (const page of pages) await visit(page)
    start = () => {
      isWalking = true
      for (const [nth, way] of ways.entries()) {
        strolls.push(stroll(visit, way, (nth * pageEveryMs) / walkers.length))
      }
    }
  } else if (line === "walk") {
    start()
  } else {
    isWalking = false
    await Promise.all(strolls.splice(0))
  }
  console.log("done")
}
