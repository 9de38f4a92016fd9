/** Every sample of the PHP client's README and every example runs, against the real server. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { account, item, purchase } from "../../contracts/records.ts"
import { readKeySet } from "../../harness/http/key-set.ts"
import { openBundledPhp, runPhp } from "../../harness/php/php.ts"
import { addClient, copyClient } from "../../harness/php/php-client.ts"
import { readWordPressTexts } from "../../harness/php/wordpress-texts.ts"
import { type Program, startProgram } from "../../harness/program.ts"

const clientFolder = fileURLToPath(new URL("../../../clients/php", import.meta.url))
const harness = fileURLToPath(new URL("../../harness/php", import.meta.url))
const readme = readFileSync(join(clientFolder, "README.md"), "utf8")

let program: Program
let folder: string
let secretKey: string
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
  secretKey = (await program.issue("ada", "sk")).secret
  const pinned = (await readKeySet(program.url)).map(({ x }) => `'${x}'`)
  replacements = [
    ["https://licences.example.com", program.url],
    ["pzr_vk_YOUR_VALIDATION_KEY", (await program.issue("ada", "vk", [1229])).secret],
    ["'CURRENT_KEY', 'NEXT_KEY'", pinned.join(", ")],
    ["/var/lib/acme/licence", join(folder, "licence")],
    ["sys_get_temp_dir()", `'${folder}'`],
  ]
})
afterAll(() => program.close())

const fill = (text: string) =>
  replacements.reduce((filled, [name, value]) => filled.replaceAll(name, value), text)

/** In the order of the manual, each with the output that is printed below it. */
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
  test("has as many samples as this test runs", () => {
    expect(samples).toHaveLength(6)
  })

  test("asking", async () => {
    const code = `<?php\n${required([join(folder, "pazar.php")])}${samples[0]?.text}`
    const another = code.replace("BUYERS-PURCHASE-CODE", "ANOTHER-ITEMS-CODE")
    expect(await run("ask.php", code)).toEqual(printed(expect.stringMatching(/\bRegular\n$/)))
    expect(await run("ask.php", another)).toEqual(
      printed(expect.stringMatching(/\bunknown_code\n$/)),
    )
  })

  test("sites", async () => {
    await program.app.store.sites.putLimits(1229, { sites: 1, byLicense: {} })
    const sample = sampleWith("->release(")
    const code = `<?php\n${required([join(folder, "pazar.php")])}${sample?.text}`
    // The sample before had no site.
    rmSync(join(folder, "licence"))
    expect(await run("sites.php", code)).toEqual(printed(sample?.output ?? "none"))
  })

  test("without outgoing requests", async () => {
    const sample = `${required([join(folder, "pazar.php")])}${sampleWith("->importReceipt(")?.text}`
    const { stdout } = await run("by-hand.php", `<?php\n${sample}`)
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
    const paste = (text: string) => `<?php $_POST['receipt'] = '${text}';\n${sample}`
    expect(await run("by-hand.php", paste("pazar1.e30"))).toEqual(
      printed(expect.stringMatching(/\bnot_json\n$/)),
    )
    expect(await run("by-hand.php", paste(line))).toEqual(
      printed(expect.stringMatching(/\bBUYERS-PURCHASE-CODE\n$/)),
    )
    // The other samples run on other sites.
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

  test("Laravel", async () => {
    const code = `<?php\n${required([laravel, join(folder, "pazar.php")])}${sampleWith("LaravelStore(")?.text}`
    expect(await run("laravel.php", code)).toEqual(printed("valid\n"))
  })

  test("Stores", async () => {
    // The PHP from npm has SQLite, which an installed one need not have.
    const php = await openBundledPhp("8.4", async () => "")
    addClient(php)
    const { stdout, stderr } = await php.run(`<?php require '/client/pazar.php';
${sampleWith("implements Pazar\\Store")?.text}
$db = new PDO('sqlite::memory:');
$db->exec('CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT)');
$store = new DatabaseStore($db);
echo json_encode([
    $store->read(), $store->replace('x', 'a'), $store->replace(null, 'a'), $store->replace(null, 'b'),
    $store->read(), $store->replace('b', 'c'), $store->replace('a', 'c'), $store->read(),
    $store->delete(), $store->read(),
]);`)
    php.close()
    expect(stderr).toBe("")
    expect(JSON.parse(stdout)).toEqual([
      ...[null, false, true, false, "a", false, true, "c", null, null],
    ])
  })
})

