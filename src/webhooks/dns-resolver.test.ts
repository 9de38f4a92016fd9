import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../tests/harness/program.ts"
import { createDnsResolver } from "./sender.ts"

const { signal } = new AbortController()
const silent = () => Promise.withResolvers<readonly string[]>().promise

test("a lookup that fails, or ends too late, returns no address", async () => {
  const fail = () => Promise.reject(new Error("ENOTFOUND"))
  expect(await createDnsResolver(fail)("x", signal)).toEqual([])
  expect(await createDnsResolver(silent, 1)("x", signal)).toEqual([])
})

test("lookups end when the server stops", async () => {
  const stop = new AbortController()
  const resolve = createDnsResolver(silent)
  const running = resolve("a", stop.signal)
  stop.abort()
  expect([await running, await resolve("b", stop.signal)]).toEqual([[], []])
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
     import { lookUpHost } from ${JSON.stringify(join(import.meta.dir, "sender.ts"))}
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
