import { describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../tests/harness/program.ts"
import { createDnsResolver, type LookupCaller, NoLookupSlotError } from "./target.ts"

const never = 3_600_000
const { signal } = new AbortController()
const callerOf = (accountId: number | null, isFailing = false): LookupCaller => ({
  accountId,
  isFailing,
})

/** Resolves after every lookup that can start has started. */
const turn = () => new Promise((next) => setImmediate(next))

/** A resolver whose lookups complete when the test calls `end`. */
function openSilent(times = { waitMs: never, lookupMs: never }) {
  const begun: string[] = []
  const ends = new Map<string, (addresses: readonly string[]) => void>()
  const resolve = createDnsResolver((hostname) => {
    begun.push(hostname)
    const { promise, resolve: end } = Promise.withResolvers<readonly string[]>()
    ends.set(hostname, end)
    return promise
  }, times)
  return {
    begun,
    resolve,
    end: (hostname: string, ...addresses: readonly string[]) => ends.get(hostname)?.(addresses),
  }
}

describe("lookups", () => {
  test("run two at a time per author, eight in total, the last two of other authors", async () => {
    const { begun, resolve, end } = openSilent()
    const lookups = [1, 1, 1, 2, 2, 3, 3, null, null, 4].map((owner, at) =>
      resolve(`${at}`, callerOf(owner), signal),
    )
    await turn()
    // The second lookup of the operators would take one of the last two slots.
    expect(begun).toEqual(["0", "1", "3", "4", "5", "6", "7", "9"])
    end("3", "192.0.43.8")
    expect(await lookups[3]).toEqual(["192.0.43.8"])
    await turn()
    expect(begun.slice(8)).toEqual([])
    for (const name of ["4", "0"]) {
      end(name)
      expect(await lookups[Number(name)]).toEqual([])
    }
    await turn()
    expect(begun.slice(8)).toEqual(["2"])
    end("1")
    await turn()
    expect(begun.slice(8)).toEqual(["2", "8"])
  })

  test("of four authors whose name servers are dead do not delay others", async () => {
    const { begun, resolve, end } = openSilent()
    for (const owner of [1, 2, 3, 4]) {
      for (const name of ["a", "b"]) void resolve(`${name}${owner}`, callerOf(owner), signal)
    }
    for (const owner of [5, 6, 7]) {
      const lookup = resolve(`healthy${owner}`, callerOf(owner), signal)
      await turn()
      expect(begun.at(-1)).toBe(`healthy${owner}`)
      end(`healthy${owner}`, "192.0.43.8")
      expect(await lookup).toEqual(["192.0.43.8"])
    }
  })

  test("keep their slots after their attempts have timed out", async () => {
    const { begun, resolve, end } = openSilent({ waitMs: never, lookupMs: 1 })
    const late = ["a", "b"].map((name) => resolve(name, callerOf(1), signal))
    expect(await Promise.all(late)).toEqual([[], []])
    const third = resolve("c", callerOf(1), signal)
    await resolve("other", callerOf(2), signal)
    expect(begun).toEqual(["a", "b", "other"])
    end("a")
    await third
    expect(begun).toEqual(["a", "b", "other", "c"])
  })

  test("without a slot in time are not started and leave the queue", async () => {
    const { begun, resolve, end } = openSilent({ waitMs: 1, lookupMs: never })
    const first = ["a", "b"].map((name) => resolve(name, callerOf(1), signal))
    await expect(resolve("c", callerOf(1), signal)).rejects.toBeInstanceOf(NoLookupSlotError)
    end("a", "192.0.43.8")
    await first[0]
    const next = resolve("d", callerOf(1), signal)
    await turn()
    expect(begun).toEqual(["a", "b", "d"])
    end("d")
    expect(await next).toEqual([])
  })

  test("of failing endpoints use half of the slots, also of their owner", async () => {
    const { begun, resolve } = openSilent()
    for (const owner of [1, 1, 2, 3, 4, 5]) void resolve(`${owner}`, callerOf(owner, true), signal)
    await turn()
    expect(begun).toEqual(["1", "2", "3", "4"])
    void resolve("healthy", callerOf(1), signal)
    await turn()
    expect(begun.at(-1)).toBe("healthy")
  })

  test("that fail return no address and free their slot", async () => {
    const resolve = createDnsResolver(() => Promise.reject(new Error("ENOTFOUND")), {
      waitMs: never,
      lookupMs: never,
    })
    for (let at = 0; at < 9; at += 1) expect(await resolve("x", callerOf(1), signal)).toEqual([])
  })

  test("end when the server stops, also queued ones", async () => {
    const stop = new AbortController()
    const { resolve } = openSilent()
    const first = ["a", "b"].map((name) => resolve(name, callerOf(1), stop.signal))
    const queued = resolve("c", callerOf(1), stop.signal)
    stop.abort()
    expect(await Promise.all(first)).toEqual([[], []])
    await expect(queued).rejects.toBeInstanceOf(NoLookupSlotError)
  })
})

/** Whether the test can mount its own resolv.conf in a child process. */
const canMount =
  process.getuid?.() === 0 &&
  Bun.which("unshare") !== null &&
  Bun.spawnSync(["unshare", "--mount", "true"]).exitCode === 0

test.skipIf(!canMount)("lookups without a response do not delay password hashing", async () => {
  const folder = temporaryFolder()
  const [script, settings] = [join(folder, "child.ts"), join(folder, "resolv.conf")]
  writeFileSync(settings, "nameserver 127.0.0.77\n")
  writeFileSync(
    script,
    `import { createSocket } from "node:dgram"
     import { lookUpHost } from ${JSON.stringify(join(import.meta.dir, "target.ts"))}
     const server = createSocket("udp4")
     const queried = Promise.withResolvers()
     server.on("message", queried.resolve)
     await new Promise((listening) => server.bind(53, "127.0.0.77", listening))
     let ended = 0
     const end = () => { ended += 1 }
     for (let at = 0; at < 16; at += 1) lookUpHost(\`silent-\${at}.example.com\`).then(end, end)
     await queried.promise
     for (let at = 0; at < 4; at += 1) await Bun.password.hash("a password", { algorithm: "argon2id", memoryCost: 8, timeCost: 1 })
     console.log(JSON.stringify({ ended }))
     process.exit(0)`,
  )
  const mount = `mount --bind ${settings} /etc/resolv.conf && exec ${process.execPath} ${script}`
  const child = Bun.spawn(["unshare", "--mount", "sh", "-c", mount], { stdout: "pipe" })
  expect(JSON.parse(await child.stdout.text())).toEqual({ ended: 0 })
})
