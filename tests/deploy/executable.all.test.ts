/** The executable of this machine, run without an environment in a folder with files that it must ignore. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { arch, platform } from "node:os"
import { join } from "node:path"
import { $ } from "bun"
import manifest from "../../package.json"
import { assets } from "../../src/platform/pages/assets.ts"
import { root } from "../harness/deploy-files.ts"
import { retryingFetch } from "../harness/http/retrying-fetch.ts"
import { temporaryFolder } from "../harness/program.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { runPazar, startServer } from "../harness/run-pazar.ts"
import { until, workMsMax } from "../harness/until.ts"

const target = `${platform()}-${arch()}`
const empty = { PATH: undefined, HOME: undefined }
const master = { PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }
let dist: string
let folder: string
beforeAll(async () => {
  dist = temporaryFolder()
  folder = temporaryFolder()
  await $`${process.execPath} scripts/build.ts --out ${dist} ${target}`.cwd(root).quiet()
  writeFileSync(join(folder, ".env"), "LOG_LEVEL=loud\n")
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.ts"]\n')
  writeFileSync(join(folder, "preload.ts"), "process.exit(9)\n")
})
afterAll(() => {
  for (const path of [dist, folder]) rmSync(path, { recursive: true })
})

const launcher = () => [join(dist, `pazar-${target}`)] as const
const pazar = (args: readonly string[], env = {}) =>
  runPazar(folder, args, { env: { ...empty, ...env }, launcher: launcher() })

test("the folder has the executable and its checksum in the format of sha256sum --check", () => {
  expect(readdirSync(dist).toSorted()).toEqual(["SHA256SUMS", `pazar-${target}`])
  const digest = Bun.SHA256.hash(readFileSync(launcher()[0]), "hex")
  expect(readFileSync(join(dist, "SHA256SUMS"), "utf8")).toBe(`${digest}  pazar-${target}\n`)
})

test("version prints the version; help is the same as in the package", async () => {
  const { version } = manifest
  const bun = manifest.dependencies.bun
  const plain = new RegExp(`^${version} \\(.*${bun}.*${target}\\)\n$`)
  const json = { version, build: "executable", bun, platform: target }
  expect(
    await Promise.all([pazar(["version"]), pazar(["version", "--json"]), pazar(["--help"])]),
  ).toEqual([
    { status: 0, stdout: expect.stringMatching(plain), stderr: "" },
    { status: 0, stdout: `${JSON.stringify(json)}\n`, stderr: "" },
    await runInProcess(folder, ["--help"]),
  ])
})

test("the demo runs on two threads, with all pages, assets and the four operations", async () => {
  const server = await startServer(folder, { ...empty, PAZAR_THREADS: "2" }, "demo", launcher())
  const screen = await until(() => {
    const text = server.stdout()
    return /purchase_code=\S+ \S+\n/.test(text) ? text : undefined
  }, workMsMax)
  const get = (path: string) => retryingFetch(server.url + path)
  const statuses = async (requests: readonly Promise<Response>[]) =>
    (await Promise.all(requests)).map(({ status }) => status)
  const served = await Promise.all(assets.map(async ({ path }) => (await get(path)).bytes()))
  expect(served).toEqual(
    await Promise.all(assets.map(({ content }) => new Response(content).bytes())),
  )
  const pages = ["/", "/?lang=tr", "/docs", "/docs?lang=tr", "/login", "/openapi.json"]
  expect(await statuses(pages.map(get))).toEqual(pages.map(() => 200))
  const [key = ""] = /pzr_sk_\w+/.exec(screen) ?? []
  const [code = ""] = /(?<=purchase_code=)[\w-]+/.exec(screen) ?? []
  const headers = { "X-Api-Key": key }
  const reads = ["account/details", "items/all", "items/item?item_id=1001"]
  expect(
    await statuses([
      ...reads.map((path) => retryingFetch(`${server.url}/api/${path}`, { headers })),
      retryingFetch(`${server.url}/api/purchases/validation`, {
        method: "POST",
        headers,
        body: new URLSearchParams({ purchase_code: code, nonce: "0123456789abcdef" }),
      }),
    ]),
  ).toEqual([200, 200, 200, 200])
  expect((await server.stop()).status).toBe(0)
})

test("a database is created, loaded, backed up, restored and checked", async () => {
  const feed = join(root, "examples/feed.ndjson")
  const steps = [
    ["migrate"],
    ["import", feed],
    ["backup", "copy.db"],
    ["restore", "copy.db"],
    ["doctor"],
    ["export", "out.ndjson"],
  ]
  for (const step of steps) {
    const { status, stderr } = await pazar(step, master)
    expect({ step, status, stderr: status === 0 ? "" : stderr }).toEqual({
      step,
      status: 0,
      stderr: "",
    })
  }
  const exported = readFileSync(join(folder, "out.ndjson"), "utf8")
  expect(exported.split("\n")).toHaveLength(readFileSync(feed, "utf8").split("\n").length)
})

test("contains the drivers of both other databases", async () => {
  mkdirSync(join(folder, "shop"))
  const pull = { connection: "mysql://shop@127.0.0.1:1/shop", accounts: "SELECT 1 AS username" }
  writeFileSync(join(folder, "shop/pull.json"), JSON.stringify(pull))
  const [postgres, mysql] = await Promise.all([
    pazar(["account", "list"], { ...master, DATABASE_URL: "postgres://pazar@127.0.0.1:1/pazar" }),
    pazar(["pull", "shop/pull.json"], master),
  ])
  for (const { status, stderr } of [postgres, mysql]) {
    expect([status, stderr]).toEqual([2, expect.stringContaining("127.0.0.1:1")])
  }
})
