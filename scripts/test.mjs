// Everything that CI runs, fast parts first. Stops at the first part that fails.
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { installBrowser } from "./install-browser.mjs"
import { installMissing } from "./install-missing.mjs"
import { installPhp } from "./install-php.mjs"

installMissing({ isDevelopment: true })
installBrowser()
installPhp()

const root = fileURLToPath(new URL("../", import.meta.url))
const bin = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))
const chosen = process.argv.slice(2)
/** Ten times what the longest test takes on a busy machine. */
const tests = ["test", "--timeout=600000"]
const ignore = (pattern) => `--path-ignore-patterns=**/${pattern}`

/** Tests whose results depend on the store; some files test both stores themselves. */
const onBothStores = ["tests/contract", "tests/workspace", "tests/console", "tests/docs/pages"]
const programsOnBothStores = [
  ...["cli-", "renaming", "rolling-restart", "threads"],
  ...["beside-import", "kill-strict", "kill-full", "upgrade"],
].map((name) => `tests/e2e/${name}`)
const onSqliteAlone = ["cli-help", "cli-pull", "shared-limits"].map((name) =>
  ignore(`${name}.test.ts`),
)
/** PostgreSQL alone has these. */
const programsOnPostgres = ["postgres-", "nodes.", "pooler.", "replicas."].map(
  (name) => `tests/e2e/${name}`,
)
/** A browser test runs on one store: what the pages do with a store is tested on both without a browser. */
const browserOnPostgres = [
  ...["back-and-reload", "key-jobs", "key-path"],
  ...["keyboard", "live-search", "without-script"],
].map((name) => `tests/browser/${name}.`)
const elsewhere = [...programsOnPostgres, ...browserOnPostgres].map((start) => ignore(`${start}*`))

const checks = [
  ["format and lint", "biome", ["ci", "--error-on-warnings", "."]],
  ["types", "tsc", ["-p", "."]],
  ["dead code", "knip", []],
]

const onSqlite = (title, args) => [title, "bun", [...tests, ...args]]
const onPostgres = (title, args) => [
  `${title} on PostgreSQL`,
  "bun",
  [...tests, ...args],
  { PAZAR_TEST_STORE: "postgres" },
]
/** They run at the same time: each waits for timers, disks and processes for a good part of it. */
const suites =
  chosen.length > 0
    ? [onSqlite("tests", chosen), onPostgres("tests", chosen)]
    : [
        onSqlite("programs and pages", ["tests/e2e", "tests/browser", ...elsewhere]),
        onSqlite(
          "tests",
          ["tests/e2e/**", "tests/browser/**", "src/store/postgres/**"].map(ignore),
        ),
        onPostgres("programs and pages", [
          ...programsOnBothStores,
          ...programsOnPostgres,
          ...browserOnPostgres,
          ...onSqliteAlone,
        ]),
        onPostgres("tests", [...onBothStores, "src/store/postgres/", ...onSqliteAlone]),
      ]

const start = ([, command, args, env], stdio) =>
  spawn(bin(command), args, {
    cwd: root,
    stdio,
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  })

/** The first one prints as it runs; the output of the others is printed when it is done. */
async function run(parts) {
  const running = parts.map((part, at) => {
    const child = start(part, at === 0 ? "inherit" : ["ignore", "pipe", "pipe"])
    const words = []
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text) => words.push(text))
    return { title: part[0], words, ended: new Promise((end) => child.on("close", end)) }
  })
  const statuses = []
  for (const { title, words, ended } of running) {
    console.log(`\n── ${title}`)
    statuses.push(await ended)
    process.stdout.write(Buffer.concat(words))
  }
  if (statuses.some((status) => status !== 0)) process.exit(1)
}

await run(checks)
await run(suites)
