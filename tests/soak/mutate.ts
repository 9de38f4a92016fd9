/**
 * `npm run soak -- mutate [AREA [MUTANTS [SEED]]]`: changes the code in one place at a time and runs its tests, which should fail. Works in a
 * copy of the checkout. Prints the survivors and the share that was killed; without an area it goes through all.
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createRandom } from "../harness/feed/random-feed.ts"
import { applyMutant, listMutants, type Mutant } from "../harness/mutants.ts"
import { type Area, areas } from "./mutation-areas.ts"

const root = join(import.meta.dir, "../..")
const copy = mkdtempSync(join(tmpdir(), "pazar-mutants-"))
for (const name of [
  "src",
  "tests",
  "sdk",
  "scripts",
  "bench",
  "bin",
  "clients",
  "docs",
  "deploy",
  "examples",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "bunfig.toml",
]) {
  cpSync(join(root, name), join(copy, name), { recursive: true })
}
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
process.on("exit", () => rmSync(copy, { recursive: true }))

/** Far beyond what the tests of one step take on a busy machine: a mutant may loop for ever. */
const testsMsMax = 600_000

/** Its own test before all others. */
function testsOf(file: string, { tests }: Area): Area["tests"] {
  const own = file.replace(/\.ts$/, ".test.ts")
  return existsSync(join(root, own)) ? [[own], ...tests] : tests
}

async function isKilled(tests: Area["tests"]): Promise<boolean> {
  for (const chosen of tests) {
    const child = Bun.spawn([process.execPath, "test", "--bail", "--timeout=120000", ...chosen], {
      cwd: copy,
      stdout: "ignore",
      stderr: "ignore",
      stdin: "ignore",
      timeout: testsMsMax,
    })
    if ((await child.exited) !== 0) return true
  }
  return false
}

function lineOf(source: string, { start, end, replacement }: Mutant): string {
  const line = source.slice(0, start).split("\n").length
  return `${line}: ${source.slice(start, end).replace(/\s+/g, " ").slice(0, 80)} → ${replacement.slice(0, 80)}`
}

const [chosen, mutants = "60", seed = "20240427"] = process.argv.slice(2)
if (chosen !== undefined && chosen !== "all" && !Object.hasOwn(areas, chosen)) {
  console.error(`There is no area ${chosen}; they are: ${Object.keys(areas).join(", ")}`)
  process.exit(2)
}
const random = createRandom(Number(seed))

async function mutateArea(name: string, area: Area): Promise<void> {
  const { files } = area
  if (await isKilled(area.tests)) throw new Error(`${name}: the tests fail without any change`)
  const all = files.flatMap((file) => {
    const source = readFileSync(join(root, file), "utf8")
    return listMutants(file, source).map((mutant) => ({ file, source, mutant }))
  })
  const picked = all
    .map((each) => ({ each, at: random() }))
    .toSorted((one, other) => one.at - other.at)
  const tried = picked.slice(0, Number(mutants)).map(({ each }) => each)
  let killed = 0
  for (const { file, source, mutant } of tried) {
    writeFileSync(join(copy, file), applyMutant(source, mutant))
    if (await isKilled(testsOf(file, area))) killed += 1
    else console.log(`  survived: ${file}:${lineOf(source, mutant)}`)
    writeFileSync(join(copy, file), source)
  }
  const share = Math.round((100 * killed) / tried.length)
  console.log(
    `${name}: ${killed} of ${tried.length} killed (${share} %), of ${all.length} possible`,
  )
}

for (const [name, area] of Object.entries(areas)) {
  if (chosen === undefined || chosen === "all" || chosen === name) await mutateArea(name, area)
}
process.exit()
