/**
 * Builds all distributed files: `npx bun scripts/build.ts [--out FOLDER] [PART…]`, by default all parts into dist/.
 * Executables are reproducible on every machine and in every folder: package-lock.json has the hash of the runtime,
 * and the content depends only on commit and file name.
 */
import { createHash } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { $ } from "bun"
import { findBun } from "../bin/bun.mjs"
import composerJson from "../clients/php/composer.json"
import manifest from "../package.json"
import lock from "../package-lock.json"
import { readClientFiles } from "../src/docs/clients/clients.ts"
import { writeChecksums } from "./checksums.ts"

const root = join(import.meta.dir, "..")
const runtimes = {
  "linux-x64": "@oven/bun-linux-x64",
  "linux-arm64": "@oven/bun-linux-aarch64",
} as const
type Target = keyof typeof runtimes
const targets: readonly string[] = Object.keys(runtimes)
const isTarget = (name: string): name is Target => targets.includes(name)

/** The runtime's binary: the one that npm installed, or one from the registry for another machine. */
async function readyRuntime(target: Target, scratch: string): Promise<string> {
  const name = runtimes[target]
  // npm installs only the package of this machine, which differs with musl.
  const isInstalled = existsSync(join(root, "node_modules", name, "package.json"))
  const installed = isInstalled ? findBun() : null
  if (installed !== null) return installed
  const { version, integrity } = lock.packages[`node_modules/${name}`]
  const folder = join(scratch, target)
  mkdirSync(folder)
  const archive = (await $`npm pack --silent ${name}@${version}`.cwd(folder).text()).trim()
  const bytes = readFileSync(join(folder, archive))
  const found = `sha512-${createHash("sha512").update(bytes).digest("base64")}`
  if (found !== integrity) throw new Error(`${name} does not match its hash in package-lock.json`)
  await $`tar -xzf ${archive} package/bin/bun`.cwd(folder)
  return join(folder, "package/bin/bun")
}

async function build(target: Target, scratch: string, out: string): Promise<void> {
  const name = `pazar-${target}`
  const outfile = join(scratch, name)
  await Bun.build({
    entrypoints: [
      "src/main.ts",
      "src/server/listener-thread.ts",
      "src/server/backup-thread.ts",
    ].map((path) => join(root, path)),
    // Thread modules are looked up beside the program.
    naming: "[name].[ext]",
    target: "bun",
    // Embedded in the executable too, so that stack traces in the log name files and lines of the source.
    sourcemap: "inline",
    compile: {
      target: `bun-${target}`,
      executablePath: await readyRuntime(target, scratch),
      outfile,
      // As in bin/bun.mjs, no file of the working directory changes what the program does.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  })
  copyFileSync(outfile, join(out, name))
}

/** The npm package with the versions of all its dependencies, and the list of them for security scanners. */
async function packProgram(scratch: string, out: string): Promise<void> {
  const archive = (await $`npm pack --silent --pack-destination ${scratch}`.text()).trim()
  // `npm sbom` names the program after its folder.
  const folder = join(scratch, manifest.name)
  mkdirSync(folder)
  await $`tar -xzf ${archive} --strip-components=1 -C ${folder}`.cwd(scratch)
  await $`npm pkg delete devDependencies scripts`.cwd(folder).quiet()
  const { devDependencies, ...own } = lock.packages[""]
  const shipped = Object.entries(lock.packages).filter(
    ([path, entry]) => path !== "" && !("dev" in entry),
  )
  const packages = { "": own, ...Object.fromEntries(shipped) }
  const text = JSON.stringify({ ...lock, packages }, null, 2)
  writeFileSync(join(folder, "npm-shrinkwrap.json"), `${text}\n`)
  await $`npm pack --silent --pack-destination ${out} ${folder}`.quiet()
  const sbom = $`npm sbom --package-lock-only --sbom-format=cyclonedx --sbom-type=application`
  writeFileSync(join(out, "sbom.json"), await sbom.cwd(folder).text())
}

/** The same files that every server offers at `/docs/clients/`, and the PHP client as a package of Composer. */
async function writeClients(scratch: string, out: string): Promise<void> {
  const files = await readClientFiles()
  for (const { name, bytes } of files) writeFileSync(join(out, name), bytes)
  const folder = join(scratch, "pazar-client-php")
  mkdirSync(folder)
  const php = files.find(({ name }) => name === "pazar.php")
  writeFileSync(join(folder, "pazar.php"), php?.bytes ?? "")
  const composer = { ...composerJson, version: manifest.version }
  writeFileSync(join(folder, "composer.json"), `${JSON.stringify(composer, null, 4)}\n`)
  copyFileSync(join(root, "clients/php/README.md"), join(folder, "README.md"))
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"))
  const same = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"]
  const archive = join(out, `pazar-client-php-${manifest.version}.tar`)
  await $`tar ${same} --mode=u=rw,go=r,a+X -cf ${archive} pazar-client-php`.cwd(scratch)
}

const parts: readonly string[] = [...targets, "npm", "clients"]

async function buildPart(part: string, scratch: string, out: string): Promise<void> {
  if (isTarget(part)) await build(part, scratch, out)
  else if (part === "npm") await packProgram(scratch, out)
  else await writeClients(scratch, out)
}

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { out: { type: "string", default: join(root, "dist") } },
  allowPositionals: true,
})
const out = resolve(values.out)
// The names of source files in stack traces are relative to this folder.
process.chdir(root)
const unknown = positionals.filter((name) => !parts.includes(name))
if (unknown.length > 0)
  throw new Error(`unknown part ${unknown.join(", ")}; use ${parts.join(", ")}`)
const scratch = mkdtempSync(join(tmpdir(), "pazar-build-"))
try {
  mkdirSync(out, { recursive: true })
  for (const part of positionals.length > 0 ? positionals : parts) {
    await buildPart(part, scratch, out)
  }
  process.stdout.write(writeChecksums(out))
} finally {
  rmSync(scratch, { recursive: true })
}
