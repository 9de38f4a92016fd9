/** What `pazar serve` does before it starts and when it is told to end, whatever the store. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { readdirSync, rmSync } from "node:fs"
import { until } from "../../contracts/until.ts"
import { folderWithStore, runPazar, startServer } from "../../harness/command.ts"
import { temporaryFolder } from "../../harness/program.ts"

let folder: string
beforeEach(async () => {
  folder = await folderWithStore()
})
afterEach(() => rmSync(folder, { recursive: true }))

describe("the whole configuration is checked before anything starts", () => {
  test("every problem is reported at once: exit 2, nothing created", async () => {
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

  test("a port that is in use is reported with a hint: exit 2", async () => {
    const server = await startServer(folder)
    const { port } = new URL(server.url)
    const second = await runPazar(folder, ["serve"], { env: { PORT: port } })
    await server.stop()
    expect(second).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(new RegExp(`^pazar: .*127\\.0\\.0\\.1:${port}.*PORT=0.*\n$`)),
    })
  })
})

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s: exit 0, also right after the start",
  async (signal) => {
    const server = await startServer(folder, {}, "serve", "npx")
    server.child.kill(signal)
    const { status, stdout } = await server.ended
    expect({ status, stdout }).toEqual({ status: 0, stdout: `listening on ${server.url}\n` })
  },
)

test("after kill -9 of the command nothing is left listening", async () => {
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
