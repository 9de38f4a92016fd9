import { afterEach, beforeEach, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Environment } from "../../../src/config/settings.ts"
import { account } from "../../contracts/records.ts"
import {
  createStore,
  killTree,
  runPazar,
  type Served,
  spawnPazar,
  startServer,
} from "../../harness/command.ts"
import { patientFetch } from "../../harness/http/patient-fetch.ts"
import { temporaryFolder } from "../../harness/program.ts"
import { migratedStoreOf } from "../../harness/stores/stores.ts"

let folder = ""
let path = ""
let env: Environment = {}
beforeEach(async () => {
  folder = temporaryFolder()
  path = join(folder, "master-key")
  writeFileSync(path, Buffer.alloc(32, 7).toString("base64"), { mode: 0o600 })
  const { PAZAR_MASTER_KEY: _, ...store } = (await migratedStoreOf(folder)) ?? {}
  env = { ...store, PAZAR_MASTER_KEY: "", PAZAR_MASTER_KEY_FILE: path, PAZAR_THREADS: "2" }
  await createStore(folder, env)
  await run(["import", "-"], JSON.stringify(account("ada")))
})
afterEach(() => rmSync(folder, { recursive: true }))

const run = (args: readonly string[], input = "") => runPazar(folder, args, { env, input })
const createKey = async () => (await run(["key", "create", "ada"])).stdout.trim()
const ask = async ({ url }: Served, key: string) =>
  (await patientFetch(`${url}/api/account/details`, { headers: { "X-Api-Key": key } })).status

test("a running server finds old and new keys during and after a replacement, and the old key opens nothing", async () => {
  const before = await createKey()
  const server = await startServer(folder, env)
  try {
    const replacing = run(["master-key", "replace", "--json"])
    const statuses = new Set<number>()
    let isOver = false
    void replacing.then(() => {
      isOver = true
    })
    while (!isOver) {
      statuses.add(await ask(server, before))
      await Bun.sleep(10)
    }
    const { status, stdout, stderr } = await replacing
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^.+\n/)])
    const { rows, old_file } = JSON.parse(stdout)
    // The key, and the two that sign answers.
    expect(rows).toBe(3)
    expect([...statuses]).toEqual([200])
    const after = await createKey()
    expect([await ask(server, before), await ask(server, after)]).toEqual([200, 200])
    expect(readFileSync(old_file, "utf8")).toBe(Buffer.alloc(32, 7).toString("base64"))
    expect(existsSync(`${path}.next`)).toBe(false)
    const withOld = await runPazar(folder, ["key", "list", "ada"], {
      env: { ...env, PAZAR_MASTER_KEY_FILE: old_file },
    })
    expect([withOld.status, withOld.stderr]).toEqual([2, expect.stringMatching(/^pazar: .+\n$/)])
    const found = await run(["key", "find", "--json"], before)
    expect(JSON.parse(found.stdout).username).toBe("ada")
    expect((await run(["doctor"])).stdout).toMatch(/^ok +API keys: .*\b2 /m)
  } finally {
    await server.stop()
  }
})

test("killed at some moment and run again it completes, and before that everything works", async () => {
  const key = await createKey()
  for (const delayMs of [300, 3_600]) {
    const running = await spawnPazar(folder, ["master-key", "replace"], env)
    await Promise.race([Bun.sleep(delayMs), running.ended])
    await killTree(running)
    expect(JSON.parse((await run(["key", "find", "--json"], key)).stdout).username).toBe("ada")
  }
  expect((await run(["master-key", "replace"])).status).toBe(0)
  expect(JSON.parse((await run(["key", "find", "--json"], key)).stdout).username).toBe("ada")
  expect(readdirSync(folder).filter((name) => name.endsWith(".next"))).toEqual([])
})

test("a key in the environment is refused, with what to do", async () => {
  const { status, stderr } = await runPazar(folder, ["master-key", "replace"], {
    env: {
      ...env,
      PAZAR_MASTER_KEY_FILE: "",
      PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    },
  })
  expect([status, stderr]).toEqual([1, expect.stringContaining("PAZAR_MASTER_KEY_FILE")])
})
