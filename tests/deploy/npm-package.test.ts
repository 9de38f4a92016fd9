/** The package as `npm pack` makes it, unpacked beside its dependencies in an empty folder. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { $ } from "bun"
import { findBun } from "../../bin/bun.mjs"
import manifest from "../../package.json"
import { runPazar, startServer } from "../harness/command.ts"
import { root } from "../harness/deploy-files.ts"
import { copyProductionPackages } from "../harness/production-packages.ts"
import { temporaryFolder } from "../harness/program.ts"

type Packed = Readonly<{
  filename: string
  unpackedSize: number
  files: readonly { path: string }[]
}>

/** The file that `npx pazar` runs; npx itself, which takes a second, runs in scripts/release.ts. */
const launcher = () => [join(folder, "node_modules/.bin/pazar")] as const
let folder: string
let packed: Packed
beforeAll(async () => {
  folder = temporaryFolder()
  const told = await $`npm pack --json --pack-destination ${folder}`.cwd(root).quiet()
  const [first] = Object.values<Packed>(JSON.parse(told.stdout.toString()))
  if (first === undefined) throw new Error("npm packed nothing")
  packed = first
  copyProductionPackages(folder)
  const home = join(folder, "node_modules/pazar")
  mkdirSync(home)
  await $`tar -xzf ${packed.filename} --strip-components=1 -C ${home}`.cwd(folder)
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true })
  symlinkSync("../pazar/bin/pazar.mjs", join(folder, "node_modules/.bin/pazar"))
})
afterAll(() => rmSync(folder, { recursive: true }))

test("it holds what running needs and nothing else, in less than 3 MB", () => {
  const sources = [...new Bun.Glob("{bin,deploy,man,src}/**/*").scanSync(root)]
  const isTested = (path: string) => /\.test\.|^src\/store\/contracts\//.test(path)
  const wanted = ["LICENSE", "README.md", "package.json", "tsconfig.json"]
  expect(packed.files.map(({ path }) => path).toSorted()).toEqual(
    [...wanted, ...sources.filter((path) => !isTested(path))].toSorted(),
  )
  expect(packed.unpackedSize).toBeLessThan(3_000_000)
})

test("the demo runs on two threads", async () => {
  const server = await startServer(folder, { PAZAR_THREADS: "2" }, "demo", launcher())
  const pages = ["/", "/docs", "/login"].map((path) => fetch(server.url + path))
  expect((await Promise.all(pages)).map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await server.stop()).status).toBe(0)
})

test("it runs where npm was told not to run install scripts", async () => {
  const packages = join(folder, "node_modules")
  for (const name of ["bun", "@oven"]) rmSync(join(packages, name), { recursive: true })
  const bun = findBun() ?? ""
  for (const [name, binary] of [["bun"], ["@oven/bun-this-platform", bun]]) {
    const home = join(packages, name ?? "")
    mkdirSync(join(home, "bin"), { recursive: true })
    const optionalDependencies = {
      "@oven/bun-another": "1.4.4",
      "@oven/bun-this-platform": "1.4.4",
    }
    writeFileSync(join(home, "package.json"), JSON.stringify({ name, optionalDependencies }))
    if (binary === undefined) writeFileSync(join(home, "bin/bun.exe"), "exit 1\n", { mode: 0o755 })
    else symlinkSync(binary, join(home, "bin/bun"))
  }
  expect(await runPazar(folder, ["version"], { launcher: launcher() })).toEqual({
    status: 0,
    stdout: `${manifest.version}\n`,
    stderr: "",
  })
})
