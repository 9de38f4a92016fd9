import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { $ } from "bun"
import { findBun } from "../../bin/bun.mjs"
import manifest from "../../package.json"
import lock from "../../package-lock.json"
import { root } from "../harness/deploy-files.ts"
import { retryingFetch } from "../harness/http/retrying-fetch.ts"
import { temporaryFolder } from "../harness/program.ts"
import { runPazar, startServer } from "../harness/run-pazar.ts"

const { version } = manifest
const archive = `pazar-${version}.tgz`
/** The file that `npx pazar` runs. npx itself takes a second and runs in scripts/release.ts. */
const launcher = () => [join(folder, "node_modules/.bin/pazar")] as const
let dist: string
let folder: string
beforeAll(async () => {
  dist = temporaryFolder()
  folder = temporaryFolder()
  await $`${process.execPath} scripts/build.ts --out ${dist} npm`.cwd(root).quiet()
  const [line = ""] =
    /npm install dist\/\S+\.tgz/.exec(readFileSync(join(root, "README.md"), "utf8")) ?? []
  // The runtime is linked, because it is too large to unpack again.
  const flags = ["--prefer-offline", "--omit=optional", "--ignore-scripts", "--no-audit"]
  await $`sh -c ${`${line.replace("dist/", `${dist}/`)} ${flags.join(" ")}`}`.cwd(folder).quiet()
  rmSync(join(folder, "node_modules/bun"), { recursive: true })
  for (const name of ["bun", "@oven"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name))
})
afterAll(() => {
  for (const path of [dist, folder]) rmSync(path, { recursive: true })
})

test("it contains the program, the documents and the examples, in less than 4.5 MB with its tar headers", async () => {
  const listed = await $`tar -tzf ${join(dist, archive)}`.text()
  const packed = listed.split("\n").filter((path) => path !== "")
  const sources = ["{bin,deploy,docs,examples,src}/**/*", "clients/php/src/*"].flatMap(
    (pattern) => [...new Bun.Glob(pattern).scanSync(root)],
  )
  const isTested = (path: string) => /\.(test|contract)\./.test(path)
  const wanted = [
    ...["CHANGELOG.md", "LICENSE", "README.md", "package.json", "tsconfig.json"],
    ...["clients/php/pazar.php", "npm-shrinkwrap.json"],
  ]
  expect(packed.map((path) => path.replace("package/", "")).toSorted()).toEqual(
    [...wanted, ...sources.filter((path) => !isTested(path))].toSorted(),
  )
  const bytes = Bun.gunzipSync(readFileSync(join(dist, archive))).length
  expect(bytes).toBeLessThan(4_500_000)
})

test("`npm ci` in the unpacked package installs the tested versions", async () => {
  await $`tar -xzf ${join(dist, archive)}`.cwd(folder)
  const unpacked = join(folder, "package")
  const { exitCode } = await $`npm ci --dry-run --offline`.cwd(unpacked).quiet().nothrow()
  const { packages } = JSON.parse(readFileSync(join(unpacked, "npm-shrinkwrap.json"), "utf8"))
  const shipped = Object.entries(lock.packages).filter(([, entry]) => !("dev" in entry))
  expect([exitCode, Object.keys(packages)]).toEqual([0, shipped.map(([path]) => path)])
})

test("its SBOM has every installed package once, with a hash and a license", () => {
  const { metadata, components } = JSON.parse(readFileSync(join(dist, "sbom.json"), "utf8"))
  const shipped = Object.entries(lock.packages).filter(([, entry]) => !("dev" in entry))
  const names = shipped.map(([path]) => path.replace(/^.*node_modules\//, ""))
  expect([metadata.component.name, metadata.component.version]).toEqual(["pazar", version])
  expect(components.map(({ name }: { name: string }) => name).toSorted()).toEqual(
    names.filter((name) => name !== "").toSorted(),
  )
  for (const { hashes, licenses } of components) {
    expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/)
    expect(licenses[0].license.id).toEqual(expect.any(String))
  }
})

test("the demo runs on two threads", async () => {
  const server = await startServer(folder, { PAZAR_THREADS: "2" }, "demo", launcher())
  const pages = ["/", "/docs", "/login"].map((path) => retryingFetch(server.url + path))
  expect((await Promise.all(pages)).map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await server.stop()).status).toBe(0)
})

test("it runs if npm was told to ignore install scripts", async () => {
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
    stdout: `${version}\n`,
    stderr: "",
  })
})
