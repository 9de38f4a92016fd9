/**
 * Each operation against the upper limit. A validation also against Fastify, PHP-FPM and another checkout, and on
 * PostgreSQL.
 */
import { type Contender, isMissing, type Missing } from "../contenders/contender.ts"
import { startFastify } from "../contenders/fastify.ts"
import { captureResponse, startFixedResponse } from "../contenders/fixed-response.ts"
import { startPazar, startPazarPostgres } from "../contenders/pazar.ts"
import { startPhpFpm } from "../contenders/php-fpm.ts"
import type { Workload } from "../load/load.ts"
import {
  accountWorkload,
  itemWorkload,
  listWorkload,
  paths,
  validationWorkload,
  withConstantBody,
} from "../load/workloads.ts"
import { revisionOf } from "../program.ts"
import { type Racer, race } from "../race.ts"
import { compareSpeed, type Row } from "../report.ts"
import { spreadOf } from "../statistics.ts"
import { withPostgres } from "../stores/bench-postgres.ts"
import type { Store } from "../stores/bench-stores.ts"
import { type Context, marketOf, type Part } from "./part.ts"

export const operations: Part = {
  name: "operations",
  async run(context) {
    const store = await context.sqliteStore(marketOf(context.purchases))
    return [
      ...(await validation(context, store)),
      await againstLimit(context, store, "item", paths.item, itemWorkload(store)),
      await againstLimit(context, store, "account", paths.account, accountWorkload(store)),
      await againstLimit(context, store, "1,000 items", paths.list, listWorkload(store)),
      await onPostgres(context, store),
    ]
  },
}

/** Pazar and the upper limit, which returns the same bytes. */
async function startPair({ cores }: Context, store: Store, path: string, workload: Workload) {
  const pazar = await startPazar(store, cores.server)
  const response = await captureResponse(pazar.port, workload)
  const limit = await startFixedResponse(path, response, cores.server)
  return [
    { contender: pazar, workload },
    { contender: limit, workload: withConstantBody(workload, response.body ?? "") },
  ] as const
}

async function againstLimit(
  context: Context,
  store: Store,
  what: string,
  path: string,
  workload: Workload,
): Promise<Row> {
  const [own, limit] = await race(await startPair(context, store, path, workload), context.rounds)
  if (own === undefined || limit === undefined) throw new Error("a race without laps")
  return compareSpeed(`${what}: throughput vs. fixed response`, own, limit)
}

async function validation(context: Context, store: Store): Promise<readonly Row[]> {
  const { cores, rounds, isQuick, others } = context
  const workload = validationWorkload(store)
  const racers: Racer[] = [...(await startPair(context, store, paths.validation, workload))]
  const names = ["Pazar", "fixed response"]
  const missing: Row[] = []
  const enter = (name: string, started: Contender | Missing, ownWorkload = workload) => {
    const what = `validation: throughput vs. ${name}`
    if (isMissing(started)) {
      missing.push({ what, measured: null, unit: "×", note: started.missing })
      return
    }
    racers.push({ contender: started, workload: ownWorkload })
    names.push(name)
  }
  if (!isQuick) {
    enter("Fastify", await startFastify(store, cores.server))
    enter("PHP-FPM", await startPhpFpm(store, cores.server))
  }
  for (const other of others) {
    const theirs = await context.sqliteStore(store.market, other)
    const { version, commit } = revisionOf(other)
    const started = await startPazar(theirs, cores.server)
    enter(`${version} (${commit})`, started, validationWorkload(theirs))
  }
  const [own, ...rivals] = await race(racers, 2 * rounds)
  if (own === undefined) throw new Error("a race without laps")
  const cpu = spreadOf(own.cpuMicros).median
  return [
    {
      what: "validations per second, one core",
      measured: spreadOf(own.rates),
      unit: "/s",
      note: `${cpu.toFixed(0)} µs CPU`,
    },
    ...rivals.map((laps, at) =>
      compareSpeed(`validation: throughput vs. ${names[at + 1]}`, own, laps),
    ),
    ...missing,
  ]
}

/** CPU time is the sum of Pazar's and the database server's. */
const onPostgres = (context: Context, sqlite: Store): Promise<Row> =>
  withPostgres(context, async (server) => {
    const { cores, rounds } = context
    const store = await server.prepareStore(sqlite.market)
    const [postgres, own] = await race(
      [
        {
          contender: await startPazarPostgres(store, server, cores.server),
          workload: validationWorkload(store),
        },
        { contender: await startPazar(sqlite, cores.server), workload: validationWorkload(sqlite) },
      ],
      rounds,
    )
    if (postgres === undefined || own === undefined) throw new Error("a race without laps")
    return compareSpeed("validation: PostgreSQL vs. SQLite", postgres, own)
  })
