import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import {
  createStoreFolder,
  launchers,
  plainEnvironment,
  type RunOptions,
  readPazar,
  runPazar,
  spawnPazar,
} from "../harness/run-pazar.ts"
import { storeOf } from "../harness/stores/test-stores.ts"

/** Larger than the buffer of a pipe, so that the export notices a reader that stops. */
const sales = Array.from({ length: 2_000 }, (_, index) => purchase(`code-${10_000 + index}`, 1))

let folder: string
beforeAll(async () => {
  folder = await createStoreFolder()
  const input = toFeed([account("elif"), item("elif", 1, { hidden: true }), ...sales])
  expect((await pazar(["import", "-"], { input })).status).toBe(0)
})
afterAll(() => rmSync(folder, { recursive: true }))

const pazar = (args: readonly string[], options?: RunOptions) => runPazar(folder, args, options)

test("a file, standard output and - contain the same bytes, and only the owner can read the file", async () => {
  const toFile = await pazar(["export", "feed.ndjson"])
  const toOutput = await pazar(["export"])
  const toDash = await pazar(["export", "-"])
  const feed = readFileSync(join(folder, "feed.ndjson"), "utf8")
  expect(feed.split("\n").length - 1).toBe(2_002)
  expect(toOutput).toEqual({ status: 0, stdout: feed, stderr: "" })
  expect(toDash).toEqual(toOutput)
  expect(toFile).toEqual({ status: 0, stdout: expect.any(String), stderr: "" })
  expect(JSON.parse(toFile.stdout)).toEqual({ exported: 2_002, seconds: expect.any(Number) })
  expect(statSync(join(folder, "feed.ndjson")).mode & 0o777).toBe(0o600)
})

test("an export imported into an empty database is exported byte for byte", async () => {
  const copy = await createStoreFolder()
  const { stdout } = await pazar(["export"])
  expect((await runPazar(copy, ["import", "-"], { input: stdout })).status).toBe(0)
  expect((await readPazar(copy, ["export"])) === stdout).toBe(true)
  rmSync(copy, { recursive: true })
})

test("an export of an empty database is empty", async () => {
  const empty = await createStoreFolder()
  expect(await runPazar(empty, ["export"])).toEqual({ status: 0, stdout: "", stderr: "" })
  rmSync(empty, { recursive: true })
})

test.each([0, 100_000, 200_000, 300_000])(
  "a reader that stops after %d characters, as head does, causes no error",
  async (wanted) => {
    const { child, stdout, ended } = await spawnPazar(folder, ["export"])
    child.stdout?.on("data", () => {
      if (stdout().length > wanted) child.stdout?.destroy()
    })
    expect(await ended).toEqual({ status: 0, stdout: expect.any(String), stderr: "" })
  },
)

test("a pipe or a device is written to, not replaced by a file", async () => {
  const pipe = join(folder, "pipe")
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0)
  const reader = Bun.spawn(["cat", pipe])
  const { status, stderr } = await pazar(["export", "pipe"])
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  expect(await reader.stdout.text()).toBe((await pazar(["export"])).stdout)
  expect(statSync(pipe).isFIFO()).toBe(true)
})

test("an export that cannot be renamed into place leaves no file behind", async () => {
  mkdirSync(join(folder, "target/is-a-folder"), { recursive: true })
  const { status, stdout, stderr } = await pazar(["export", "target/is-a-folder"])
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
  expect(stderr).toMatch(/^pazar: EISDIR: .+\n$/)
  expect(readdirSync(join(folder, "target"))).toEqual(["is-a-folder"])
})

test("an interrupted export leaves no partial file, and the previous one unchanged", async () => {
  mkdirSync(join(folder, "weekly"))
  await Bun.write(join(folder, "weekly/feed.ndjson"), "last week's")
  const env = { PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }
  expect(await pazar(["export", "weekly/feed.ndjson"], { env })).toEqual({
    status: 2,
    stdout: "",
    stderr: expect.stringMatching(/^pazar: .+\n$/),
  })
  expect(readdirSync(join(folder, "weekly"))).toEqual(["feed.ndjson"])
  expect(readFileSync(join(folder, "weekly/feed.ndjson"), "utf8")).toBe("last week's")
})

test("a full disk is an error, not a short export", async () => {
  const shell = Bun.spawn(["sh", "-c", 'exec "$@" export > /dev/full', "sh", ...launchers.bun], {
    cwd: folder,
    env: { ...plainEnvironment, ...(await storeOf(folder)) },
    stderr: "pipe",
  })
  const stderr = await shell.stderr.text()
  expect({ status: await shell.exited, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/^pazar: ENOSPC: .*\n$/),
  })
})
