/**
 * The sample plugin in a real WordPress whose WP_HOME is the Host header, with the real server and a limit of one
 * site.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { openVisitor, type Visitor } from "../harness/browser/visitor.ts"
import { readKeySet } from "../harness/http/key-set.ts"
import { type ScriptedPazar, startScriptedPazar } from "../harness/http/scripted-pazar.ts"
import { copyClient, newerVersion } from "../harness/php/php-client.ts"
import { startWordPress, type WordPress } from "../harness/php/wordpress.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { until } from "../harness/until.ts"

const code = "BUYERS-PURCHASE-CODE"
const settings = "/wp-admin/options-general.php?page=acme_slider"
const slide = '<div class="acme-slider">'
const plugin = "'acme-slider/acme-slider.php'"
const load = "require_once ABSPATH . 'wp-admin/includes/plugin.php';"
const active = "Acme Slider is active."
const withoutSodium = ["-d", "disable_functions=sodium_crypto_sign_verify_detached"]

describe("a real WordPress", () => {
  let program: Program
  let pazar: ScriptedPazar
  let site: WordPress
  let admin: Visitor
  let key: string
  let pinned: readonly string[]
  beforeAll(async () => {
    program = await startProgram()
    await program.load([account("ada"), item("ada", 1229), purchase(code, 1229)])
    await program.app.store.sites.putLimits(1229, { sites: 1, byLicense: {} })
    pazar = await startScriptedPazar()
    site = await startWordPress()
    await site.moveTo("https://www.shop.example.com/blog")
    pinned = (await readKeySet(program.url)).map(({ x }) => x)
    key = (await program.issue("ada", "vk", [1229])).secret
    site.addSamplePlugin({ server: program.url, key, pinned })
    expect(await run(`${load} echo json_encode(activate_plugin(${plugin}));`)).toBe("null")
    admin = openVisitor(site.url)
    await admin.get("/wp-login.php")
    await admin.post("/wp-login.php", { ...site.administrator, testcookie: "1" })
  })
  afterAll(async () => {
    await site.close()
    await pazar.close()
    await stopProgram()
  })
  let stopped: Promise<void> | undefined
  const stopProgram = () => {
    stopped ??= program.close()
    return stopped
  }

  const run = async (text: string, phpArguments: readonly string[] = []) => {
    const { stdout, stderr } = await site.run(text, phpArguments)
    expect(stderr).toBe("")
    return stdout
  }
  const read = async (path = settings) => {
    const { text } = await admin.get(path)
    return /<div class="wrap">.*?<div class="clear">/s.exec(text)?.[0] ?? text.slice(0, 500)
  }
  const send = async (verb: string, fields: Readonly<Record<string, string>> = {}) => {
    const [, form = ""] = (await read()).split(`value="acme_slider_${verb}"`)
    const _wpnonce = /name="_wpnonce" value="(\w+)"/.exec(form)?.[1] ?? ""
    const action = `acme_slider_${verb}`
    const sent = await admin.post("/wp-admin/admin-post.php", { action, _wpnonce, ...fields })
    expect(sent.status).toBe(302)
    return read(sent.location?.slice(site.url.length))
  }
  const save = (purchase_code = code) => send("save", { purchase_code })
  const freeSlot = (name: string) =>
    fetch(`${program.url}/api/purchases/release`, {
      method: "POST",
      body: new URLSearchParams({ api_key: key, purchase_code: code, site: name }),
    })
  const listSites = async () =>
    (await program.app.store.sites.list(code)).map((each) =>
      each.isTest ? `${each.site} (test)` : each.site,
    )
  const visit = (host = new URL(site.url).host) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(site.url)
      request({ hostname, port, path: "/", headers: { Host: host } }, (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (part) => {
          text += part
        })
        response.on("end", () => resolve(text))
      })
        .on("error", reject)
        .end()
    })
  const readLicense = (changes = "[]", phpArguments: readonly string[] = []) =>
    run(
      `$options = ${changes} + (require WP_PLUGIN_DIR . '/acme-slider/wordpress-license.php');
$license = Pazar\\WordPress::boot($options);
echo trim(($license->isActive() ? 'active ' : '') . $license->result()->state . ' ' . $license->result()->reason);`,
      phpArguments,
    )

  test("the list of plugins links to the settings, which ask for the code", async () => {
    const { text } = await admin.get("/wp-admin/plugins.php")
    expect(text).toContain(`<a href="${site.url}${settings}">Settings`)
    expect(text).toContain("Enter the purchase code of Acme Slider")
    expect(await visit()).not.toContain(slide)
  })

  test("a mistyped code is reported, and the right code activates the product", async () => {
    expect(await save("BUYERS-PURCHASE-COED")).toContain("This purchase code was not found.")
    expect(await save(` ${code.toLowerCase()} `)).toContain(active)
    expect(await visit()).toContain(slide)
    expect(await listSites()).toEqual(["shop.example.com"])
  })

  test("the texts are Turkish for a Turkish administrator", async () => {
    await run("update_user_meta(1, 'locale', 'tr_TR');")
    expect(await read()).toContain("Acme Slider etkin.")
    await run("delete_user_meta(1, 'locale');")
  })

  test("a forged Host header neither deactivates the product nor uses a slot", async () => {
    const row = "SELECT option_value FROM wp_options WHERE option_name = 'acme_slider_record'"
    const before = await site.sendRequest(row)
    for (const host of ["scanner.invalid", "127.0.0.1", "second-domain.example.com"]) {
      expect(await visit(host)).toContain(slide)
    }
    expect(await site.sendRequest(row)).toEqual(before)
    await run("$_SERVER['HTTP_HOST'] = 'scanner.invalid'; do_action('acme_slider_check');")
    expect(await listSites()).toEqual(["shop.example.com"])
  })

  test("the filter renames the site, and empties it only if the author allows that", async () => {
    const filter = (text: string) => `add_filter('pazar_site', static fn () => '${text}');`
    const boot = (options: string) =>
      `$options = ${options} + (require WP_PLUGIN_DIR . '/acme-slider/wordpress-license.php');
$property = new ReflectionProperty('Pazar\\WordPress', 'site');
$property->setAccessible(true);
echo $property->getValue(Pazar\\WordPress::boot($options)), '|';`
    const allow = "['allow_no_site' => true]"
    expect(await run(boot("[]"))).toBe("shop.example.com|")
    expect(await run(`${filter("")} ${boot("[]")} ${boot(allow)}`)).toBe("shop.example.com||")
    expect(await run(`${filter("Machine 7")} ${boot("[]")}`)).toBe("Machine 7|")
    expect(await run(`${filter("localhost")} ${boot("[]")}`)).toBe("shop.example.com|")
  })

  describe("a server that does not respond", () => {
    const useServer = (server: string) => site.addSamplePlugin({ server, key, pinned })
    const hang = (id: string) => pazar.url({ at: 1, id, response: "hang" })

    test("only an admin page sends a request, never a visitor's page, however late", async () => {
      const id = crypto.randomUUID()
      useServer(hang(id))
      await run(`$option = json_decode(get_option('acme_slider_record'), true);
foreach ($option['records'] as &$record) { $record['next'] = 0; }
update_option('acme_slider_record', json_encode($option), false);`)
      expect(await visit()).toContain(slide)
      expect(await visit("scanner.invalid")).toContain(slide)
      const ajax = await fetch(`${site.url}/wp-admin/admin-ajax.php?action=nothing`)
      const post = await fetch(`${site.url}/wp-admin/admin-post.php`)
      expect([ajax.status, post.status, pazar.forms(id).length]).toEqual([400, 200, 0])
      await admin.get("/wp-admin/tools.php")
      expect(pazar.forms(id).length).toBe(1)
      expect(await visit()).toContain(slide)
      useServer(program.url)
    })
  })

  describe("attacks", () => {
    const record = "get_option('acme_slider_record')"
    test("without sodium's function, WordPress's implementation verifies the stored response", async () => {
      expect(await readLicense("[]", withoutSodium)).toBe("active valid")
    })

    test.each([
      { what: "with sodium", phpArguments: [] },
      { what: "without", phpArguments: withoutSodium },
    ])("an unsigned server and a forged row activate nothing, $what", async ({ phpArguments }) => {
      const server = pazar.url({
        at: Math.floor(Date.now() / 1000),
        signed: false,
        response: { item: 1229 },
      })
      const forged = `$all = json_decode(${record}, true);
foreach ($all['records'] as &$one) { $one['valid']['body'] = str_replace('Regular', 'Extended', $one['valid']['body']); }
add_filter('pre_option_acme_slider_record', static fn () => json_encode($all));`
      const options = `['base_url' => '${server}', 'name' => 'pirated']`
      const enter = "update_option('pirated_code', 'made-up', false);"
      expect(
        await run(
          `${enter} $options = ${options} + (require WP_PLUGIN_DIR . '/acme-slider/wordpress-license.php');
$license = Pazar\\WordPress::boot($options);
do_action("pirated_check");
echo $license->result()->reason, json_encode($license->isActive());
${forged}
echo json_encode(Pazar\\WordPress::boot(require WP_PLUGIN_DIR . '/acme-slider/wordpress-license.php')->isActive());
delete_option('pirated_code');
delete_option('pirated_record');`,
          phpArguments,
        ),
      ).toBe("unsignedfalsefalse")
    })

    test("without sodium, a MAC under WordPress's salts spares the verification, and proves nothing else", async () => {
      const due = `$all = json_decode(${record}, true);
foreach ($all['records'] as &$one) { $one['next'] = 0; }
update_option('acme_slider_record', json_encode($all), false);`
      await run(`${due} do_action('acme_slider_check');`, withoutSodium)
      const stored = async (): Promise<{ macs: string[] }> =>
        JSON.parse(await run(`echo ${record};`))
      expect((await stored()).macs.length).toBeGreaterThan(0)

      // Any verification in this process fails.
      const always = join(site.plugins, "../mu-plugins")
      mkdirSync(always)
      const verify = "static function sign_verify_detached() { echo 'verified '; return false; }"
      const fake = `class ParagonIE_Sodium_Crypto { public ${verify} }`
      writeFileSync(
        join(always, "fake.php"),
        `<?php if (ini_get('user_agent') === 'unverified') { ${fake} }`,
      )
      const unverified = [...withoutSodium, "-d", "user_agent=unverified"]
      expect(await readLicense("[]", unverified)).toBe("active valid")

      const edited = (edit: string) => `(static function () { $all = json_decode(${record}, true);
$edit = static function (&$one, $all) { ${edit} };
foreach ($all['records'] as &$one) { $edit($one['valid'], $all); }
add_filter('pre_option_acme_slider_record', static fn () => json_encode($all));
return []; })()`
      for (const edit of [
        "$one['body'] = str_replace('Regular', 'Extended', $one['body']);",
        "$one['input'] = str_replace('expires=', 'expires=9', $one['input']);",
        "$one['signature'] = 'pazar=:' . base64_encode(random_bytes(64)) . ':';",
      ]) {
        expect(await readLicense(edited(edit), unverified)).toMatch(
          /^(verified )+unknown not_checked$/,
        )
      }
      const filtered = (hook: string, text: string) =>
        `(static function () { add_filter('${hook}', static fn () => '${text}'); return []; })()`
      const otherSalts = filtered("salt", "of another site")
      expect(await readLicense(otherSalts, unverified)).toMatch(/^(verified )+unknown not_checked$/)
      const copied = filtered("pazar_site", "copy.example.com")
      expect(await readLicense(copied, unverified)).toContain("unknown")

      await run(`${due} do_action('acme_slider_check');`)
      expect((await stored()).macs).toEqual([])
    })

    test("a copy of the database without the code's valid response is not active", async () => {
      const enter = "update_option('copied_code', 'made-up', false);"
      const copied = "['name' => 'copied']"
      await run(`${enter} update_option('copied_record', ${record}, false);`)
      expect(await readLicense(copied)).toBe("unknown not_checked")
      await run("delete_option('copied_code'); delete_option('copied_record');")
    })

    test("the public test key works on test sites only", async () => {
      const test = "['key' => 'pzr_tk_PublicTestKeyOfTheSampleWorld049quFB', 'name' => 'tested']"
      expect(await readLicense(`${test}`)).toContain("missing_parameter")
      await run("update_option('tested_code', 'test-regular', false);")
      expect(await readLicense(test)).toBe("unknown test_key")
      await site.moveTo("http://localhost")
      expect(await readLicense(test)).toBe("unknown not_checked")
      await site.moveTo("https://shop.example.com")
    })
  })

  test("a test site needs no slot", async () => {
    await site.moveTo("https://staging.shop.example.com")
    expect(await save()).toContain(active)
    await until(async () =>
      (await listSites()).find((name) => name === "staging.shop.example.com (test)"),
    )
    expect(await listSites()).toContain("shop.example.com")
  })

  test("a move: visitors see the product, their page plans the request, and one button moves the license", async () => {
    await site.moveTo("https://new-shop.example.com")
    const isPlanned = async () => {
      const rows = await site.sendRequest(
        "SELECT option_value FROM wp_options WHERE option_name = 'cron'",
      )
      const text = JSON.stringify(rows).replaceAll("\\", "")
      const event = /i:(\d+);a:\d+:\{(?:(?!i:\d+;a:).)*"acme_slider_check"/.exec(text)
      return Number(event?.[1]) <= Date.now() / 1000
    }
    expect(await isPlanned()).toBe(false)
    expect(await visit()).toContain(slide)
    expect(await isPlanned()).toBe(true)
    await run("do_action('acme_slider_check');")
    expect(await visit()).toContain(slide)
    const page = await read()
    expect(page).toContain("keeps working here for three days")
    expect(page).toContain("This site was shop.example.com: move the license here")
    const [, license] = /href="([^"]+)#code=/.exec(page) ?? []
    expect(license).toBe(`${program.url}/license`)
    expect(await send("move")).toContain(active)
    expect(await listSites()).toContain("new-shop.example.com")
    expect(await listSites()).not.toContain("shop.example.com")
    expect(await visit()).toContain(slide)
  })

  test("the old site, which was active, stays active for three days, and its slot can be freed", async () => {
    await site.moveTo("https://shop.example.com")
    expect(await save()).toContain("keeps working here for three days")
    expect(await visit()).toContain(slide)
    expect(await send("reclaim")).toContain("No other site was activated after this one.")
    await freeSlot("new-shop.example.com")
    expect(await save()).toContain(active)
    expect(await send("release")).toContain("The slot is free.")
    expect(await visit()).not.toContain(slide)
    expect(await save()).toContain(active)
  })

  test("a table that cannot be written is reported, and a code that is entered is validated", async () => {
    const events = ["INSERT", "UPDATE"]
    for (const event of events) {
      await site.sendRequest(`CREATE TRIGGER full_${event} BEFORE ${event} ON wp_options FOR EACH ROW
IF NEW.option_name = 'acme_slider_record' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'disk full'; END IF`)
    }
    await site.sendRequest("DELETE FROM wp_options WHERE option_name = 'acme_slider_record'")
    const before = site.readLog()
    expect(await save()).toContain("its database cannot be written")
    const { text } = await admin.get("/wp-admin/plugins.php")
    expect(text).toContain("its database cannot be written")
    expect(site.readLog().slice(before.length)).toContain("disk full")
    for (const event of events) await site.sendRequest(`DROP TRIGGER full_${event}`)
    expect(await save()).toContain(active)
  })

  test("a plugin that boots too early is reported, and no page fails", async () => {
    const main = join(site.plugins, "acme-slider/acme-slider.php")
    const text = readFileSync(main, "utf8")
    const hooks = ["plugins_loaded", "init", "wp_loaded"].map((hook) => `add_action('${hook}', `)
    const when = "add_action('after_setup_theme', "
    expect(text).toContain(when)
    for (const early of ["call_user_func(", ...hooks]) {
      writeFileSync(main, text.replace(when, early))
      expect([early, await visit()]).toEqual([early, expect.stringContaining(slide)])
      const { status } = await admin.get(settings)
      expect([early, status]).toEqual([early, 200])
    }
    writeFileSync(main, text)
    expect(site.readLog()).toContain("Function Pazar was called")
  })

  test("a second plugin with a newer copy and its own option", async () => {
    const folder = join(site.plugins, "beta")
    mkdirSync(folder)
    copyClient(join(folder, "pazar"))
    const change = (file: string, from: string | RegExp, to: string) => {
      const text = readFileSync(join(folder, file), "utf8")
      writeFileSync(join(folder, file), text.replace(from, to))
    }
    change("pazar/pazar.php", /\['[\d.]+'\]/, `['${newerVersion}']`)
    change("pazar/src/options.php", "'site' => '',", "'site' => '', 'color' => 'red',")
    const options = "'name' => 'beta', 'title' => 'Beta', 'key' => 'k', 'color' => 'blue'"
    writeFileSync(
      join(folder, "beta.php"),
      `<?php /* Plugin Name: Beta */ require_once __DIR__ . '/pazar/pazar.php';
