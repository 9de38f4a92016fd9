import { afterEach, beforeEach, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { readConfig } from "../../src/config/config.ts"
import { migrateApp } from "../../src/server/app.ts"
import { pickFreePort } from "../harness/free-port.ts"
import { temporaryFolder } from "../harness/program.ts"
import { killTree, type RunningCommand, spawnPazar } from "../harness/run-pazar.ts"
import { addressOf } from "../harness/stores/postgres-server.ts"
import { openProxy, type TcpProxy } from "../harness/stores/tcp-proxy.ts"
import { createMigratedStore } from "../harness/stores/test-stores.ts"
import { until, workMsMax } from "../harness/until.ts"

let folder: string
let proxy: TcpProxy
let running: RunningCommand
let database: URL
beforeEach(async () => {
  folder = temporaryFolder()
  proxy = await openProxy({ host: "127.0.0.1", port: pickFreePort() })
  const store = await createMigratedStore()
  database = new URL(store.DATABASE_URL)
  await migrateApp(readConfig(store), () => {})
  const lost = addressOf(proxy.port, database.pathname.slice(1))
  const env = { ...store, DATABASE_URL: lost, PORT: "0", PAZAR_THREADS: "2" }
  running = await spawnPazar(folder, ["serve"], env)
  await until(() => running.stderr().includes('"level":"error"') || undefined, workMsMax)
})
afterEach(async () => {
  await killTree(running)
  await proxy.close()
  rmSync(folder, { recursive: true })
})

test("a server that starts before its database logs it, and connects when the database is up", async () => {
  expect(running.stderr()).toContain(`127.0.0.1:${proxy.port}`)
  expect(running.stdout()).toBe("")
  proxy.setTarget({ host: database.hostname, port: Number(database.port) })
  const url = await until(() => /listening on (\S+)/.exec(running.stdout())?.[1], workMsMax)
  await until(async () => (await fetch(`${url}/readyz`)).ok || undefined)
})

test("SIGTERM while waiting: exit 0", async () => {
  running.child.kill("SIGTERM")
  expect((await running.ended).status).toBe(0)
})
