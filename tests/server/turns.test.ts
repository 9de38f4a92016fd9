import { afterAll, beforeAll, expect, test } from "bun:test"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { until } from "../harness/until.ts"

let program: Program
const headers: Record<string, Record<string, string>> = {}
beforeAll(async () => {
  program = await startProgram()
  for (const [at, author] of ["ada", "bob"].entries()) {
    await program.load([account(author), item(author, at + 1), purchase(`${author}-1`, at + 1)])
    await givePassword(program, author)
    const visitor = await openSignedIn(program.url, author)
    const { secret } = await program.issue(author)
    headers[author] = {
      Authorization: `Bearer ${secret}`,
      Cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    }
  }
})
afterAll(() => program.close())

/** Makes each read of sales wait until the test ends it. `begun` counts the reads. */
function holdSales() {
  const { sales } = program.app.store
  const before = { ...sales }
  const held: (() => void)[] = []
  let begun = 0
  async function hold(): Promise<void> {
    begun += 1
    const { promise, resolve } = Promise.withResolvers<void>()
    held.push(resolve)
    await promise
  }
  Object.assign(sales, {
    list: (...args: Parameters<typeof sales.list>) => hold().then(() => before.list(...args)),
    listPurchases: (...args: Parameters<typeof sales.listPurchases>) =>
      hold().then(() => before.listPurchases(...args)),
  })
  return {
    begun: () => begun,
    endOne: () => held.shift()?.(),
    release() {
      Object.assign(sales, before)
      for (const end of held) end()
    },
  }
}

const get = (author: string, path: string, signal?: AbortSignal) => {
  const url = program.url + path.replace("/workspace", `/workspace/${author}`)
  return fetch(url, { headers: headers[author] ?? {}, ...(signal && { signal }) })
}

/** The server has processed what was sent before. */
async function untilProcessed(): Promise<void> {
  for (let at = 0; at < 20; at += 1) await (await fetch(`${program.url}/healthz`)).text()
}

test.each([
  ["/api/purchases/all", "/v3/market/author/sales"],
  ["/workspace/sales", "/workspace/sales"],
  ["/workspace/sales.csv", "/workspace/sales.csv"],
])("200: %s reads for one request of an author at a time", async (path, other) => {
  const held = holdSales()
  try {
    const first = get("ada", path)
    await until(() => held.begun() === 1 || undefined)
    const second = get("ada", other)
    await untilProcessed()
    expect(held.begun()).toBe(1)
    const ofBob = get("bob", path)
    await until(() => held.begun() === 2 || undefined)
    held.endOne()
    await until(() => held.begun() === 3 || undefined)
    held.release()
    for (const response of [first, second, ofBob]) {
      expect((await response).status).toBe(200)
      expect(await (await response).text()).not.toBe("")
    }
  } finally {
    held.release()
  }
})

test.each(["/api/purchases/all", "/v3/market/author/sales", "/workspace/sales"])(
  "%s: nothing is read for a client that is gone",
  async (path) => {
    const held = holdSales()
    try {
      const first = get("ada", path)
      await until(() => held.begun() === 1 || undefined)
      const client = new AbortController()
      const gone = get("ada", path, client.signal).catch((error: Error) => error.name)
      await untilProcessed()
      const next = get("ada", path)
      await untilProcessed()
      client.abort()
      expect(await gone).toBe("AbortError")
      await untilProcessed()
      held.endOne()
      expect((await first).status).toBe(200)
      await until(() => held.begun() === 2 || undefined)
      held.endOne()
      expect((await next).status).toBe(200)
      await untilProcessed()
      expect(held.begun()).toBe(2)
    } finally {
      held.release()
    }
  },
)

test("503: the twelfth list of an author at once", async () => {
  const held = holdSales()
  try {
    const first = get("ada", "/api/purchases/all")
    await until(() => held.begun() === 1 || undefined)
    const waiting = Array.from({ length: 10 }, () => get("ada", "/api/purchases/all"))
    await untilProcessed()
    const rejected = await get("ada", "/api/purchases/all")
    expect([rejected.status, rejected.headers.get("pazar-reason")]).toEqual([503, "unavailable"])
    expect((await get("ada", "/api/account/details")).status).toBe(200)
    held.release()
    for (const response of [first, ...waiting]) expect((await response).status).toBe(200)
  } finally {
    held.release()
  }
})
