import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { readdirSync, rmSync } from "node:fs"
import { temporaryFolder } from "../harness/program.ts"
import { createStoreFolder, killTree, runPazar, startServer } from "../harness/run-pazar.ts"
import { until } from "../harness/until.ts"

let folder: string
beforeEach(async () => {
  folder = await createStoreFolder()
})
afterEach(() => rmSync(folder, { recursive: true }))

describe("the whole configuration is checked before anything starts", () => {
  test("exit 2: every problem is reported together, and nothing is created", async () => {
    const env = {
      PORT: "70000",
      DATABASE_URL: "mysql://shop:hunter2@db/shop",
      PAZAR_LOCALE: "de",
      PAZAR_LOCAL: "tr",
      PAZAR_OPERATOR_TOKEN: "two words",
      PAZAR_METRICS_TOKEN_FILE: "nowhere",
      LOG_LEVEL: "loud",
      PAZAR_MASTER_KEY: "c2hvcnQ=",
      PAZAR_MASTER_KEY_FILE: "master-key",
    }
    const empty = temporaryFolder()
    const { status, stdout, stderr } = await runPazar(empty, ["serve"], { env })
    const problems = stderr.split("\n").filter((line) => line.startsWith("- "))
    const named = problems.map((line) => /^- (\w+)/.exec(line)?.[1])
    expect({ status, stdout, named }).toEqual({
      status: 2,
      stdout: "",
      named: [
        ...["PAZAR_LOCAL", "PORT", "DATABASE_URL", "PAZAR_LOCALE", "PAZAR_OPERATOR_TOKEN"],
        ...["PAZAR_METRICS_TOKEN_FILE", "LOG_LEVEL", "PAZAR_MASTER_KEY", "PAZAR_MASTER_KEY"],
      ],
    })
    expect(stderr).not.toContain("hunter2")
    expect(readdirSync(empty)).toEqual([])
    rmSync(empty, { recursive: true })
  })

  test("exit 2: a port in use is reported with a hint", async () => {
    const server = await startServer(folder)
    const { port } = new URL(server.url)
    const second = await runPazar(folder, ["serve"], { env: { PORT: port } })
    await server.stop()
    expect(second).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(new RegExp(`^pazar: .*127\\.0\\.0\\.1:${port}.*PORT.*\n$`)),
    })
  })
})

test("exit 0: SIGINT, also right after the start", async () => {
  const server = await startServer(folder, {}, "serve", "npx")
  const { status, stdout } = await server.stop()
  expect({ status, stdout }).toEqual({ status: 0, stdout: `listening on ${server.url}\n` })
})

test("exit 0: SIGTERM drains: not ready, open requests get responses", async () => {
  const server = await startServer(folder, { PAZAR_THREADS: "2" }, "serve", "npx")
  server.child.kill("SIGTERM")
  /** The threads are notified one after the other. */
  const untilDraining = (path: string) =>
    until(async () => {
      const init = { redirect: "manual", keepalive: false } as const
      const { status, headers } = await fetch(`${server.url}${path}`, init)
      return status === 503 || headers.get("connection") === "close" ? status : undefined
    })
  const paths = ["/readyz", "/api/account/details", "/", "/workspace", "/api/nowhere"]
  expect(await Promise.all(paths.map(untilDraining))).toEqual([503, 401, 200, 303, 404])
  const { status, stderr } = await server.ended
  expect({ status, last: /"message":"(\w+)"\}\n$/.exec(stderr)?.[1] }).toEqual({
    status: 0,
    last: "stopped",
  })
})

test("SIGINT after SIGTERM ends the drain, a second SIGTERM does not", async () => {
  const [draining, interrupted] = await Promise.all([startServer(folder), startServer(folder)])
  for (const { child, stderr } of [draining, interrupted]) {
    child.kill("SIGTERM")
    await until(() => stderr().includes('"message":"stopping"') || undefined)
  }
  draining.child.kill("SIGTERM")
  interrupted.child.kill("SIGINT")
  const first = await Promise.race([interrupted.ended, draining.ended.then(() => "drained")])
  expect(first).toMatchObject({ status: 0 })
  await killTree(draining)
})

test("after kill -9 of the command no process listens", async () => {
  const server = await startServer(folder, {}, "serve", "npx")
  server.child.kill("SIGKILL")
  const isGone = await until(() =>
    fetch(server.url).then(
      () => undefined,
      () => true,
    ),
  )
  expect(isGone).toBe(true)
  await server.ended
})
