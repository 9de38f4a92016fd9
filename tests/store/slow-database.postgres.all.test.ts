import { expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { temporaryFolder } from "../harness/program.ts"
import { readPazar } from "../harness/run-pazar.ts"
import { addressOf } from "../harness/stores/postgres-server.ts"
import { openProxy } from "../harness/stores/tcp-proxy.ts"
import { createMigratedStore } from "../harness/stores/test-stores.ts"

test("a command waits for a database that responds too slowly for a request", async () => {
  const folder = temporaryFolder()
  const store = await createMigratedStore()
  const { hostname, port, pathname } = new URL(store.DATABASE_URL)
  const proxy = await openProxy({ host: hostname, port: Number(port) })
  const env = { ...store, DATABASE_URL: addressOf(proxy.port, pathname.slice(1)) }
  await readPazar(folder, ["migrate"], { env })
  // A connection takes more than two round trips.
  proxy.setDelayMs(500)
  expect(await readPazar(folder, ["account", "list"], { env })).toBe("")
  await proxy.close()
  rmSync(folder, { recursive: true })
})
