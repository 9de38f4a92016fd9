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
import { type PartReport, speedFinding } from "../report/report.ts"
import type { Store } from "../stores/stores.ts"
import { type Context, listSettleMs, marketOf, type Part } from "./part.ts"

type Comparison = Readonly<{
  what: string
  path: string
  atLeast: number
  /** Where the usual time is too short to warm. */
  settleMs?: number
  workload(store: Store, pazar: Contender): Workload | Promise<Workload>
}>

async function compareWithLimit(
  { options, cores, rounds, sqliteStore }: Context,
  { what, path, atLeast, settleMs = rounds.settleMs, workload: prepare }: Comparison,
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
    const found = speedFinding(what, { atLeast }, own, least)
    return { findings: [found], laps: [own, least], notes: [] }
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
      atLeast: 0.62,
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
      atLeast: 0.66,
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
      atLeast: 0.6,
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
      atLeast: 0.66,
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
