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
    expect(await runPazar(empty, ["serve"], { env })).toEqual({
      status: 2,
      stdout: "",
      stderr: `pazar: The configuration cannot be used:
- PAZAR_LOCAL is not a setting: did you mean PAZAR_LOCALE?
- PORT must be a number from 0 to 65535, not "70000"
- DATABASE_URL must be sqlite:PATH, as in sqlite:data/pazar.db, or postgres://user:password@host/database, where @ : / ? # in a password are written %40 %3A %2F %3F %23
- PAZAR_LOCALE must be one of en, tr, not "de"
- PAZAR_OPERATOR_TOKEN must be visible ASCII characters without spaces
- PAZAR_METRICS_TOKEN_FILE: nowhere cannot be read (ENOENT)
- LOG_LEVEL must be one of debug, info, warn, error, silent, not "loud"
- PAZAR_MASTER_KEY and PAZAR_MASTER_KEY_FILE are both set: choose one
- PAZAR_MASTER_KEY must be 32 bytes in base64
`,
    })
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
      stderr: `pazar: cannot listen on 127.0.0.1:${port}: something else is listening there. PORT=0 picks a free port, HOST chooses the address.\n`,
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
