/**
 * The release checklist: `npm run release [-- --dry-run] [--from STEP]`. It stops at the first step that fails;
 * `--from` continues there. A dry run commits, tags and changes nothing outside dist/. Nothing is published:
 * CONTRIBUTING.md says what a person does with the files in dist/.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { arch, platform, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { $ } from "bun"
import { version } from "../package.json"
import { writeReleaseStores } from "./release-store.ts"

type Step = Readonly<{ name: string; run(): Promise<void> }>

const root = join(import.meta.dir, "..")
const dist = join(root, "dist")
const tag = `v${version}`

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { "dry-run": { type: "boolean", default: false }, from: { type: "string" } },
})
const isDryRun = values["dry-run"]

/** All files of the release must be built from the commit that gets the tag. */
async function checkTree(): Promise<void> {
  if ((await $`git status --porcelain`.text()) !== "")
    throw new Error("uncommitted changes; commit them first")
  if ((await $`git tag --list ${tag}`.text()) !== "") throw new Error(`tag ${tag} exists already`)
}

async function checkChangelog(): Promise<void> {
  const [, newest] = /^## (\S+)/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? []
  if (newest !== version) throw new Error(`CHANGELOG.md begins with ${newest}, not ${version}`)
}

/** For the upgrade tests of later versions. A patch release has the tables of its minor version. */
async function keepStores(): Promise<void> {
  if (isDryRun) return inScratch((folder) => writeReleaseStores(root, folder))
  const fixture = `tests/fixtures/releases/${version}`
  if (!version.endsWith(".0") || existsSync(fixture)) return
  await writeReleaseStores(root)
  await $`git add ${fixture}`
  await $`git commit --quiet -m ${`test(e2e): the stores of ${version}`}`
}

async function build(): Promise<void> {
  rmSync(dist, { recursive: true, force: true })
  await $`${process.execPath} scripts/build.ts`
  const output = await $`${dist}/pazar-${platform()}-${arch()} version`.text()
  if (!output.startsWith(`${version} (executable, `)) throw new Error(`the executable is ${output}`)
}

async function install(): Promise<void> {
  await inScratch(async (folder) => {
    await $`npm install --no-audit --no-fund ${dist}/pazar-${version}.tgz`.cwd(folder)
    const output = await $`npx pazar version`.cwd(folder).text()
    if (output !== `${version}\n`) throw new Error(`the package is ${output}`)
    const { startServer } = await import("../tests/harness/run-pazar.ts")
    const demo = await startServer(folder, {}, "demo", ["npx", "pazar"])
    await demo.stop()
  })
}

/** Podman and Docker have the same commands. `NODE_IMAGE` is the base image, as in the Dockerfile. */
async function buildImage(): Promise<void> {
  const runs = async (name: string) =>
    Bun.which(name) !== null && (await $`${name} info`.quiet().nothrow()).exitCode === 0
  const engine = (await runs("docker")) ? "docker" : (await runs("podman")) ? "podman" : null
  if (engine === null) {
    console.log("warning: no container engine is running; the image was not built")
    return
  }
  const base = process.env.NODE_IMAGE
  const options = base === undefined ? [] : ["--build-arg", `NODE_IMAGE=${base}`]
  const image = `pazar:${version}`
  await $`${engine} build ${options} -f deploy/Dockerfile -t ${image} .`
  await $`${engine} run --rm ${image} version`
  const name = `pazar-release-${version}`
  await $`${engine} run --rm --detach --name ${name} ${image} demo`.quiet()
  try {
    await untilHealthy(engine, name)
  } finally {
    await $`${engine} stop ${name}`.quiet()
  }
}

/** The image's own health check, run inside the container: it needs no published port. */
async function untilHealthy(engine: string, name: string): Promise<void> {
  const script = "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1))"
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const { exitCode } = await $`${engine} exec ${name} node -e ${script}`.quiet().nothrow()
    if (exitCode === 0) return
    await Bun.sleep(1_000)
  }
  throw new Error("the container does not become healthy")
}

async function addTag(): Promise<void> {
  if (!isDryRun) await $`git tag --annotate ${tag} -m ${version}`
}

async function inScratch(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "pazar-release-"))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const steps: readonly Step[] = [
  { name: "tree", run: checkTree },
  { name: "changelog", run: checkChangelog },
  { name: "stores", run: keepStores },
  { name: "test", run: async () => void (await $`npm test -- --all`) },
  { name: "audit", run: async () => void (await $`npm run audit`) },
  { name: "build", run: build },
  { name: "install", run: install },
  { name: "image", run: buildImage },
  { name: "tag", run: addTag },
]

process.chdir(root)
const first = values.from === undefined ? 0 : steps.findIndex(({ name }) => name === values.from)
if (first === -1) {
  console.error(`unknown step ${values.from}; use ${steps.map(({ name }) => name).join(", ")}`)
  process.exit(2)
}
for (const { name, run } of steps.slice(first)) {
  console.log(`── ${name}`)
  try {
    await run()
  } catch (error) {
    console.error(
      `not released because of ${name}: ${error instanceof Error ? error.message : error}`,
    )
    process.exit(1)
  }
}
console.log(
  isDryRun
    ? `${version} can be released.`
    : `${tag} is ready: CONTRIBUTING.md says how to publish it.`,
)
