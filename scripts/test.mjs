// npm test              the checks, and the tests that a person runs before every commit
// npm test -- --all     also the tests named .all, and properties with many runs, as in CI
// npm test NAME…        the tests whose path contains one of the names
//
// x.test.ts runs on SQLite, x.both.test.ts on both databases, x.postgres.test.ts on PostgreSQL. With .all before .test
// it runs with --all only.
import { spawn, spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { installMissing, installPhp } from "./install-missing.mjs"
import { installTools } from "./install-tools.mjs"
import { createTestsFolder } from "./tests-folder.mjs"

const root = fileURLToPath(new URL("../", import.meta.url))
const names = process.argv.slice(2).filter((argument) => argument !== "--all")
const unknown = names.filter((name) => name.startsWith("-"))
if (unknown.length > 0) {
  console.error(`unknown option ${unknown.join(", ")}; usage: npm test [-- --all] [NAME…]`)
  process.exit(2)
}

const isForAll = (file) => /\.all\.test\.tsx?$/.test(file)
const isOnPostgres = (file) => /[./](both|postgres)(\.all)?\.test\.tsx?$/.test(file)
const isOnSqlite = (file) => !/[./]postgres(\.all)?\.test\.tsx?$/.test(file)

const files = ["bench", "sdk/test", "src", "tests"]
  .flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true }).map((file) => `${folder}/${file}`),
  )
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes("node_modules/"))
const isNamed = names.length > 0
const isAll = process.argv.includes("--all")
const chosen = isNamed
  ? files.filter((file) => names.some((name) => file.includes(name)))
  : files.filter((file) => isAll || !isForAll(file))
if (chosen.length === 0) {
  console.error(`no path of a test contains ${names.join(" or ")}`)
  process.exit(2)
}

installMissing({ isDevelopment: true })
if (chosen.some(isForAll)) installPhp()
if (isAll || !isNamed) installTools({ isAll })
addPostgresUser()

const folder = createTestsFolder()
const environment = {
  TMPDIR: folder,
  TESTS_FOLDER: folder,
  ...(isAll ? { PAZAR_TEST_ALL: "1" } : {}),
}
/**
 * A test that hangs fails after a minute; one for --all, or with ten times the runs, after five. The few others that
 * take ten seconds on two free cores state their own timeout. Each process keeps its PostgreSQL from file to file.
 */
const suite = (title, chosenFiles, env) => [
  title,
  "bun",
  [
    "test",
    `--timeout=${chosenFiles.some(isForAll) ? 300_000 : 60_000}`,
    ...["--parallel=2", "--no-isolate"],
    ...chosenFiles.map((file) => `./${file}`),
  ],
  { ...environment, ...env },
]
const checks = [
  ["format and lint", "biome", ["ci", "--colors=off", "--error-on-warnings", "."]],
  ["types", "tsc", ["-p", "."]],
  ["dead code", "knip", []],
]
const onSqlite = chosen.filter(isOnSqlite)
const onPostgresToo = chosen.filter(isOnPostgres)
const suites = [
  ...(onSqlite.length > 0 ? [suite("tests", onSqlite, {})] : []),
  ...(onPostgresToo.length > 0
    ? [suite("tests on PostgreSQL", onPostgresToo, { PAZAR_TEST_STORE: "postgres" })]
    : []),
]

/** Counts while the tests run. A failure is printed a second time in the summary of its suite. */
const count = { passed: 0, failed: 0 }
const total = { passed: 0, failed: 0 }
const showProgress = () =>
  process.stderr.isTTY && process.stderr.write(`\r${count.passed} passed, ${count.failed} failed `)

/** Runs a part, prints its output under its title, and returns whether it succeeded. */
async function run([title, command, args, env]) {
  const child = spawn(`${root}node_modules/.bin/${command}`, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", ...env },
    shell: process.platform === "win32",
  })
  const output = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      output.push(text)
      count.passed += text.toString().match(/^\(pass\)/gm)?.length ?? 0
      count.failed += text.toString().match(/^\(fail\)/gm)?.length ?? 0
      showProgress()
    })
  }
  const startedAt = Date.now()
  const status = await new Promise((end) => child.on("close", end))
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  const isFailed = status !== 0
  console.log(`\n── ${title}: ${isFailed ? `failed, status ${status}` : "ok"} (${seconds} s)`)
  const text = Buffer.concat(output).toString()
  console.log(withoutPassed(text))
  total.passed += Number(/^ *(\d+) pass$/m.exec(text)?.[1] ?? 0)
  total.failed += Number(/^ *(\d+) fail$/m.exec(text)?.[1] ?? 0)
  return !isFailed
}

/** Failures and the summary, without passed tests and files that contain nothing else. */
const withoutPassed = (output) =>
  output
    .replaceAll(/^\(pass\).*\n/gm, "")
    .replaceAll(/^\S+\.test\.tsx?:\n(?=\s*(?:\n|\S+\.test\.tsx?:\n))/gm, "")
    .replaceAll(/\n{2,}/g, "\n\n")
    .trim()

/** PostgreSQL does not run as root. The user is added here, before several processes would do it concurrently. */
function addPostgresUser() {
  if (process.getuid?.() !== 0 || spawnSync("id", ["postgres"]).status === 0) return
  spawnSync("useradd", ["--system", "--user-group", "postgres"], { stdio: "inherit" })
}

/** Changed and new files, as git lists them. Empty without git, as in an unpacked package. */
const listChanges = () =>
  spawnSync("git", ["status", "--porcelain"], { cwd: root }).stdout?.toString() ?? ""

const before = listChanges()
console.log(`${chosen.length} test files${isNamed ? "" : ", and the checks beside them"}`)
async function runChecks() {
  const results = []
  for (const check of isNamed ? [] : checks) results.push(await run(check))
  return results
}
const results = (await Promise.all([runChecks(), ...suites.map(run)])).flat()
const after = listChanges()
if (after !== before)
  console.error(`the checkout changed while the tests ran; a test must write to TMPDIR:\n${after}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(results.every(Boolean) && after === before ? 0 : 1)
