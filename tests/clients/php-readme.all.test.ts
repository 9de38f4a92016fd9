import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { readKeySet } from "../harness/http/key-set.ts"
import { runPhp } from "../harness/php/php.ts"
import { copyClient } from "../harness/php/php-client.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"

const clientFolder = fileURLToPath(new URL("../../clients/php", import.meta.url))
const harness = fileURLToPath(new URL("../harness/php", import.meta.url))
const readme = readFileSync(join(clientFolder, "README.md"), "utf8")

let program: Program
let folder: string
let replacements: readonly (readonly [string, string])[]
beforeAll(async () => {
  program = await startProgram()
  await program.load([
    account("ada"),
    item("ada", 1229),
    item("ada", 1230),
    ...[purchase("BUYERS-PURCHASE-CODE", 1229), purchase("ANOTHER-ITEMS-CODE", 1230)],
  ])
  folder = join(program.folder, "product")
  mkdirSync(join(folder, "examples"), { recursive: true })
  copyClient(folder)
  const pinned = (await readKeySet(program.url)).map(({ x }) => `'${x}'`)
  replacements = [
    ["https://licenses.example.com", program.url],
    ["pzr_vk_YOUR_VALIDATION_KEY", (await program.issue("ada", "vk", [1229])).secret],
    ["pzr_sk_YOUR_SECRET_KEY", (await program.issue("ada", "sk")).secret],
    ["'CURRENT_KEY', 'NEXT_KEY'", pinned.join(", ")],
    ["/var/lib/acme/license", join(folder, "license")],
    ["sys_get_temp_dir()", `'${folder}'`],
  ]
})
afterAll(() => program.close())

const fill = (text: string) =>
  replacements.reduce((filled, [name, value]) => filled.replaceAll(name, value), text)

const samples = [...readme.matchAll(/^```php\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms)].map(
  ([, text = "", output]) => ({ text, output }),
)
const sampleWith = (call: string) => samples.find(({ text }) => text.includes(call))

async function run(name: string, code: string) {
  const file = join(folder, name)
  writeFileSync(file, fill(code))
  return runPhp(["-d", "error_reporting=-1", "-d", "display_errors=stderr", file])
}
const printed = (stdout: string) => ({ status: 0, stdout, stderr: "" })

const required = (files: readonly string[]) => files.map((file) => `require '${file}';\n`).join("")
const wordpress = join(harness, "wordpress-functions.php")
const laravel = join(harness, "laravel.php")
const enterCode = "update_option('acme_slider_code', 'BUYERS-PURCHASE-CODE', false);\n"

describe("README.md", () => {
  const client = () => samples[0]?.text.slice(0, samples[0].text.indexOf("]);") + 3) ?? ""
  const opening = () => `<?php\n${required([join(folder, "pazar.php")])}`

  test("has as many samples as this test runs", () => {
    expect(samples).toHaveLength(5)
  })

  test("quickstart", async () => {
    const code = `${opening()}${samples[0]?.text}`
    const another = code.replace("BUYERS-PURCHASE-CODE", "ANOTHER-ITEMS-CODE")
    expect(await run("ask.php", code)).toEqual(printed(expect.stringMatching(/runs\.\n$/)))
    expect(await run("ask.php", another)).toEqual(
      printed(expect.stringMatching(/\bunknown_code\n$/)),
    )
  })

  test("sites", async () => {
    await program.app.store.sites.putLimits(1229, { sites: 1, byLicense: {} })
    const sample = sampleWith("->release(")
    const code = `${opening()}${client()}\n${sample?.text}`
    expect(await run("sites.php", code)).toEqual(printed(sample?.output ?? "none"))
  })

  test("offline activation", async () => {
    const sample = `${client()}\n${sampleWith("->importReceipt(")?.text}`
    const { stdout } = await run("offline.php", `${opening()}${sample}`)
    expect(stdout).toStartWith(`${program.url}/activate#key=`)
    const fields = Object.fromEntries(new URLSearchParams(new URL(stdout.trim()).hash.slice(1)))
    const { key = "", ...rest } = fields
    const response = await fetch(`${program.url}/api/purchases/validation`, {
      method: "POST",
      headers: { "X-Api-Key": key },
      body: new URLSearchParams({ purchase_code: "BUYERS-PURCHASE-CODE", ...rest }),
    })
    const receipt = {
      status: response.status,
      body: await response.text(),
      headers: Object.fromEntries(response.headers),
      code: "BUYERS-PURCHASE-CODE",
      ...fields,
    }
    const line = `pazar1.${Buffer.from(JSON.stringify(receipt)).toString("base64url")}`
    const paste = (text: string) => `${opening()}$_POST['receipt'] = '${text}';\n${sample}`
    expect(await run("offline.php", paste("pazar1.e30"))).toEqual(
      printed(expect.stringMatching(/\binvalid_response\n$/)),
    )
    expect(await run("offline.php", paste(line))).toEqual(
      printed(expect.stringMatching(/\bBUYERS-PURCHASE-CODE\n$/)),
    )
    await program.app.store.sites.putLimits(1229, { sites: null, byLicense: {} })
  })

  test("WordPress", async () => {
    const code = `<?php\n${required([wordpress, join(folder, "pazar.php")])}${enterCode}${sampleWith("WordPress::boot(")?.text}
do_action('after_setup_theme');
do_action('acme_slider_check');
do_action('after_setup_theme');
echo $site->shortcodes['acme_slider']();`
    expect(await run("plugin.php", code)).toEqual(printed('<div class="acme-slider"></div>'))
  })

  test("plain HTTP", async () => {
    const sample = `<?php\n${sampleWith("curl_init(")?.text}`
    expect(await run("http.php", sample)).toEqual(printed("Ürün 1229\n"))
    const away = sample.replace("https://licenses.example.com", "http://127.0.0.1:1")
    expect(await run("http.php", away)).toEqual(printed(expect.stringContaining("no response")))
  })
})

