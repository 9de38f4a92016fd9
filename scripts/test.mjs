// Everything that CI runs: the checks at once, and if they pass both suites.
import { spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { installMissing } from "./install-missing.mjs"
import { installTools } from "./install-tools.mjs"
import { createTestsFolder } from "./tests-folder.mjs"

const chosen = process.argv.slice(2)
const isPath = (argument) => !argument.startsWith("-") && argument.includes("/")
const mistyped = chosen.filter((argument) => isPath(argument) && !existsSync(argument))
if (mistyped.length > 0) {
  console.error(`There is no ${mistyped.join(", no ")}.`)
  process.exit(2)
}

installMissing({ isDevelopment: true })
installTools()
addPostgresUser()

const root = fileURLToPath(new URL("../", import.meta.url))
const bin = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))
/**
 * The timeout is ten times what the longest test takes on a busy machine. The files of a suite go to
 * whichever of its processes is free; a process keeps its PostgreSQL from file to file.
 */
const testIn = (processes) => [
  "test",
  "--timeout=600000",
  `--parallel=${processes}`,
  "--no-isolate",
]
/** A test runs on the stores that its folder names; src/store/postgres is PostgreSQL's own. */
const onlyOnPostgres = ["tests/postgres/", "src/store/postgres/"]
const onPostgres = ["tests/both-stores/", ...onlyOnPostgres]
const notOnPostgres = ["tests/sqlite/", "tests/across-stores/"]
const ignore = (folders) => folders.map((folder) => `--path-ignore-patterns=${folder}**`)

/** What was chosen without what is in these folders; null where no path is left of it. */
function chooseOutside(folders) {
  const isInside = (argument) => folders.some((folder) => `${argument}/`.startsWith(folder))
  const left = chosen.filter((argument) => !isInside(argument))
  return left.length === chosen.length || left.some((path) => existsSync(path)) ? left : null
}
const chosenOnSqlite = chooseOutside(onlyOnPostgres)
const chosenOnPostgres = chosen.length === 0 ? onPostgres : chooseOutside(notOnPostgres)
const checks = [
  ["format and lint", "biome", ["ci", "--error-on-warnings", "."]],
  ["types", "tsc", ["-p", "."]],
  ["dead code", "knip", []],
]
const folder = createTestsFolder()
const ownFolder = { TMPDIR: folder, TESTS_FOLDER: folder }
/** Both run at the same time: a process waits for timers and other processes part of its time. */
const suites = []
if (chosenOnSqlite !== null) {
  const args = [...testIn(3), ...ignore(onlyOnPostgres), ...chosenOnSqlite]
  suites.push(["tests", "bun", args, ownFolder])
}
if (chosenOnPostgres !== null) {
  const args = [...testIn(2), ...ignore(notOnPostgres), ...chosenOnPostgres]
  const env = { ...ownFolder, PAZAR_TEST_STORE: "postgres" }
  suites.push(["tests on PostgreSQL", "bun", args, env])
}

const start = ([, command, args, env]) =>
  spawn(bin(command), args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  })

/**
 * The first one prints as it runs; the output of the others is printed when it is done. What failed
 * is printed once more at the end, where a reader of 8,000 lines looks first.
 */
async function run(parts) {
  const running = parts.map((part, at) => {
    const child = start(part)
    const words = []
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text) => {
        words.push(text)
        if (at === 0) process.stdout.write(text)
      })
    return { title: part[0], words, ended: new Promise((end) => child.on("close", end)) }
  })
  const failures = []
  for (const [at, { title, words, ended }] of running.entries()) {
    console.log(`\n── ${title}`)
    const status = await ended
    const output = Buffer.concat(words)
    if (at > 0) process.stdout.write(output)
    if (status !== 0)
      failures.push(`\n── failed: ${title} (status ${status})`, ...listFailures(`${output}`))
  }
  if (failures.length === 0) return
  console.error(failures.join("\n"))
  process.exit(1)
}

/** What was printed between two tests that passed, where a test failed or a file did not load. */
const listFailures = (output) =>
  output.split(/^\(pass\).*\n/m).filter((part) => /^\(fail\)|error between tests/m.test(part))

/** PostgreSQL refuses to run as root. Processes of a suite that add the same user at once would fail. */
function addPostgresUser() {
  if (process.getuid?.() !== 0 || spawnSync("id", ["postgres"]).status === 0) return
  spawnSync("useradd", ["--system", "--user-group", "postgres"], { stdio: "inherit" })
}

/** The files that git would list as changed or new; empty where there is no git, as in an unpacked package. */
const listChanges = () =>
  spawnSync("git", ["status", "--porcelain"], { cwd: root }).stdout?.toString() ?? ""

await run(checks)
const before = listChanges()
await run(suites)
const after = listChanges()
if (after !== before) {
  console.error(
    `The checkout changed while the tests ran; a test must write to a temporary folder:\n${after}`,
  )
  process.exit(1)
}