add_action('after_setup_theme', static function (): void {
    Pazar\\WordPress::boot([${options}, 'base_url' => '${program.url}']);
});
add_action('wp_footer', static function (): void {
    echo Pazar\\VERSION;
});`,
    )
    await run(`${load} activate_plugin('beta/beta.php');`)
    const front = await visit()
    expect([front.includes(slide), front.includes(newerVersion)]).toEqual([true, true])
    await run(`${load} deactivate_plugins('beta/beta.php');`)
  })

  describe.each([
    { transport: "cURL", phpArguments: [] },
    { transport: "a stream", phpArguments: ["-d", "disable_functions=curl_exec"] },
  ])("over $transport", ({ transport, phpArguments }) => {
    const sendTo = (url: string, timeout: number) => {
      const text = `do_action('after_setup_theme');
$start = microtime(true);
try {
    $body = (new Pazar\\WordPressHttp())->send('${url}', [], 'purchase_code=good', ${timeout}, 262144)->body;
    echo strlen($body) > 262144 ? 'too long' : json_encode(json_decode($body));
} catch (Pazar\\TransportFailure $failure) {
    echo microtime(true) - $start > ${timeout} + 5 ? 'too slow' : $failure->reason;
}`
      return site.run(text, ["-d", "memory_limit=64M", ...phpArguments])
    }
    const sendAs = (response: string, timeout: number) =>
      sendTo(`${pazar.url({ at: 1, response })}/api/purchases/validation`, timeout)

    test.each([
      { response: "bomb", timeout: 60 },
      { response: "bomb_in_a_bomb", timeout: 60 },
      { response: "endless", timeout: 1 },
    ])("an incomplete response is ignored: $response", async ({ response, timeout }) => {
      const { status, stdout } = await sendAs(response, timeout)
      expect(status).toBe(0)
      expect(["invalid_response", "timeout", "null"]).toContain(stdout)
    })

    // Without cURL, WordPress waits 10 seconds while connecting.
    test.if(transport === "cURL")("a hanging connection times out", async () => {
      const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
      const { status, stdout } = await sendTo(`https://127.0.0.1:${silent.port}`, 1)
      silent.stop(true)
      expect([status, stdout]).toEqual([0, "timeout"])
    })

    test("a complete response is used", async () => {
      const { stdout } = await sendAs("valid", 60)
      expect(JSON.parse(stdout)).toMatchObject({ status: "success" })
    })
  })

  test("installing it again, with and without an uninstallation", async () => {
    await site.sendRequest("DELETE FROM wp_options WHERE option_name LIKE 'acme%'")
    expect(await save()).toContain(active)
    await run(`${load} deactivate_plugins(${plugin});`)
    const cron = "SELECT option_value FROM wp_options WHERE option_name = 'cron'"
    expect(JSON.stringify(await site.sendRequest(cron))).not.toContain("acme")
    await run(`${load} uninstall_plugin(${plugin});`)
    expect(await listSites()).not.toContain("shop.example.com")
    expect(
      await site.sendRequest("SELECT 1 FROM wp_options WHERE option_name LIKE 'acme%'"),
    ).toEqual([])
    await run(`${load} activate_plugin(${plugin});`)
    expect(await save()).toContain(active)
  })

  test("each site of a multisite network has its own license, or all share one", async () => {
    expect(await site.becomeNetwork()).toMatchObject({ stdout: "2", stderr: "" })
    await run(`${load} activate_plugin(${plugin}, '', true);`)
    const boot = (options: string) =>
      run(`$options = ${options} + (require WP_PLUGIN_DIR . '/acme-slider/wordpress-license.php');
foreach ([1, 2] as $blog) {
    switch_to_blog($blog);
    echo json_encode(Pazar\\WordPress::boot($options)->isActive()), ' ';
    restore_current_blog();
}`)
    expect(await boot("[]")).toBe("true false ")
    expect(await boot("['network' => true]")).toBe("true true ")
    const store = "$store = new Pazar\\WordPressStore('acme_kept', 1); switch_to_blog(2);"
    const calls = `$store->replace(null, 'a'), $store->replace('x', 'b'), $store->replace('a', 'c'),
      get_option('acme_kept'), $store->read(), $store->delete(), $store->read()`
    expect(await run(`${store} echo json_encode([${calls}]);`)).toBe(
      '[true,false,true,false,"c",null,null]',
    )
    await stopProgram()
    expect(await boot("['network' => true]")).toBe("true true ")
  })

  test("while the server is down it can be uninstalled on every site of a multisite network", async () => {
    const use = "update_option('acme_slider_code', 'x', false); do_action('init');"
    await run(`${use} switch_to_blog(2); ${use}`)
    const findEvents = async () => {
      const tables = ["wp_options", "wp_2_options"]
      const select = (table: string) =>
        site.sendRequest(`SELECT option_value FROM ${table} WHERE option_name = 'cron'`)
      const lists = await Promise.all(tables.map(select))
      return lists.map((list) => JSON.stringify(list).includes("acme_slider_check"))
    }
    expect(await findEvents()).toEqual([true, true])
    await run(`${load} deactivate_plugins(${plugin}, false, true);`)
    expect(await findEvents()).toEqual([false, false])
    await run(`${load} uninstall_plugin(${plugin});`)
    for (const table of ["wp_options", "wp_2_options"]) {
      expect(
        await site.sendRequest(`SELECT 1 FROM ${table} WHERE option_name LIKE 'acme%'`),
      ).toEqual([])
    }
  })

  test("PHP reported no warnings", () => {
    const own = site
      .readLog()
      .split("\n")
      .filter((line) => /pazar\/|acme|beta/i.test(line) && !/disk full|store_not_w/.test(line))
    expect(own.filter((line) => !/\/wp-(includes|admin)\//.test(line))).toEqual([])
  })
})
