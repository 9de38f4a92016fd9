/** Measures the CPU time and the queries of each page. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import type { Visitor } from "../../tests/harness/browser/visitor.ts"
import type { Contender } from "../contenders/contender.ts"
import { startPazar } from "../contenders/pazar.ts"
import { type Cores, cpuSecondsOf, pickFreePort } from "../processes/processes.ts"
import { dataFolder, runPazar, type Settings } from "../processes/program.ts"
import { finding } from "../report/report.ts"
import { shuffle, spreadOf } from "../report/statistics.ts"
import { codeOf, usernameOf } from "../stores/marketplace.ts"
import { copyStore, type Store } from "../stores/stores.ts"
import type { Part } from "./part.ts"

/** 10,000 items for each author. */
const market = { accounts: 2, items: 20_000, purchases: 100_000, seed: 1 }
const folder = join(dataFolder, "pages")
const [authorName, operatorName] = [usernameOf(0), "deniz"]
const password = "kiraz bülbül pencere"
const countedVisits = 7
/** In each round: the kernel counts CPU time in hundredths of a second. */
const visits = 40
/** An author may sign in 200 times in a while. */
const signIns = 4

type People = Readonly<{ stranger: Visitor; author: Visitor; operator: Visitor }>

type Page = Readonly<{
  name: string
  visits: number
  visit(people: People): Promise<void>
  /** As many as it asks today: more are seen here first. */
  queriesMax: number
  /** About twice what it took when the part was written, on a busy machine. */
  msMax: number
}>

const measuredPages: readonly Page[] = [
  {
    name: "sign-in page",
    visits,
    visit: ({ stranger }) => open(stranger, "/login"),
    queriesMax: 0,
    msMax: 2,
  },
  {
    name: "signing in, with the page",
    visits: signIns,
    async visit({ stranger }) {
      stranger.cookies.clear()
      await enter(stranger, "/login", authorName)
      stranger.cookies.clear()
    },
    queriesMax: 20,
    msMax: 130,
  },
  {
    name: "overview",
    visits,
    visit: ({ author }) => open(author, "/workspace"),
    queriesMax: 10,
    msMax: 15,
  },
  {
    name: "keys",
    visits,
    visit: ({ author }) => open(author, "/workspace/settings/keys"),
    queriesMax: 8,
    msMax: 5,
  },
  {
    name: "items, of 10,000",
    visits,
    visit: ({ author }) => open(author, "/workspace/items"),
    queriesMax: 70,
    msMax: 45,
  },
  {
    name: "checking a code, with its result",
    visits,
    async visit({ author }) {
      const form = { purchase_code: codeOf(market, 77) }
      const { location } = await author.submit("/workspace/check", form)
      await open(author, location ?? "")
    },
    queriesMax: 52,
    msMax: 15,
  },
  {
    name: "console, traffic of a month",
    visits,
    visit: ({ operator }) => open(operator, "/console/traffic?span=month"),
    queriesMax: 9,
    msMax: 55,
  },
]

export const pages: Part = {
  name: "pages",
  title: "Pages",
  async run({ cores, rounds, sqliteStore }) {
    const store = copyStore(await sqliteStore(market), folder)
    try {
      await fill(store)
      const queries = await countQueries(store, cores.server)
      const times = await timePages(store, cores.server, rounds.rounds)
      return {
        findings: measuredPages.flatMap((page) => [
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
        ]),
        laps: [],
        notes: [
          "One visitor, one page after the other, on SQLite with a month of traffic. Queries are counted in a server of their own, by a module that is loaded before the program; the server's own timers, BEGIN, COMMIT and PRAGMA are left out.",
        ],
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** People who can sign in, and what a month of all traffic leaves in the store. */
async function fill({ program, settings, keys }: Store): Promise<void> {
  const tell = (...args: string[]) => runPazar(args, settings, program, `${password}\n`)
  await tell("account", "password", authorName)
  await tell("operator", "create", operatorName)
  // The program is loaded here only: it would be in the way of the generator's other parts.
  const { readConfig } = await import("../../src/config/config.ts")
  const { openApp } = await import("../../src/server/app.ts")
  const { fillKeys, fillTraffic } = await import("../../tests/soak/month-of-traffic.ts")
  const { store, vault, close } = await openApp(readConfig(settings))
  try {
    const known = keys.map((key) => store.keys.findByLookup(vault.lookup(key)))
    const keyIds = (await Promise.all(known)).flatMap((key) => (key === null ? [] : [key.id]))
    await fillTraffic(store, [authorName])
    await fillKeys(store, keyIds)
  } finally {
    await close()
  }
}

type Site = Readonly<{ server: Contender; people: People }>

async function openSite(store: Store, cores: Cores, settings: Settings = {}): Promise<Site> {
  const { openVisitor } = await import("../../tests/harness/browser/visitor.ts")
  const server = await startPazar(store, cores, settings)
  const url = `http://127.0.0.1:${server.port}`
  const [stranger, author, operator] = [openVisitor(url), openVisitor(url), openVisitor(url)]
  await enter(author, "/login", authorName)
  await enter(operator, "/console/login", operatorName)
  return { server, people: { stranger, author, operator } }
}

type Figures = ReadonlyMap<Page, readonly number[]>

async function countQueries(store: Store, cores: Cores): Promise<Figures> {
  const [bun = "", ...rest] = store.program.server
  const counter = join(import.meta.dir, "../contenders/count-queries.ts")
  const program = { ...store.program, server: [bun, "--preload", counter, ...rest] }
  const port = pickFreePort()
  const { server, people } = await openSite({ ...store, program }, cores, {
    COUNTER_PORT: String(port),
  })
  const readCount = async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text())
  const counts = new Map<Page, number[]>(measuredPages.map((page) => [page, []]))
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

async function timePages(store: Store, cores: Cores, rounds: number): Promise<Figures> {
  const { server, people } = await openSite(store, cores)
  const times = new Map<Page, number[]>(measuredPages.map((page) => [page, []]))
  try {
    for (const page of measuredPages) await visitOften(page, people)
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

async function visitOften({ visits, visit }: Page, people: People): Promise<void> {
  for (let count = 0; count < visits; count += 1) await visit(people)
}

async function enter(visitor: Visitor, path: string, name: string): Promise<void> {
  const { status } = await visitor.submit(path, { name, password }, path)
  if (status !== 303) throw new Error(`${name} was not let in: ${status}`)
}

async function open(visitor: Visitor, path: string): Promise<void> {
  const { status } = await visitor.get(path)
  if (status !== 200) throw new Error(`${path} was answered by ${status}`)
}
