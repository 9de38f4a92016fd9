import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import lock from "../../package-lock.json"
import { root } from "./deploy-files.ts"

/**
 * Copies what npm installs without the development packages. The runtime is linked, because it is too large to copy.
 */
export function copyProductionPackages(folder: string): void {
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === "" || "dev" in entry || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    if (/\/(bun|@oven)\b/.test(path)) symlinkSync(join(root, path), join(folder, path))
    else cpSync(join(root, path), join(folder, path), { recursive: true })
  }
}
