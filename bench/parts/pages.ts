/** Measures every page on both stores, and closely those that are opened most: their CPU time and their queries. */
import { join } from "node:path"
import type { Visitor } from "../../tests/harness/browser/visitor.ts"
import type { Contender } from "../contenders/contender.ts"
import { startPazar } from "../contenders/pazar.ts"
import type { Page } from "../load/page-list.ts"
import type { People, Visit } from "../load/visit-pages.ts"
import { type Cores, cpuSecondsOf, pickFreePort } from "../processes/processes.ts"
import type { Settings } from "../processes/program.ts"
import { type Finding, finding } from "../report/report.ts"
import { median, shuffle, spreadOf } from "../report/statistics.ts"
import { codeOf, usernameOf } from "../stores/marketplace.ts"
import { market, onPageStores, type PageStore } from "../stores/page-stores.ts"
import type { Store } from "../stores/stores.ts"
import type { Part } from "./part.ts"

/** Of the first author: the second one signs in so often that earlier sessions end. */
const soldCode = codeOf(market, 1)
const countedVisits = 7
/** In each round: the kernel counts CPU time in hundredths of a second. */
const visits = 40
/** An author may sign in 200 times in a while. */
const signIns = 4
/** Of the slowest and the largest pages. */
const namedPages = 5

type Counted = Readonly<{
  name: string
  visits: number
  visit(people: People): Promise<void>
  /** As many as it asks today: more are seen here first. */
  queriesMax: number
  /** About one and a half times what was measured on a quiet machine. */
  msMax: number
}>

const countedPages: readonly Counted[] = [
  {
    name: "sign-in page",
    visits,
    visit: ({ stranger }) => open(stranger, "/login"),
    queriesMax: 0,
    msMax: 1.5,
  },
  {
    name: "signing in, with the page",
    visits: signIns,
    async visit({ stranger }) {
      stranger.cookies.clear()
      await (await visiting()).enter(stranger, "/login", usernameOf(1))
      stranger.cookies.clear()
    },
    queriesMax: 25,
    msMax: 100,
  },
  {
    name: "overview",
    visits,
    visit: ({ items }) => open(items, "/workspace"),
    queriesMax: 19,
    msMax: 45,
  },
  {
    name: "keys",
    visits,
    visit: ({ items }) => open(items, "/workspace/settings/keys"),
    queriesMax: 9,
    msMax: 15,
  },
  {
    name: "items, of 10,000",
    visits,
    visit: ({ items }) => open(items, "/workspace/items"),
    queriesMax: 4,
    msMax: 15,
  },
  {
    name: "checking a code, with its result",
    visits,
    async visit({ items }) {
      await items.submit("/workspace/check", { purchase_code: soldCode })
    },
    queriesMax: 35,
    msMax: 8,
  },
  {
    name: "console, traffic of 30 days",
    visits,
    visit: ({ operator }) => open(operator, "/console/traffic?days=30"),
    queriesMax: 11,
    msMax: 60,
  },
]

export const pages: Part = {
  name: "pages",
  title: "Pages",
  async run(context) {
    const { cores, rounds } = context
    const findings = await onPageStores(context, async (on) => [
      ...(await timeAll(on, cores.server)),
      ...(on.kind === "SQLite" ? await countAll(on, cores.server, rounds.rounds) : []),
    ])
    return {
      findings: findings.flat(),
      notes: [
        "3,000 authors, 40,000 items, 2 million purchases and a month of traffic. One author has 10,000 items, another one 60,000 purchases.",
        `One visitor, one page after the other. The time of a page is the median of ${countedVisits} visits, from the request to the last byte, for every page of workspace, console and documentation, and to the first byte of a file.`,
        "CPU time and queries are those of SQLite. Queries are counted in a server of their own, by a module that is loaded before the program; the server's own timers, BEGIN, COMMIT and PRAGMA are left out.",
      ],
    }
  },
}

/** Loading it loads the program, which would be in the way of the generator in other parts. */
const visiting = () => import("../load/visit-pages.ts")

type Site = Readonly<{ server: Contender; url: string; people: People }>

async function openSite(store: Store, cores: Cores, settings: Settings = {}): Promise<Site> {
  const server = await startPazar(store, cores, settings)
  const url = `http://127.0.0.1:${server.port}`
  return { server, url, people: await (await visiting()).signInAll(url) }
}

