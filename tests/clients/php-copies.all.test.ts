import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import manifest from "../../package.json"
import { renderPhpClient } from "../../src/docs/clients/clients.ts"
import { runPhp } from "../harness/php/php.ts"
import { copyClient, newerVersion, newestVersion } from "../harness/php/php-client.ts"
import { temporaryFolder } from "../harness/program.ts"

const clientFolder = fileURLToPath(new URL("../../clients/php", import.meta.url))
const wordpress = fileURLToPath(new URL("../harness/php/wordpress-functions.php", import.meta.url))
const version = /\['pazar_php_copies'\]\['([\d.]+)'\]/.exec(
  readFileSync(join(clientFolder, "pazar.php"), "utf8"),
)?.[1]

let folder: string
beforeAll(() => {
  folder = temporaryFolder()
  copyClient(join(folder, "present"))
  copyClient(join(folder, "future"))
  change("future/pazar.php", `['${version}']`, `['${newerVersion}']`)
  change("future/src/options.php", "'site' => '',", "'site' => '', 'color' => 'red',")
  const oneFile = renderPhpClient()
    .replaceAll(`'${version}'`, `'${newestVersion}'`)
    .replace("'site' => '',", "'site' => '', 'color' => 'red',")
  mkdirSync(join(folder, "one-file"))
  writeFileSync(join(folder, "one-file/pazar.php"), oneFile)
})
afterAll(() => rmSync(folder, { recursive: true }))

function change(file: string, from: string, to: string): void {
  const text = readFileSync(join(folder, file), "utf8")
  expect(text).toContain(from)
  writeFileSync(join(folder, file), text.replace(from, to))
}

const load = (copy: string) => `require '${folder}/${copy}/pazar.php';`
const boot = (name: string, options = "") =>
  `Pazar\\WordPress::boot(['name' => '${name}', 'title' => 'A', 'base_url' => 'https://x.example', 'key' => 'k'${options}]);`
const newOption = ", 'color' => 'blue'"
const setUp = "do_action('after_setup_theme');"
const say = "echo Pazar\\VERSION;"

const run = (...parts: string[]) =>
  runPhp(["-d", "display_errors=stderr", "-r", `require '${wordpress}'; ${parts.join("\n")}`])
const printed = (stdout: string) => ({ status: 0, stdout, stderr: "" })

test.each([
  { order: ["present", "future"] },
  { order: ["future", "present"] },
  { order: ["present", "future", "present"] },
])("loaded as $order, the newest copy is used and accepts every option", async ({ order }) => {
  const boots = boot("first_plugin") + boot("second_plugin", newOption)
  expect(await run(...order.map(load), setUp, boots, say)).toEqual(printed(newerVersion))
})

test.each([
  { order: ["one-file"] },
  { order: ["present", "one-file", "future"] },
  { order: ["one-file", "future"] },
  { order: ["one-file", "present", "one-file"] },
])("a single-file copy competes like any other, loaded as $order", async ({ order }) => {
  const boots = boot("first_plugin") + boot("second_plugin", newOption)
  expect(await run(...order.map(load), setUp, boots, say)).toEqual(printed(newestVersion))
})

test("a single-file copy has every class of the folder", async () => {
  const list = "array_merge(get_declared_classes(), get_declared_interfaces())"
  const show = `foreach (${list} as $name) if (strpos($name, 'Pazar\\\\') === 0) echo $name, PHP_EOL;`
  const classesOf = async (copy: string) =>
    (await runPhp(["-r", `${load(copy)} new Pazar\\FileStore('x'); ${show}`])).stdout.split("\n")
  const classes = await classesOf("present")
  expect(classes).toContain("Pazar\\WordPress")
  expect((await classesOf("one-file")).toSorted()).toEqual(classes.toSorted())
})

test("a newer copy that is loaded too late breaks no page", async () => {
  const late = load("future") + boot("second_plugin", newOption)
  const steps = [load("present"), setUp, boot("first_plugin"), late, say]
  expect(await run(...steps)).toEqual(printed(String(version)))
})

test("a copy that is used before all plugins and the theme are loaded is reported, and used", async () => {
  const late = load("future") + setUp + boot("second_plugin", newOption)
  const { status, stdout, stderr } = await run(load("present"), boot("a_plugin"), late, say)
  expect([status, stdout]).toEqual([0, String(version)])
  expect(stderr).toContain("after_setup_theme")
})

test("a copy whose plugin was deleted in this request is skipped", async () => {
  const gone = `$GLOBALS['pazar_php_copies']['${newestVersion}'] = '/nowhere';`
  expect(await run(load("present"), gone, setUp, boot("a_plugin"), say)).toEqual(
    printed(String(version)),
  )
})

test("the interfaces declare no constants, which a class cannot override before PHP 8.1", async () => {
  const names = "['Pazar\\\\Http', 'Pazar\\\\Store']"
  const show = `foreach (${names} as $name) echo count((new ReflectionClass($name))->getConstants());`
  expect(await run(load("present"), setUp, show)).toEqual(printed("00"))
})

test("outside WordPress, the first use decides", async () => {
  const use = "new Pazar\\FileStore('x');"
  const code = `${load("present")} ${load("future")} ${use} ${say}`
  expect(await runPhp(["-r", code])).toEqual(printed(newerVersion))
})

test("the version of the copy is not older than the package", () => {
  expect(Bun.semver.order(version ?? "", manifest.version)).toBeGreaterThanOrEqual(0)
})
