// Everything that CI runs, fast parts first. Stops at the first part that fails.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { installMissing } from "./install-missing.mjs"

installMissing({ isDevelopment: true })

const root = fileURLToPath(new URL("../", import.meta.url))
const bin = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))
const chosen = process.argv.slice(2)
const tests = ["test", "--timeout=60000"]
/** Whatever a user can see of a store, but for how pages are laid out: those are the same pages. */
const onBothStores = [
  ...["tests/contract", "tests/workspace", "tests/browser"],
  ...["tests/e2e/cli-", "tests/e2e/rolling-restart", "tests/e2e/threads"],
  ...["accessibility", "keyboard", "narrow", "cli-help"].map(
    (name) => `--path-ignore-patterns=**/${name}.test.ts`,
  ),
]
const parts = [
  ["format and lint", "biome", ["ci", "--error-on-warnings", "."]],
  ["types", "tsc", ["-p", "."]],
  ["dead code", "knip", []],
  ["tests", "bun", [...tests, ...chosen]],
  [
    "tests on PostgreSQL",
    "bun",
    [...tests, ...(chosen.length > 0 ? chosen : onBothStores)],
    { PAZAR_TEST_STORE: "postgres" },
  ],
]

for (const [title, command, args, env] of parts) {
  console.log(`\n── ${title}`)
  const { status } = spawnSync(bin(command), args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  })
  if (status !== 0) process.exit(status ?? 1)
}
