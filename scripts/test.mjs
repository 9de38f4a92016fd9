// Everything that CI runs, fast parts first. Stops at the first part that fails.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { installMissing } from "./install-missing.mjs"

installMissing({ isDevelopment: true })

const root = fileURLToPath(new URL("../", import.meta.url))
const bin = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))
const parts = [
  ["format and lint", "biome", ["ci", "--error-on-warnings", "."]],
  ["types", "tsc", ["-p", "."]],
  ["dead code", "knip", []],
  ["tests", "bun", ["test", "--timeout=60000", ...process.argv.slice(2)]],
]

for (const [title, command, args] of parts) {
  console.log(`\n── ${title}`)
  const { status } = spawnSync(bin(command), args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  })
  if (status !== 0) process.exit(status ?? 1)
}
