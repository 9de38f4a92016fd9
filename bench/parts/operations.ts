/** The operations whose only contender is the limit. */
import type { Contender } from "../contenders/contender.ts"
import { captureAnswer, startLimit } from "../contenders/limit.ts"
import { startPazar } from "../contenders/pazar.ts"
import type { Workload } from "../load/load.ts"
import {
  accountWorkload,
  itemWorkload,
  listWorkload,
  notModifiedWorkload,
  paths,
  withConstantAnswer,
} from "../load/workloads.ts"
import { race } from "../report/race.ts"
import { type PartReport, speedFinding, type Target } from "../report/report.ts"
import type { Store } from "../stores/stores.ts"
import { type Context, listSettleMs, marketOf, type Part } from "./part.ts"

type Comparison = Readonly<{
  what: string
  path: string
  target: Target
  /** Where the usual time is too short to warm. */
  settleMs?: number
  workload(store: Store, pazar: Contender): Workload | Promise<Workload>
}>

async function compareWithLimit(
  { options, cores, rounds, sqliteStore }: Context,
  { what, path, target, settleMs = rounds.settleMs, workload: prepare }: Comparison,
): Promise<PartReport> {
  const store = await sqliteStore(marketOf(options.purchases))
  const pazar = await startPazar(store, cores.server)
  const workload = await prepare(store, pazar)
  const answer = await captureAnswer(pazar.port, workload)
  const limit = await startLimit(path, answer, cores.server)
  try {
    const constant = withConstantAnswer(workload, answer.body ?? "")
    const [own, least] = await race(
      [
        { contender: pazar, workload },
        { contender: limit, workload: constant },
      ],
      { ...rounds, settleMs },
    )
    const found = speedFinding(what, target, own, least)
    return { findings: [found], laps: [own, least] }
  } finally {
    await Promise.all([pazar.stop(), limit.stop()])
  }
}

export const item: Part = {
  name: "item",
  title: "Reading an item",
  run: (context) =>
    compareWithLimit(context, {
      what: "item, against the limit",
      path: paths.item,
      target: {
        atLeast: 0.42,
        because:
          "it takes 34 µs beside the limit's 27; an account, which is in a cache, takes 23, so the rest is mostly the row of SQLite",
      },
      workload: itemWorkload,
    }),
}

export const account: Part = {
  name: "account",
  title: "Reading the account",
  run: (context) =>
    compareWithLimit(context, {
      what: "account, against the limit",
      path: paths.account,
      target: {
        atLeast: 0.53,
        because:
          "taken apart in an earlier run, of 20 µs beside the limit's 26, 4 were our program, 12 the runtime's functions that it calls, and 3 wake a generator that sleeps more beside a slower server",
      },
      workload: accountWorkload,
    }),
}

export const list: Part = {
  name: "list",
  title: "Listing 1,000 items",
  run: (context) =>
    compareWithLimit(context, {
      what: "list of 1,000 items, against sending the same constant bytes",
      path: paths.list,
      target: { atLeast: 0.6 },
      settleMs: listSettleMs,
      workload: listWorkload,
    }),
}

export const notModified: Part = {
  name: "not-modified",
  title: "Confirming a list that the client has",
  run: (context) =>
    compareWithLimit(context, {
      what: "304 for a list, against the limit",
      path: paths.list,
      target: { atLeast: 0.53, because: "it does what an account does, and one comparison more" },
      async workload(store, pazar) {
        const lists = listWorkload(store)
        const tags: string[] = []
        for (let account = 0; account < lists.count; account += 1) {
          const { headers } = await captureAnswer(pazar.port, lists, account)
          tags.push(headers.etag ?? "")
        }
        return notModifiedWorkload(store, tags)
      },
    }),
}
