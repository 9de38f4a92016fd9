// Finds a browser for the tests. npm carries a Chromium for Linux on x64 alone; elsewhere the tests take
// an installed one, and as root on Debian this installs its headless shell.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"

const paths = new URL("../tests/harness/browser-paths.json", import.meta.url)
const commands = [
  ["apt-get", "update", "-qq"],
  ["apt-get", "install", "-qq", "-y", "--no-install-recommends", "chromium-headless-shell"],
]

export function installBrowser() {
  if (process.platform === "linux" && process.arch === "x64") return
  if (JSON.parse(readFileSync(paths, "utf8")).some((path) => existsSync(path))) return
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.error("Installing a browser for the tests…")
    const stdio = ["ignore", 2, 2]
    const isDone = commands.every(
      ([command, ...args]) => spawnSync(command, args, { stdio }).status === 0,
    )
    if (isDone) return
  }
  console.error(
    `npm carries no Chromium for ${process.platform} on ${process.arch}. Install Chromium, then run this again.`,
  )
  process.exit(2)
}
