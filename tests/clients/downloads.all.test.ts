import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { $ } from "bun"
import manifest from "../../package.json"
import { samplesOf } from "../harness/browser/docs-page.ts"
import { openBundledPhp, runPhp } from "../harness/php/php.ts"
import { type Program, startProgram } from "../harness/program.ts"

const wordpress = fileURLToPath(new URL("../harness/php/wordpress-functions.php", import.meta.url))
const names = ["pazar.php", "pazar-client.tgz"]
let program: Program
let folder: string
beforeAll(async () => {
  program = await startProgram()
  folder = join(program.folder, "product")
  mkdirSync(folder)
  for (const name of names) {
    const { status, bytes } = await download(name)
    expect(status).toBe(200)
    writeFileSync(join(folder, name), bytes)
  }
})
afterAll(() => program.close())

async function download(name: string) {
  const response = await fetch(`${program.url}/docs/clients/${name}`)
  const { status, headers } = response
  return { status, headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}
const readPage = async (locale: string) =>
  (await fetch(`${program.url}/docs/clients.md?lang=${locale}`)).text()
const printed = (stdout: string) => ({ status: 0, stdout, stderr: "" })

test.each(["en", "tr"])(
  "the page in %s has the version and the checksums of the files",
  async (locale) => {
    const page = await readPage(locale)
    expect(page).toContain(manifest.version)
    for (const name of names) {
      const { headers, bytes } = await download(name)
      expect(page).toContain(`\`${Bun.SHA256.hash(bytes, "hex")}\``)
      expect(headers.get("content-disposition")).toBe(`attachment; filename="${name}"`)
    }
  },
)

test.each(names)("HEAD of %s returns the length of the file", async (name) => {
  const { headers } = await fetch(`${program.url}/docs/clients/${name}`, {
    method: "HEAD",
    headers: { "Accept-Encoding": "identity" },
  })
  expect(headers.get("content-length")).toBe(String((await download(name)).bytes.length))
})

test("404: an unknown file", async () => {
  expect((await download("pazar.phar")).status).toBe(404)
})

let project: Promise<string> | null = null
async function install(): Promise<string> {
  const folder = join(program.folder, "project")
  mkdirSync(folder)
  await $`npm install --no-audit --no-fund ${program.url}/docs/clients/pazar-client.tgz`
    .cwd(folder)
    .quiet()
  return folder
}

function runPlugin(plugin: string) {
  writeFileSync(join(folder, "my-slider.php"), plugin)
  const code = `require '${wordpress}';
$site->home = 'http://localhost';
update_option('my_slider_code', 'test-regular');
require '${folder}/my-slider.php';
do_action('after_setup_theme');
do_action('my_slider_check');
do_action('after_setup_theme');
do_action('wp_footer');`
  return runPhp(["-d", "display_errors=stderr", "-r", code])
}

test.each(["en", "tr"])("uninstall.php of the page in %s leaves no data", async (locale) => {
  const [, uninstall = ""] = /^```php\n(.*?)^```$/ms.exec(await readPage(locale)) ?? []
  writeFileSync(join(folder, "uninstall.php"), uninstall)
  const code = `require '${wordpress}';
update_option('my_slider_code', 'test-regular');
update_option('my_slider_record', '');
$site->home = 'http://localhost';
do_action('after_setup_theme');
define('WP_UNINSTALL_PLUGIN', 'my-slider/my-slider.php');
require '${folder}/uninstall.php';
echo get_option('my_slider_code', 'gone'), ' ', get_option('my_slider_record', 'gone');`
  expect(await runPhp(["-d", "display_errors=stderr", "-r", code])).toEqual(printed("gone gone"))
})

describe("the quickstart", () => {
  const sampleOf = async (language: string) => {
    const page = await (await fetch(`${program.url}/docs`)).text()
    return samplesOf(page).find((sample) => sample.language === language)?.text ?? ""
  }

  test("the PHP client validates the test code", async () => {
    writeFileSync(join(folder, "quickstart.php"), await sampleOf("php_client"))
    expect(await runPhp([join(folder, "quickstart.php")])).toEqual(printed("valid: Sample theme\n"))
  })

  test("the WordPress plugin runs after the code was entered", async () => {
    expect(await runPlugin(await sampleOf("wordpress"))).toEqual(printed("<p>My Slider runs.</p>"))
  })

  test("the TypeScript client validates the test code", async () => {
    project ??= install()
    writeFileSync(join(await project, "quickstart.mjs"), await sampleOf("typescript_client"))
    expect(await $`node quickstart.mjs`.cwd(await project).text()).toBe("valid: Sample theme\n")
  })
})

test("PHP 7.4 parses the single file", async () => {
  const php = await openBundledPhp("7.4", async () => "")
  php.addFile("/pazar.php", join(folder, "pazar.php"))
  const { stdout } = await php.run(
    "<?php require '/pazar.php'; new Pazar\\FileStore('x'); echo Pazar\\VERSION;",
  )
  php.close()
  expect(stdout).toBe(manifest.version)
})

test("the package of the TypeScript client is built from the sources", async () => {
  const offered = join(folder, "pazar-client.tgz")
  const version = JSON.parse(await $`tar -xzOf ${offered} package/package.json`.text()).version
  expect(version).toBe(manifest.version)
  const readme = await $`tar -xzOf ${offered} package/README.md`.text()
  expect(readme).toBe(readFileSync(join(import.meta.dir, "../../sdk/README.md"), "utf8"))
})
