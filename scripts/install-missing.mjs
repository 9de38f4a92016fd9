// Installs packages that package.json pins and node_modules lacks, so that `npm start` and `npm test` work on a fresh
// checkout. It runs before Bun is installed, on Node only.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

const root = new URL("../", import.meta.url)
const php = new URL("tests/harness/php/", root)
const readJson = (url) => JSON.parse(readFileSync(url, "utf8"))

/** @param {{ isDevelopment: boolean }} wanted */
export function installMissing({ isDevelopment }) {
  const { dependencies, devDependencies } = readJson(new URL("package.json", root))
  const wanted = { ...dependencies, ...(isDevelopment ? devDependencies : {}) }
  install(root, wanted, isDevelopment ? [] : ["--omit=dev"])
}

/** PHP for tests that run with --all. Its packages demand a Node newer than the program's; the tests run them in Bun. */
export function installPhp() {
  install(php, readJson(new URL("package.json", php)).dependencies, ["--loglevel=error"])
}

function install(folder, wanted, options) {
  const isInstalled = ([name, version]) => {
    try {
      return readJson(new URL(`node_modules/${name}/package.json`, folder)).version === version
    } catch {
      return false
    }
  }
  if (Object.entries(wanted).every(isInstalled)) return
  console.error("Installing missing packages…")
  // Installs the versions of the lock file without changing it. `npm ci` would delete all packages first.
  const args = ["install", "--no-save", "--no-audit", "--no-fund", ...options]
  const { status } = spawnSync("npm", args, {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
    // With NODE_ENV=production of the caller, npm would skip the development packages.
    env: { ...process.env, NODE_ENV: undefined },
  })
  if (status !== 0) {
    console.error("the installation failed; see the output above")
    process.exit(2)
  }
}
