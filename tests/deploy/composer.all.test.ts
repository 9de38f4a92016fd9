import { afterAll, beforeAll, expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { $ } from "bun"
import { version } from "../../package.json"
import { root } from "../harness/deploy-files.ts"
import { runPhp } from "../harness/php/php.ts"
import { temporaryFolder } from "../harness/program.ts"

const archive = `pazar-client-php-${version}.tar`
let dist: string
let folder: string
beforeAll(async () => {
  dist = temporaryFolder()
  folder = temporaryFolder()
  await $`${process.execPath} scripts/build.ts --out ${dist} clients`.cwd(root).quiet()
})
afterAll(() => {
  for (const path of [dist, folder]) rmSync(path, { recursive: true })
})

test("Composer finds no fault in its description", async () => {
  await $`composer validate --strict --no-interaction clients/php/composer.json`.cwd(root).quiet()
})

test("Composer installs the PHP client from the folder of the build", async () => {
  const repositories = [{ type: "artifact", url: dist }, { "packagist.org": false }]
  const project = { repositories, require: { "pazar/client": version } }
  writeFileSync(join(folder, "composer.json"), JSON.stringify(project))
  await $`composer install --no-interaction`.cwd(folder).quiet()
  const script = `
    require "vendor/autoload.php";
    echo class_exists("Pazar\\\\Client"), " ", Pazar\\VERSION;`
  expect(await runPhp(["-r", script], { cwd: folder })).toEqual({
    status: 0,
    stdout: `1 ${version}`,
    stderr: "",
  })
})

test("two builds have the same bytes", async () => {
  const again = temporaryFolder()
  await $`${process.execPath} scripts/build.ts --out ${again} clients`.cwd(root).quiet()
  const digests = [dist, again].map((path) =>
    Bun.file(join(path, archive))
      .bytes()
      .then((bytes) => Bun.SHA256.hash(bytes, "hex")),
  )
  const [one, other] = await Promise.all(digests)
  expect(one).toBe(other ?? "")
  rmSync(again, { recursive: true })
})
