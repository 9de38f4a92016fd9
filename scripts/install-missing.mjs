// Installs packages that package.json pins and node_modules lacks, so that `npm start` and `npm test` work on a fresh
// checkout. It runs before Bun is installed, on Node only.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

const root = new URL("../", import.meta.url)
const readJson = (path) => JSON.parse(readFileSync(new URL(path, root), "utf8"))

function isInstalled([name, version]) {
  try {
    return readJson(`node_modules/${name}/package.json`).version === version
  } catch {
    return false
  }
}

/** @param {{ isDevelopment: boolean }} wanted */
export function installMissing({ isDevelopment }) {
  const { dependencies, devDependencies } = readJson("package.json")
  const wanted = { ...dependencies, ...(isDevelopment ? devDependencies : {}) }
  if (Object.entries(wanted).every(isInstalled)) return
  console.error("Installing missing packages…")
  // Installs the versions of the lock file without changing it. `npm ci` would delete all packages first.
  const args = ["install", "--no-save", "--no-audit", "--no-fund"]
  if (!isDevelopment) args.push("--omit=dev")
  const { status } = spawnSync("npm", args, {
    cwd: root,
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
