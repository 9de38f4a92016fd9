/**
 * Preloaded into a server, so that the program itself stays as it is: counts what requests run on SQLite, and
 * tells the number at COUNTER_PORT. The server's own timers are not counted, nor BEGIN, COMMIT and PRAGMA, which
 * ask for no rows.
 */

import { Database, type Statement } from "bun:sqlite"
import { AsyncLocalStorage } from "node:async_hooks"

type Call = (...values: never[]) => unknown

const uncounted = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA)\b/i
const runs = ["all", "get", "run", "values", "iterate"] as const
const request = new AsyncLocalStorage<true>()
const wrapped = new WeakSet<Statement>()
let queries = 0

function count(sql: string): void {
  if (request.getStore() === true && !uncounted.test(sql)) queries += 1
}

function countRuns(statement: Statement, sql: string): void {
  // `query` calls `prepare`, so a statement may come here twice.
  if (wrapped.has(statement)) return
  wrapped.add(statement)
  for (const name of runs) {
    const run: Call = statement[name].bind(statement)
    Object.assign(statement, {
      [name](...values: never[]) {
        count(sql)
        return run(...values)
      },
    })
  }
}

for (const name of ["prepare", "query"] as const) {
  const make: (sql: string, ...values: never[]) => Statement = Database.prototype[name]
  Object.assign(Database.prototype, {
    [name](this: Database, ...given: Parameters<typeof make>) {
      const statement = make.apply(this, given)
      countRuns(statement, given[0])
      return statement
    },
  })
}
const { run } = Database.prototype
Object.assign(Database.prototype, {
  run(this: Database, ...given: Parameters<typeof run>) {
    count(given[0])
    return run.apply(this, given)
  },
})

const { serve } = Bun
serve({
  hostname: "127.0.0.1",
  port: Number(process.env.COUNTER_PORT),
  fetch: () => new Response(String(queries)),
})

const mark =
  (handle: Call): Call =>
  (...given) =>
    request.run(true, () => handle(...given))
Object.assign(Bun, {
  serve: ({ fetch, routes, ...rest }: { fetch: Call; routes: Record<string, Call> }) =>
    serve({
      ...rest,
      fetch: mark(fetch),
      routes: Object.fromEntries(
        Object.entries(routes).map(([path, handle]) => [path, mark(handle)]),
      ),
      // Each handler takes and gives what it did before.
    } as Parameters<typeof serve>[0]),
})
