/** Builds `dist/`: a minified ES module, a CommonJS module and type declarations for each entry point. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const folder = import.meta.dir
const dist = join(folder, "dist")
rmSync(dist, { recursive: true, force: true })
const formats = [
  { format: "esm", naming: "[name].mjs" },
  { format: "cjs", naming: "[name].cjs" },
] as const
for (const output of formats) {
  await Bun.build({
    entrypoints: [join(folder, "src/index.ts"), join(folder, "src/author.ts")],
    outdir: dist,
    target: "browser",
    minify: true,
    ...output,
  })
}
const tsc = Bun.spawnSync([join(folder, "../node_modules/.bin/tsc"), "-p", folder], {
  stdio: ["ignore", "inherit", "inherit"],
})
if (tsc.exitCode !== 0) throw new Error("tsc failed; see its output above")
// TypeScript before 5 rejects imports that end in `.ts`.
for (const name of readdirSync(dist).filter((file) => file.endsWith(".d.ts"))) {
  const path = join(dist, name)
  const types = readFileSync(path, "utf8")
  writeFileSync(path, types.replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'))
}
