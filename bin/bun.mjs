// The Bun that npm installed, and the options with which it runs the program.
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const config = fileURLToPath(new URL("bunfig.toml", import.meta.url))
const compilerSettings = fileURLToPath(new URL("../tsconfig.json", import.meta.url))

/** The path of the binary; null where it is not installed. */
export function findBun() {
  try {
    const home = dirname(createRequire(import.meta.url).resolve("bun/package.json"))
    // The package names its binary bun.exe on every platform.
    const binary = join(home, "bin", "bun.exe")
    return existsSync(binary) ? binary : null
  } catch {
    return null
  }
}

// --no-orphans: a `kill -9` of the parent must not leave a server holding the port.
// The others stop Bun 1.4 from using files of the working folder: it would run what bunfig.toml names,
// read .env and tsconfig.json, and install missing packages.
export const runOptions = [
  "--no-orphans",
  `--config=${config}`,
  "--no-env-file",
  "--no-install",
  `--tsconfig-override=${compilerSettings}`,
  main,
]
