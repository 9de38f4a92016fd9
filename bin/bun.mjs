// Finds the Bun that npm installed, and the options to run the program with.
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const config = fileURLToPath(new URL("bunfig.toml", import.meta.url))
const compilerSettings = fileURLToPath(new URL("../tsconfig.json", import.meta.url))

/** Returns the path of the binary, or null if it is not installed. */
export function findBun() {
  try {
    const manifest = createRequire(import.meta.url).resolve("bun/package.json")
    // The package names its binary bun.exe on every platform.
    return findPlatformBun(manifest) ?? installed(join(dirname(manifest), "bin", "bun.exe"))
  } catch {
    return null
  }
}

/** Without install scripts, the binary stays in the package of its platform. */
function findPlatformBun(manifest) {
  const require = createRequire(manifest)
  for (const name of Object.keys(require(manifest).optionalDependencies)) {
    try {
      const folder = join(dirname(require.resolve(`${name}/package.json`)), "bin")
      const binary = installed(join(folder, "bun")) ?? installed(join(folder, "bun.exe"))
      if (binary !== null) return binary
    } catch {
      // The package of another platform.
    }
  }
  return null
}

const installed = (path) => (existsSync(path) ? path : null)

// --no-orphans: a `kill -9` of the parent must not leave a server holding the port.
// The others keep Bun 1.4 from using files of the working folder: it would run code that bunfig.toml names,
// read .env and tsconfig.json, and install missing packages.
export const runOptions = [
  "--no-orphans",
  `--config=${config}`,
  "--no-env-file",
  "--no-install",
  `--tsconfig-override=${compilerSettings}`,
  main,
]
