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
import { type ScriptedPazar, startScriptedPazar } from "../harness/http/scripted-pazar.ts"
import { openInstalledClient, type PhpClient, type Step } from "../harness/php/php-client.ts"
import { temporaryFolder } from "../harness/program.ts"

const start = 1_800_000_000
const folder = temporaryFolder()
const pageLoads = 8

let pazar: ScriptedPazar
let clients: readonly PhpClient[]
beforeAll(async () => {
  pazar = await startScriptedPazar()
  clients = Array.from({ length: pageLoads }, () => openInstalledClient())
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await pazar.close()
  rmSync(folder, { recursive: true })
})

const check: Step = { call: "check", arguments: ["good"], now: start }
const cached: Step = { call: "cached", arguments: ["good"], now: start + 1 }

function scenario(store: Record<string, unknown>, steps: readonly Step[], id = "") {
  const options = { base_url: pazar.url({ at: start, id }), key: "pzr_sk_1", items: [7] }
  return { options: { ...options, keys: [pazar.pin("a")], timeout: 60, ...store }, steps }
}
const run = async (store: Record<string, unknown>, steps: readonly Step[]) => {
  const [client] = clients
  return (await client?.run(scenario(store, steps))) ?? []
}
const valid = (source: string) => expect.objectContaining({ state: "valid", source })
const notChecked = expect.objectContaining({ state: "unknown", reason: "not_checked" })

describe("a file", () => {
  test("is readable by its owner only, and complete", async () => {
    const file = join(folder, "owner.record")
    expect(await run({ file }, [check, cached])).toEqual([valid("server"), valid("cache")])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).filter((name) => name.startsWith("owner"))).toEqual([
      "owner.record",
      "owner.record.lock",
    ])
  })

  test("is deleted by forget", async () => {
    const file = join(folder, "forgotten.record")
    const forget = { call: "forget" }
    expect(await run({ file }, [check, forget, cached, forget])).toEqual([
      ...[valid("server"), null, notChecked, null],
    ])
  })

  test("that cannot be written causes a forced request only, and no error", async () => {
    const blocked = join(folder, "missing", "x.record")
    const notWritable = { reason: "store_not_writable" }
    const unsent = expect.objectContaining({ state: "unknown", ...notWritable })
    const forced = { ...check, arguments: ["good", true] }
    expect(await run({ file: blocked }, [check, cached, forced, cached])).toEqual([
      unsent,
      notChecked,
      expect.objectContaining({ state: "valid", isActive: true, source: "server", ...notWritable }),
      notChecked,
    ])
    const directory = join(folder, "directory.record")
    mkdirSync(directory)
    expect(await run({ file: directory }, [check])).toEqual([unsent])
    expect(readdirSync(folder).filter((name) => /^directory\.record\.[^l]/.test(name))).toEqual([])
  })

  test("read by many concurrent page loads causes one request", async () => {
    const file = join(folder, "busy.record")
    const results = await Promise.all(
      clients.map((client) => client.run(scenario({ file }, [check], "busy"))),
    )
    expect(pazar.forms("busy").length).toBe(1)
    const states = results.flat().map((result) => JSON.stringify(result))
    expect(states.filter((state) => state.includes('"server"')).length).toBe(1)
    expect(states.every((state) => /"(server|cache)"|not_checked/.test(state))).toBe(true)
  })

  test("loses no confirmed write of many processes", async () => {
    const file = join(folder, "counted.record")
    const countUp = scenario({ file }, [{ call: "countUp", arguments: [60] }])
    const counts = await Promise.all(clients.map((client) => client.run(countUp)))
    const confirmed = counts.flat().reduce<number>((sum, count) => sum + Number(count), 0)
    expect(Number(readFileSync(file, "utf8"))).toBe(confirmed)
  })

  describe("that a page load changes while a request is sent", () => {
    /** Runs the calls in another process before the server responds. */
    async function checkBeside(name: string, calls: readonly Step[]) {
      const [sending, other] = clients
      const file = join(folder, name)
      let results: readonly unknown[] = []
      const slow = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        async fetch(request) {
          results = (await other?.run(scenario({ file }, calls, name))) ?? []
          const { pathname } = new URL(request.url)
          const { method, headers } = request
          const url = new URL(pathname, pazar.url({ at: start }))
          return fetch(url, { method, headers, body: await request.text() })
        },
      })
      const { pathname } = new URL(pazar.url({ at: start }))
      const options = { base_url: `${slow.url.origin}${pathname}` }
      try {
        const steps = [{ ...check, options }, cached]
        return { sent: await sending?.run(scenario({ file }, steps)), results: () => results }
      } finally {
        await slow.stop(true)
      }
    }

    test("no second request is sent, not even a forced one or one for another code", async () => {
      const forced = { ...check, arguments: ["good", true] }
      const another = { ...check, arguments: ["another", true] }
      const { sent, results } = await checkBeside("claimed", [check, forced, another])
      expect(sent).toEqual([valid("server"), valid("cache")])
      expect(results()).toEqual([notChecked, notChecked, notChecked])
      expect(pazar.forms("claimed")).toEqual([])
    })

    test("a request that never ended blocks others no longer than its time-out", async () => {
      const late = { ...check, now: start + 60 }
      const { results } = await checkBeside("killed", [late])
      expect(results()).toEqual([valid("server")])
    })

    test("the response is stored if that load started an offline activation", async () => {
      const link = { call: "activationUrl", options: { key: "pzr_vk_1" }, now: start }
      const { sent } = await checkBeside("link", [link])
      expect(sent).toEqual([valid("server"), valid("cache")])
    })

    test("the store stays empty if that load has emptied it", async () => {
      const { sent } = await checkBeside("emptied", [{ call: "forget" }])
      expect(sent).toEqual([valid("server"), notChecked])
    })
  })

  test("stores a few codes and sites, and never drops the valid one for others", async () => {
    const file = join(folder, "many")
    const typo = (index: number): Step => ({
      call: "check",
      arguments: [`typo-${index}`],
      now: start,
      options: { base_url: pazar.url({ at: start, response: { reason: "unknown_code" } }) },
    })
    const steps = [check, ...Array.from({ length: 30 }, (_, index) => typo(index)), cached]
    expect((await run({ file }, steps)).at(-1)).toEqual(valid("cache"))
    expect(readFileSync(file, "utf8").length).toBeLessThan(20_000)
  })

  test("that became readable for others is replaced by one that is not", async () => {
    const file = join(folder, "open.record")
    writeFileSync(file, "anything")
    chmodSync(file, 0o644)
    expect(await run({ file }, [check])).toEqual([valid("server")])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})
