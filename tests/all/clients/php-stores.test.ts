/** Where the PHP client keeps its record: a file, Laravel's cache, and what page loads at the same time do. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { type FakePazar, startFakePazar } from "../../harness/http/fake-pazar.ts"
import { openInstalledClient, type PhpClient, type Step } from "../../harness/php/php-client.ts"
import { temporaryFolder } from "../../harness/program.ts"

const start = 1_800_000_000
const folder = temporaryFolder()
/** As many page loads at once as a busy site has. */
const pageLoads = 8

let pazar: FakePazar
let clients: readonly PhpClient[]
beforeAll(async () => {
  pazar = await startFakePazar()
  clients = Array.from({ length: pageLoads }, () => openInstalledClient())
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await pazar.close()
  rmSync(folder, { recursive: true })
})

const check: Step = { call: "check", arguments: ["good"], now: start }
const cached: Step = { call: "cached", arguments: ["good"], now: start + 1 }

function scenario(
  store: Record<string, unknown>,
  steps: readonly Step[],
  server = `signed/${start}`,
) {
  const base_url = `${pazar.url}/${server}`
  const options = { base_url, key: "pzr_sk_1", items: [7], keys: [pazar.pinned], timeout: 60 }
  return { options: { ...options, ...store }, steps }
}
const run = async (store: Record<string, unknown>, steps: readonly Step[]) => {
  const [client] = clients
  return (await client?.run(scenario(store, steps))) ?? []
}
const valid = (source: string) => expect.objectContaining({ state: "valid", source })
const notAsked = { state: "unknown", reason: "not_asked" }

describe("a file", () => {
  test("is the owner's alone, and whole", async () => {
    const file = join(folder, "owner.record")
    expect(await run({ file }, [check, cached])).toEqual([valid("server"), valid("cache")])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).filter((name) => name.startsWith("owner"))).toEqual([
      "owner.record",
      "owner.record.lock",
    ])
  })

  test("is gone after forget", async () => {
    const file = join(folder, "forgotten.record")
    const forget = { call: "forget" }
    expect(await run({ file }, [check, forget, cached, forget])).toEqual([
      ...[valid("server"), null, notAsked, null],
    ])
  })

  test("that cannot be written is no reason to ask, or to fail", async () => {
    const blocked = join(folder, "missing", "x.record")
    expect(await run({ file: blocked }, [check, cached])).toEqual([notAsked, notAsked])
    const directory = join(folder, "directory.record")
    mkdirSync(directory)
    expect(await run({ file: directory }, [check])).toEqual([
      { state: "unknown", reason: "forged" },
    ])
    expect(readdirSync(folder).filter((name) => /^directory\.record\.[^l]/.test(name))).toEqual([])
  })

  test("of which many page loads read at once is asked about once", async () => {
    const file = join(folder, "busy.record")
    const server = `signed/${start}/busy`
    const results = await Promise.all(
      clients.map((client) => client.run(scenario({ file }, [check], server))),
    )
    expect(pazar.count(`/${server}`)).toBe(1)
    const states = results.flat().map((result) => JSON.stringify(result))
    expect(states.filter((state) => state.includes('"server"')).length).toBe(1)
    expect(states.every((state) => /"(server|cache)"|not_asked/.test(state))).toBe(true)
  })

  test("of many processes loses no write that it confirmed", async () => {
    const file = join(folder, "counted.record")
    const countUp = scenario({ file }, [{ call: "countUp", arguments: [60] }])
    const counts = await Promise.all(clients.map((client) => client.run(countUp)))
    const confirmed = counts.flat().reduce<number>((sum, count) => sum + Number(count), 0)
    expect(Number(readFileSync(file, "utf8"))).toBe(confirmed)
  })

  describe("that a page load changes while the server is asked", () => {
    /** Waits for the page load before it answers. */
    async function checkBeside(name: string, pageLoad: Step) {
      const [asking, page] = clients
      const file = join(folder, name)
      const ended = start + 15 * 86_400
      const slow = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        async fetch(request) {
          await page?.run(scenario({ file }, [pageLoad]))
          const { pathname } = new URL(request.url)
          const { method, headers } = request
          return fetch(pazar.url + pathname, { method, headers, body: await request.text() })
        },
      })
      const base_url = `${slow.url.origin}/signed/${ended}`
      try {
        const results = await asking?.run(
          scenario({ file }, [
            check,
            { ...check, now: ended, options: { base_url } },
            { ...cached, now: ended + 3 },
          ]),
        )
        return results?.slice(1)
      } finally {
        await slow.stop(true)
      }
    }

    test("keeps the answer, if that load wrote that the receipt has ended", async () => {
      const answered = await checkBeside("beside.record", {
        ...cached,
        now: start + 15 * 86_400 + 2,
      })
      expect(answered).toEqual([valid("server"), valid("cache")])
    })

    test("keeps the answer, if the clock of that load is behind", async () => {
      const answered = await checkBeside("behind.record", { ...cached, now: start })
      expect(answered).toEqual([valid("server"), valid("cache")])
    })

    test("keeps the answer about another code that was entered", async () => {
      const file = "entered.record"
      const nope: Step = { call: "check", arguments: ["nope"], now: start + 15 * 86_400 }
      await checkBeside(file, nope)
      const results = await run({ file: join(folder, file) }, [{ ...nope, call: "cached" }])
      expect(results).toEqual([expect.objectContaining({ state: "invalid" })])
    })

    test("stays empty, if that load has emptied it", async () => {
      const answered = await checkBeside("emptied.record", { call: "forget" })
      expect(answered).toEqual([valid("server"), notAsked])
    })
  })

  test("is written once, when a page load finds that the receipt has ended", async () => {
    const file = join(folder, "ended.record")
    const ended = start + 15 * 86_400
    await run({ file }, [check, { ...cached, now: ended }])
    const text = readFileSync(file, "utf8")
    const later = await run({ file }, [{ ...cached, now: ended + 60 }])
    expect(later).toEqual([{ state: "unknown", reason: "receipt_expired" }])
    expect(readFileSync(file, "utf8")).toBe(text)
    expect(await run({ file }, [cached])).toEqual(later)
  })

  test("that somebody made readable is replaced by one that is not", async () => {
    const file = join(folder, "open.record")
    writeFileSync(file, "anything")
    chmodSync(file, 0o644)
    expect(await run({ file }, [check])).toEqual([valid("server")])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe("Laravel's cache", () => {
  const store = { laravel: "licence" }

  test("keeps the record until forget", async () => {
    const steps = [cached, check, cached, { call: "forget" }, cached]
    expect(await run(store, steps)).toEqual([
      ...[notAsked, valid("server"), valid("cache"), null, notAsked],
    ])
  })

  test("whose lock another request holds is no reason to ask", async () => {
    const lock = { call: "lockCache", arguments: ["licence:lock"] }
    expect(await run(store, [lock, check])).toEqual([null, notAsked])
  })
})
