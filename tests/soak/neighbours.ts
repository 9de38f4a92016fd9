/**
 * `npm run soak -- neighbours [SECONDS [ROUNDS]]`: how long the validations of one author take while another
 * searches 100,000 items, leaves 200 lists unread, reads 50 lists with gzip or opens the page of 3,000 keys.
 * One thread; each is measured in turns with and without the other author.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { requireAccount } from "../../src/operations/catalogue/accounts.ts"
import { createKey } from "../../src/operations/keys/issue-key.ts"
import { account, item, purchase } from "../contracts/records.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { startServer } from "../harness/command.ts"
import { startProgram } from "../harness/program.ts"

const [seconds = 5, rounds = 3] = process.argv.slice(2).map(Number)
const sizes = { large: 100_000, ready: 8_000 }
const keysOfMany = 3_000

console.log("making the store")
const program = await startProgram({ LOG_LEVEL: "error" })
await program.load(["ada", "large", "ready", "many"].map((name) => account(name)))
let id = 0
for (const [author, count] of Object.entries(sizes)) {
  await program.load(Array.from({ length: count }, () => item(author, ++id)))
}
await program.load([item("ada", ++id), purchase("abc", id)])
for (const name of ["large", "many"]) await givePassword(program, name)
const { store, vault } = program.app
const many = await requireAccount(store.accounts, "many")
for (let count = 0; count < keysOfMany; count += 1) {
  const options = { kind: "sk", name: "Shop", itemIds: null, expiresAt: null } as const
  const made = { id: vault.createKeyId(), createdAt: "2026-01-01T00:00:00Z" }
  const { key } = createKey(vault, many, options, made)
  // Ended ones: an account has a hundred live keys at the most.
  await store.keys.insert({ ...key, revokedAt: made.createdAt })
}
const keyOf = async (name: string) => (await program.issue(name)).secret
const keys = { ada: await keyOf("ada"), large: await keyOf("large"), ready: await keyOf("ready") }

const server = await startServer(program.folder, {
  LOG_LEVEL: "error",
  PAZAR_THREADS: "1",
  PAZAR_RATE_LIMIT: "off",
})
const validation = `${server.url}/api/purchases/validation`
const body = new URLSearchParams({ api_key: keys.ada, purchase_code: "abc" }).toString()
const headers = { "Content-Type": "application/x-www-form-urlencoded" }

type Measured = { latenciesMs: number[]; refused: number }

/** Two connections, each with one request every 5 ms at most. */
async function validate(into: Measured): Promise<void> {
  const endsAt = performance.now() + seconds * 1000
  const lane = async () => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now()
      const response = await fetch(validation, { method: "POST", headers, body })
      await response.arrayBuffer()
      into.latenciesMs.push(performance.now() - startedAt)
      if (response.status !== 200) into.refused += 1
      await Bun.sleep(5)
    }
  }
  await Promise.all([lane(), lane()])
}

const residentMegabytes = () =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))?.[1]) /
  1024

function show(name: string, { latenciesMs, refused }: Measured, megabytes: number): void {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(1)
  console.log(
    `${name.padEnd(34)} p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms; ${sorted.length} calls, ${refused} refused; ${Math.round(megabytes)} MB`,
  )
}

const neighbours = [
  ["search over 100,000 items", "search", keys.large, "large"],
  ["200 unread lists of 100,000 items", "unread", keys.large, ""],
  ["200 unread lists of 8,000 items", "unread", keys.ready, ""],
  ["50 lists with gzip", "gzip", keys.large, ""],
  ["50 ready lists with gzip", "gzip", keys.ready, ""],
  ["the page of 3,000 keys", "keys", keys.ready, "many"],
] as const

for (const [name, ...work] of neighbours) {
  const alone: Measured = { latenciesMs: [], refused: 0 }
  const beside: Measured = { latenciesMs: [], refused: 0 }
  let megabytes = 0
  for (let round = 0; round < rounds; round += 1) {
    await validate(alone)
    const [kind, key, username] = work
    const child = spawn(process.execPath, [
      join(import.meta.dir, "../harness/faults/neighbour.ts"),
      ...[kind, server.url, key, username],
    ])
    await once(child.stdout, "data")
    await validate(beside)
    megabytes = Math.max(megabytes, residentMegabytes())
    child.kill("SIGKILL")
    await once(child, "exit")
  }
  show("alone", alone, 0)
  show(name, beside, megabytes)
}
await server.stop()
await program.close()
process.exit(0)