describe("examples", () => {
  const read = (name: string) => readFileSync(join(clientFolder, "examples", name), "utf8")

  const listSites = async () =>
    (await program.app.store.sites.list("BUYERS-PURCHASE-CODE")).map(({ site }) => site)

  test("plain.php", async () => {
    expect(await run("examples/plain.php", read("plain.php"))).toEqual(
      printed("Please activate the product.\nThe product runs.\n"),
    )
  })

  test("wordpress.php", async () => {
    await program.app.store.sites.putLimits(1229, { sites: 2, byLicense: {} })
    for (const name of ["wordpress.php", "wordpress-license.php"]) {
      writeFileSync(join(folder, "examples", name), fill(read(name)))
    }
    const code = `<?php\n${required([wordpress])}define('ABSPATH', '/');
${required([join(folder, "examples/wordpress.php")])}${enterCode}
do_action('after_setup_theme');
do_action('acme_slider_check');
do_action('after_setup_theme');
do_action('wp_footer');`
    expect(await run("site.php", code)).toEqual(
      printed(expect.stringMatching(/^<div class="acme-slider">[^<]+<\/div>$/)),
    )
    expect(await listSites()).toContain("site.example.com")
  })

  test("wordpress.php a year after the last response: the product stays active and gets updates until the code is invalid", async () => {
    const clock = "'clock' => static fn (): int => time() + $GLOBALS['later'], 'keys'"
    writeFileSync(join(folder, "examples/wordpress.php"), fill(read("wordpress.php")))
    writeFileSync(
      join(folder, "examples/wordpress-license.php"),
      fill(read("wordpress-license.php")).replace("'keys'", clock),
    )
    const filter = `update_plugins_${new URL(program.url).hostname}`
    const code = `<?php\n$later = 0;\n${required([wordpress])}define('ABSPATH', '/');
${required([join(folder, "examples/wordpress.php")])}${enterCode}
function load(): void
{
    global $site;
    $site->hooks = ['after_setup_theme' => $site->hooks['after_setup_theme']];
    do_action('after_setup_theme');
}
load();
do_action('acme_slider_check');
foreach ([[1, 'BUYERS-PURCHASE-CODE'], [400, 'BUYERS-PURCHASE-CODE'], [400, 'MADE-UP']] as [$days, $code]) {
    $later = $days * 86400;
    update_option('acme_slider_code', $code, false);
    load();
    do_action('wp_footer');
    echo json_encode(apply_filters('${filter}', false, ['Version' => '1.0.0'], 'wordpress.php')['version'] ?? null), "\\n";
}`
    const { stdout, stderr } = await run("later.php", code)
    expect(stderr).toBe("")
    expect(stdout).toMatch(/^(<div class="acme-slider">[^<]+<\/div>"1.4.0"\n){2}null\n$/)
  })

  test("wordpress.php uses the text domain of its header", () => {
    const text = read("wordpress.php")
    const [, domain] = /^ \* Text Domain: (.+)$/m.exec(text) ?? []
    const used = [...text.matchAll(/__\('.*?', '(.*?)'\)/g)].map(([, name]) => name)
    expect(used).toEqual(["acme-slider"])
    expect(domain).toBe("acme-slider")
  })

  test("wordpress-uninstall.php", async () => {
    const name = "examples/wordpress-uninstall.php"
    writeFileSync(join(folder, name), fill(read("wordpress-uninstall.php")))
    const code = `<?php\n${required([wordpress])}${enterCode}do_action('after_setup_theme');
define('WP_UNINSTALL_PLUGIN', 'acme/acme.php');
${required([join(folder, name)])}echo count($wpdb->rows);`
    expect(await run("uninstall.php", code)).toEqual(printed("0"))
    expect(await listSites()).not.toContain("site.example.com")
  })

  test("a plugin file that is requested by its URL does nothing", async () => {
    for (const name of ["wordpress.php", "wordpress-license.php", "wordpress-uninstall.php"]) {
      expect(await run(`examples/${name}`, read(name))).toEqual(printed(""))
    }
  })

  test("laravel.php", async () => {
    writeFileSync(join(folder, "examples/laravel.php"), fill(read("laravel.php")))
    const files = [laravel, join(folder, "pazar.php"), join(folder, "examples/laravel.php")]
    const code = `<?php\n${required(files)}
$app = new LaravelApp();
$app->storage = '${folder}';
[$config, $schedule] = [new LaravelConfig(), new Illuminate\\Console\\Scheduling\\Schedule()];
$app->made = ['config' => $config, Illuminate\\Console\\Scheduling\\Schedule::class => $schedule];
$config->values['services.acme.purchase_code'] = 'BUYERS-PURCHASE-CODE';
$provider = new App\\Providers\\LicenseServiceProvider($app);
$provider->register();
$provider->boot();
foreach ($schedule->calls as $call) {
    $call();
}
echo $app->make(Pazar\\Client::class)->cached('BUYERS-PURCHASE-CODE')->source;`
    mkdirSync(join(folder, "app"))
    expect(await run("app.php", code)).toEqual(printed("cache"))
    rmSync(join(folder, "app/acme-license"))
    const unset = code.replace("'BUYERS-PURCHASE-CODE';", "null;")
    expect(await run("app.php", unset)).toEqual(printed(""))
  })
})