type Timed = Readonly<{ page: Page; ms: number; bytes: number }>

async function timeAll(on: PageStore, cores: Cores): Promise<readonly Finding[]> {
  const { openPages, visitPage } = await visiting()
  const { server, url, people } = await openSite(on.store, cores)
  try {
    const timed: Timed[] = []
    for (const page of await openPages(people, on)) {
      await visitPage(url, people, page)
      const visits: (readonly Visit[])[] = []
      for (let visit = 0; visit < countedVisits; visit += 1) {
        visits.push(await visitPage(url, people, page))
      }
      // A form and the page behind it are two answers.
      for (const [nth, { bytes }] of (visits[0] ?? []).entries()) {
        timed.push({ page, ms: median(visits.map((each) => each[nth]?.ms ?? 0)), bytes })
      }
    }
    return [
      findMost(`slowest of ${timed.length} pages on ${on.kind}`, 100, "ms", timed, ({ ms }) => ms),
      findMost(`largest page on ${on.kind}`, 100, "KB", timed, ({ bytes }) => bytes / 1_000),
    ]
  } finally {
    await server.stop()
  }
}

function findMost(
  what: string,
  atMost: number,
  unit: string,
  timed: readonly Timed[],
  measureOf: (timed: Timed) => number,
): Finding {
  const most = timed
    .toSorted((one, other) => measureOf(other) - measureOf(one))
    .slice(0, namedPages)
  const names = most.map((each) => {
    const { person, path } = each.page
    return `${path.replace(/key_\w+|(?<=\/)[\w-]{30,}/g, "…")} (${person}) ${measureOf(each).toFixed(1)}`
  })
  const [first] = most
  return finding(what, { atMost }, unit, first ? measureOf(first) : null, names.join(", "))
}

async function countAll(
  { store }: PageStore,
  cores: Cores,
  rounds: number,
): Promise<readonly Finding[]> {
  const queries = await countQueries(store, cores)
  const times = await timeCpu(store, cores, rounds)
  return countedPages.flatMap((page) => [
    finding(
      `${page.name}: queries`,
      { atMost: page.queriesMax },
      "",
      spreadOf(queries.get(page) ?? []),
    ),
    finding(
      `${page.name}: server CPU`,
      { atMost: page.msMax },
      "ms",
      spreadOf(times.get(page) ?? []),
    ),
  ])
}

type Figures = ReadonlyMap<Counted, readonly number[]>

async function countQueries(store: Store, cores: Cores): Promise<Figures> {
  const [bun = "", ...rest] = store.program.server
  const counter = join(import.meta.dir, "../contenders/count-queries.ts")
  const program = { ...store.program, server: [bun, "--preload", counter, ...rest] }
  const port = pickFreePort()
  const { server, people } = await openSite({ ...store, program }, cores, {
    COUNTER_PORT: String(port),
  })
  const readCount = async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text())
  const counts = new Map<Counted, number[]>(countedPages.map((page) => [page, []]))
  try {
    for (const [page, own] of counts) {
      await visitOften(page, people)
      for (let visit = 0; visit < countedVisits; visit += 1) {
        const before = await readCount()
        await page.visit(people)
        own.push((await readCount()) - before)
      }
    }
    return counts
  } finally {
    await server.stop()
  }
}

async function timeCpu(store: Store, cores: Cores, rounds: number): Promise<Figures> {
  const { server, people } = await openSite(store, cores)
  const times = new Map<Counted, number[]>(countedPages.map((page) => [page, []]))
  try {
    for (const page of countedPages) await visitOften(page, people)
    for (let round = 0; round < rounds; round += 1) {
      for (const [page, own] of shuffle([...times], Math.random)) {
        const before = cpuSecondsOf(server.pids())
        await visitOften(page, people)
        own.push(((cpuSecondsOf(server.pids()) - before) / page.visits) * 1000)
      }
    }
    return times
  } finally {
    await server.stop()
  }
}

async function visitOften({ visits, visit }: Counted, people: People): Promise<void> {
  for (let count = 0; count < visits; count += 1) await visit(people)
}

async function open(visitor: Visitor, path: string): Promise<void> {
  const { status } = await visitor.get(path)
  if (status !== 200) throw new Error(`${path} was answered by ${status}`)
}
