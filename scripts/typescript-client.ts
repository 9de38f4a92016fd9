/**
 * Packs the TypeScript client that servers offer: `npx bun scripts/typescript-client.ts`, after each change of sdk/.
 * A server cannot create the file itself, because the compiler for its types is not shipped.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { $ } from "bun"

const root = join(import.meta.dir, "..")
const scratch = mkdtempSync(join(tmpdir(), "pazar-client-"))
try {
  const packed = await $`npm pack --silent --pack-destination ${scratch}`
    .cwd(join(root, "sdk"))
    .text()
  const target = join(root, "src/docs/clients/pazar-client.tgz")
  copyFileSync(join(scratch, packed.trim()), target)
} finally {
  rmSync(scratch, { recursive: true })
}
