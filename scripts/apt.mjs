// Installs Debian packages, where this is root on a Debian.
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"

/** False where it is not, or if the installation fails. */
export function installByApt(what, packages) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false
  console.error(`Installing ${what} for the tests…`)
  const commands = [
    ["update", "-qq"],
    ["install", "-qq", "-y", "--no-install-recommends", ...packages],
  ]
  const stdio = ["ignore", 2, 2]
  return commands.every((args) => spawnSync("apt-get", args, { stdio }).status === 0)
}
