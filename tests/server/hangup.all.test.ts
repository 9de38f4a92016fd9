import { afterEach, beforeEach, expect, test } from "bun:test"
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { retryingFetch } from "../harness/http/retrying-fetch.ts"
import {
  createStoreFolder,
  killTree,
  launchers,
  plainEnvironment,
  spawnPazar,
  startServer,
} from "../harness/run-pazar.ts"
import { storeOf } from "../harness/stores/test-stores.ts"
import { until, workMsMax } from "../harness/until.ts"

let folder: string
beforeEach(async () => {
  folder = await createStoreFolder()
})
afterEach(() => rmSync(folder, { recursive: true }))

const isResponding = async (url: string) => (await fetch(`${url}/healthz`)).status === 200

test.each(["serve", "demo"] as const)(
  "SIGHUP: %s continues, and stops on SIGTERM",
  async (command) => {
    const server = await startServer(folder, { PAZAR_THREADS: "2" }, command, "npx")
    const group = -(server.child.pid ?? Number.NaN)
    process.kill(group, "SIGHUP")
    expect(await isResponding(server.url)).toBe(true)
    process.kill(group, "SIGHUP")
    server.child.kill("SIGHUP")
    expect((await server.stop()).status).toBe(0)
  },
)

test("SIGHUP ends a command other than a server", async () => {
  const running = await spawnPazar(folder, ["import", "-"], {}, "npx")
  try {
    // SIGHUP would end only Bun itself, so the test waits until the command runs.
    await until(
      () => Bun.spawnSync(["pgrep", "-P", `${running.child.pid}`]).success || undefined,
      workMsMax,
    )
    running.child.kill("SIGHUP")
    expect((await running.ended).status).toBeNull()
    expect(running.child.signalCode).toBe("SIGHUP")
  } finally {
    await killTree(running)
  }
})

async function hangUp(command: readonly string[], env: Record<string, string>) {
  let shown = ""
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { ...plainEnvironment, ...(await storeOf(folder)), PORT: "0", ...env },
    terminal: {
      data: (_, bytes) => {
        shown += Buffer.from(bytes).toString()
      },
    },
  })
  const url = await until(() => /listening on (\S+)/.exec(shown)?.[1], workMsMax)
  const [inner] = Bun.spawnSync(["pgrep", "-P", `${child.pid}`])
    .stdout.toString()
    .split("\n")
  child.terminal?.close()
  return { child, url, innerPid: Number(inner) }
}

test("a server survives its terminal, and still stops cleanly", async () => {
  const { child, url } = await hangUp([...launchers.npx, "serve"], {})
  for (let round = 0; round < 20; round += 1) expect(await isResponding(url)).toBe(true)
  child.kill("SIGTERM")
  expect(await child.exited).toBe(0)
})

test("a server survives the terminal and the npm that started it", async () => {
  const shell = ["sh", "-c", `${launchers.npx.join(" ")} serve; true`]
  const { child, url, innerPid } = await hangUp(shell, { npm_command: "exec" })
  await child.exited
  expect(child.signalCode).toBe("SIGHUP")
  // Wait longer than the command needs to notice that its parent is gone.
  const start = performance.now()
  await until(async () => {
    expect(await isResponding(url)).toBe(true)
    return performance.now() - start > 600 || undefined
  })
  process.kill(innerPid, "SIGTERM")
  // It accepts requests for five more seconds.
  await until(
    () =>
      isResponding(url).then(
        () => undefined,
        () => true,
      ),
    workMsMax,
  )
  // SQLite checkpoints its write-ahead log when the database is closed.
  await until(() => !existsSync(join(folder, "data/pazar.db-wal")) || undefined)
})

test("a closed log does not stop the server", async () => {
  const command = 'exec "$@" serve 2> >(head -n 1 > /dev/null)'
  const child = Bun.spawn(["bash", "-c", command, "bash", ...launchers.bun], {
    cwd: folder,
    env: { ...plainEnvironment, PORT: "0" },
  })
  const started = await child.stdout.getReader().read()
  const url = new TextDecoder().decode(started.value).replace("listening on ", "").trim()
  const statuses: number[] = []
  // Lines are written a few times per second: some of these follow the end of the reader.
  for (let round = 0; round < 5; round++) {
    statuses.push((await retryingFetch(`${url}/api/account/details`)).status)
    await Bun.sleep(250)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401])
  child.kill("SIGTERM")
  expect(await child.exited).toBe(0)
})