describe("examples", () => {
  const read = (name: string) => readFileSync(join(clientFolder, "examples", name), "utf8")

  const listSites = async () =>
    (await program.app.store.sites.list("BUYERS-PURCHASE-CODE")).map(({ site }) => site)

  test("plain.php", async () => {
    expect(await run("examples/plain.php", read("plain.php"))).toEqual(
      printed(expect.stringMatching(/^.*\bunknown\b.*\n.*Ürün 1229\n$/)),
    )
  })

  test("wordpress.php", async () => {
    await program.app.store.sites.putLimits(1229, { sites: 2, byLicense: {} })
    for (const name of ["wordpress.php", "wordpress-licence.php"]) {
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

  test("wordpress.php 15 days after the last answer: the site goes on, the administrator is told, and updates wait unless the key was refused", async () => {
    const clock = "'clock' => static fn (): int => time() + $GLOBALS['later'], 'keys'"
    const [, key] = replacements.find(([name]) => name.startsWith("pzr_vk_")) ?? []
    writeFileSync(join(folder, "examples/wordpress.php"), fill(read("wordpress.php")))
    writeFileSync(
      join(folder, "examples/wordpress-licence.php"),
      fill(read("wordpress-licence.php"))
        .replace("'keys'", clock)
        .replace(`'${key}'`, `$GLOBALS['key'] ?? '${key}'`),
    )
    const offer = "(object) ['response' => ['wordpress.php' => 'a newer version']]"
    const code = `<?php\n[$later, $key] = [0, '${key}'];\n${required([wordpress])}define('ABSPATH', '/');
${required([join(folder, "examples/wordpress.php")])}${enterCode}
function load(): void
{
    global $site;
    $site->hooks = ['after_setup_theme' => $site->hooks['after_setup_theme']];
    do_action('after_setup_theme');
}
load();
do_action('acme_slider_check');
foreach ([[1, $key], [15, $key], [15, 'pzr_vk_that_was_revoked']] as [$days, $key]) {
    $later = $days * 86400;
    load();
    if ($key === 'pzr_vk_that_was_revoked') {
        do_action('acme_slider_check');
        load();
    }
    do_action('wp_footer');
    echo count(apply_filters('site_transient_update_plugins', ${offer})->response), ' updates ';
    $site->user = 'admin';
    do_action('admin_notices');
    echo "\\n";
}`
    const { stdout, stderr } = await run("later.php", code)
    expect(stderr).toBe("")
    const { en } = await readWordPressTexts()
    const warning = '<div class="notice notice-warning">'
    const [dayLater = "", expired, refused] = stdout.split("\n")
    const [slide] = /^<div class="acme-slider">[^<]+<\/div>/.exec(dayLater) ?? ["none"]
    expect(dayLater).toBe(`${slide}1 updates `)
    expect(expired).toStartWith(`${slide}0 updates ${warning}`)
    expect(expired).toContain(en("receipt_expired"))
    expect(refused).toStartWith(`${slide}1 updates ${warning}`)
    expect(refused).toContain(en("key_refused", "Acme Slider"))
  })

  test("wordpress.php has texts of the domain in its header", () => {
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

  test("a file of a plugin that is opened by its address does nothing", async () => {
    for (const name of ["wordpress.php", "wordpress-licence.php", "wordpress-uninstall.php"]) {
      expect(await run(`examples/${name}`, read(name))).toEqual(printed(""))
    }
  })

  test("laravel.php", async () => {
    writeFileSync(join(folder, "examples/laravel.php"), fill(read("laravel.php")))
    const files = [laravel, join(folder, "pazar.php"), join(folder, "examples/laravel.php")]
    const code = `<?php\n${required(files)}
app('config')->values['services.acme.purchase_code'] = 'BUYERS-PURCHASE-CODE';
$provider = new App\\Providers\\LicenceServiceProvider(app());
$provider->register();
$provider->boot();
foreach (app(Illuminate\\Console\\Scheduling\\Schedule::class)->calls as $call) {
    $call();
}
echo app(Pazar\\Client::class)->cached('BUYERS-PURCHASE-CODE')->source;`
    expect(await run("app.php", code)).toEqual(printed("cache"))
    const unset = code.replace("'BUYERS-PURCHASE-CODE';", "null;")
    expect(await run("app.php", unset)).toEqual(printed(""))
  })
})

test("the three reads", async () => {
  const code = `<?php\n${required([join(folder, "pazar.php")])}
$pazar = new Pazar\\Client(['base_url' => 'https://licences.example.com/', 'key' => '${secretKey}']);
echo json_encode([
    $pazar->account()['username'], array_column($pazar->items(), 'id'), $pazar->item(1229)['id'], $pazar->item(1),
]), "\\n";
try {
    (new Pazar\\Client([
        'base_url' => 'https://licences.example.com', 'key' => 'pzr_vk_YOUR_VALIDATION_KEY', 'items' => [1],
    ]))->account();
} catch (Pazar\\ReadFailure $exception) {
    echo $exception->getMessage(), ' ', $exception->status;
}
print_r(new Pazar\\Client(['base_url' => 'https://licences.example.com/', 'key' => '${secretKey}']));`
  const { stdout, stderr } = await run("reads.php", code)
  expect(stderr).toBe("")
  expect(stdout).toStartWith('["ada",[1230,1229],1229,null]\nPazar: key_not_allowed 403')
  expect(stdout).not.toContain(secretKey)
})

test("a read that the second server answers or refuses ends there", async () => {
  const open = (key: string) =>
    `(new Pazar\\Client(['base_url' => ['http://127.0.0.1:9', 'https://licences.example.com'], 'key' => '${key}']))`
  const code = `<?php\n${required([join(folder, "pazar.php")])}
echo json_encode([${open(secretKey)}->item(1229)['id'], ${open(secretKey)}->item(1)]), "\\n";
try {
    ${open("pzr_sk_unknown")}->account();
} catch (Pazar\\ReadFailure $failure) {
    echo $failure->reason, ' ', $failure->status;
}`
  expect(await run("second.php", code)).toEqual(printed("[1229,null]\nunknown_key 401"))
})
