// Finds a browser for the tests. npm carries a Chromium for Linux on x64 alone; elsewhere the tests take
// an installed one, and as root on Debian this installs its headless shell.
import { existsSync, readFileSync } from "node:fs"
import { installByApt } from "./apt.mjs"

const paths = new URL("../tests/harness/browser/browser-paths.json", import.meta.url)

export function installBrowser() {
  if (process.platform === "linux" && process.arch === "x64") return
  if (JSON.parse(readFileSync(paths, "utf8")).some((path) => existsSync(path))) return
  if (installByApt("a browser", ["chromium-headless-shell"])) return
  console.error(
    `npm carries no Chromium for ${process.platform} on ${process.arch}. Install Chromium, then run this again.`,
  )
  process.exit(2)
}
