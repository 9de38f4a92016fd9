/** Builds `dist/`: one minified module, and the declarations of its types. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const folder = import.meta.dir
const dist = join(folder, "dist")
rmSync(dist, { recursive: true, force: true })
await Bun.build({
  entrypoints: [join(folder, "src/index.ts")],
  outdir: dist,
  target: "browser",
  format: "esm",
  minify: true,
})
const tsc = Bun.spawnSync([join(folder, "../node_modules/.bin/tsc"), "-p", folder], {
  stdio: ["ignore", "inherit", "inherit"],
})
if (tsc.exitCode !== 0) throw new Error("the declarations could not be made")
// The compiler leaves `./wire.ts` as it is, which TypeScript before 5 refuses to import.
for (const name of readdirSync(dist).filter((file) => file.endsWith(".d.ts"))) {
  const path = join(dist, name)
  writeFileSync(path, readFileSync(path, "utf8").replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'))
}
