/** A real WordPress updates the sample plugin and a theme from 1.0.0 to 1.1.0, by its pages and by WP-Cron. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openVisitor, type Visitor } from "../harness/browser/visitor.ts"
import { readKeySet } from "../harness/http/key-set.ts"
import { copyClient } from "../harness/php/php-client.ts"
import { startWordPress, type WordPress } from "../harness/php/wordpress.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, type Line, purchase } from "../harness/records.ts"

const plugin = "acme-slider/acme-slider.php"
const load = "require_once ABSPATH . 'wp-admin/includes/plugin.php';"
const secret = "the-secret-of-the-shop-32-characters"
const ways = ["the updates page", "WP-Cron"] as const

/** Responds as api.wordpress.org does, allows local downloads, and records the URL of each request. */
const network = (log: string) => `<?php
add_filter('pre_http_request', static function ($response, $arguments, $url) {
    file_put_contents('${log}', "$url\\n", FILE_APPEND);
    $lists = array_fill_keys(['plugins', 'themes', 'translations', 'no_update', 'offers'], []);
    return strpos($url, '//api.wordpress.org/') === false ? $response : [
        'headers' => [], 'response' => ['code' => 200, 'message' => 'OK'], 'cookies' => [], 'body' => json_encode($lists),
    ];
}, 10, 3);
add_filter('http_request_host_is_external', '__return_true');
add_filter('http_allowed_safe_ports', static fn ($ports, $host, $url) => [parse_url($url, PHP_URL_PORT)], 10, 3);
add_filter('automatic_updater_disabled', '__return_false');
add_filter('auto_update_core', '__return_false');
`

describe("updates in a real WordPress", () => {
  let program: Program
  let site: WordPress
  let admin: Visitor
  let shop: Bun.Server<undefined>
  let key: string
  let pinned: readonly string[]
  let server: string
  let requestLog: string
  let code = ""
  const archives = new Map<string, Buffer>()
  beforeAll(async () => {
    shop = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch({ url }) {
        const [signed = "", signature] = url.split("&signature=")
        const expected = createHmac("sha256", secret).update(signed).digest("base64url")
        const file = signature === expected ? archives.get(new URL(url).pathname) : undefined
        return new Response(file ?? null, { status: file ? 200 : 403 })
      },
    })
    program = await startProgram({ PAZAR_DOWNLOAD_SECRET: secret })
    site = await startWordPress()
    await site.moveTo("https://shop.example.com")
    requestLog = join(site.plugins, "requests.txt")
    const own = join(site.plugins, "../mu-plugins")
    mkdirSync(own)
    writeFileSync(join(own, "network.php"), network(requestLog))
    pinned = (await readKeySet(program.url)).map(({ x }) => x)
    server = program.url
    await program.load([account("ada")])
    key = (await program.issue("ada", "vk")).secret
    installPlugin()
    await run(`${load} activate_plugin('${plugin}');`)
    installTheme()
    await run("switch_theme('acme-theme');")
    await pack("acme-slider", ["acme-slider.php"])
    await pack("acme-theme", ["style.css"], "themes")
    admin = openVisitor(site.url)
    await admin.get("/wp-login.php")
    await admin.post("/wp-login.php", { ...site.administrator, testcookie: "1" })
  })
  afterAll(async () => {
    await site.close()
    await program.close()
    await shop.stop(true)
  })

  const run = async (text: string) => {
    const { stdout, stderr } = await site.run(text)
    expect(stderr).toBe("")
    return stdout
  }
  const installPlugin = () => site.addSamplePlugin({ server, key, pinned })
  const theme = () => join(site.plugins, "../themes/acme-theme")
  function installTheme() {
    rmSync(theme(), { recursive: true, force: true })
    mkdirSync(theme(), { recursive: true })
    copyClient(join(theme(), "pazar"))
    cpSync(join(site.plugins, "../themes/plain"), theme(), { recursive: true })
    const headers = ["Theme Name: Acme", "Version: 1.0.0", `Update URI: ${server}/`]
    writeFileSync(join(theme(), "style.css"), `/*\n${headers.join("\n")}\n*/`)
    writeFileSync(
      join(theme(), "functions.php"),
      `<?php require_once __DIR__ . '/pazar/pazar.php';
add_action('after_setup_theme', static function () {
    Pazar\\WordPress::boot(['name' => 'acme_theme', 'title' => 'Acme'] + require WP_PLUGIN_DIR . '/acme-slider/wordpress-license.php');
});`,
    )
  }
  /** Packs version 1.1.0 of an installed plugin or theme. */
  async function pack(name: string, files: readonly string[], type = "plugins") {
    const from = join(site.plugins, `../${type}/${name}`)
    const folder = join(site.plugins, `../next/${name}`)
    cpSync(from, folder, { recursive: true })
    for (const file of files) {
      const text = readFileSync(join(folder, file), "utf8")
      writeFileSync(join(folder, file), text.replace("Version: 1.0.0", "Version: 1.1.0"))
    }
    const zip = `${folder}.zip`
    await run(`require ABSPATH . 'wp-admin/includes/class-pclzip.php';
(new PclZip('${zip}'))->create('${folder}', PCLZIP_OPT_REMOVE_PATH, dirname('${folder}'));`)
    archives.set(`/${name}.zip`, readFileSync(zip))
  }

  const versionOf = (file: string) => /Version: ([\d.]+)/.exec(readFileSync(file, "utf8"))?.[1]
  const pluginVersion = () => versionOf(join(site.plugins, plugin))
  const listRequests = () => readFileSync(requestLog, "utf8").split("\n").filter(Boolean)
  const check = () => run("do_action('acme_slider_check'); do_action('acme_theme_check');")
  /** What WordPress offers, as `type version package`. */
  const listOffers = () =>
    run(`foreach (['plugins', 'themes'] as $type) {
    delete_site_transient("update_$type");
    $type === 'plugins' ? wp_update_plugins() : wp_update_themes();
    foreach (get_site_transient("update_$type")->response as $name => $offer) {
        $offer = (array) $offer;
        echo $name, ' ', $offer['new_version'], ' ', $offer['package'] === '' ? 'manually' : 'automatically', "\\n";
    }
}`)
  /** Updates everything, and returns the page's text or the e-mail to the administrator. */
  async function update(way: (typeof ways)[number], type = "plugin", name = plugin) {
    if (way === "WP-Cron") {
      await run(`update_site_option('auto_update_${type}s', ['${name}']);
delete_option('auto_updater.lock');
wp_schedule_single_event(time(), 'wp_maybe_auto_update');`)
      await admin.get("/wp-cron.php?doing_wp_cron")
      return ""
    }
    const { text } = await admin.get("/wp-admin/update-core.php")
    const form = text.split(`do-${type}-upgrade`)[1] ?? ""
    const _wpnonce = /name="_wpnonce" value="(\w+)"/.exec(form)?.[1] ?? ""
    const page = await admin.post(`/wp-admin/update-core.php?action=do-${type}-upgrade`, {
      _wpnonce,
      "checked[]": name,
    })
    const [, frame = ""] = /<iframe[^>]* src=['"]([^'"]+)/.exec(page.text) ?? []
    return (await admin.get(`/wp-admin/${frame.replaceAll("&amp;", "&")}`)).text
  }

  const sell = (changes: Line = {}, itemChanges: Line = {}) =>
    program.load([
      item("ada", 1229, {
        version: "1.1.0",
        description: "Slides <strong>quickly</strong>",
        download_url: `http://127.0.0.1:${shop.port}/acme-slider.zip`,
        ...itemChanges,
      }),
      purchase(code, 1229, changes),
    ])
  beforeEach(async () => {
    code = crypto.randomUUID()
    await sell()
    await program.app.store.sites.putLimits(1229, { sites: 1, byLicense: {} })
    installPlugin()
    installTheme()
    await run(`update_option('acme_slider_code', '${code}', false); update_option('acme_theme_code', '${code}', false);
foreach (['acme_slider', 'acme_theme'] as $name) {
    $store = new Pazar\\WordPressStore("{$name}_record");
    $store->delete();
    delete_site_transient("{$name}_manual_update");
}
update_site_option('auto_update_plugins', []);
update_site_option('auto_update_themes', []);`)
    await check()
  })

  const offered =
    "acme-slider/acme-slider.php 1.1.0 automatically\nacme-theme 1.1.0 automatically\n"

  test.each(ways)("a valid code: %s installs the update", async (way) => {
    expect(await listOffers()).toBe(offered)
    await update(way)
    expect(pluginVersion()).toBe("1.1.0")
    expect(await listOffers()).toBe("acme-theme 1.1.0 automatically\n")
  })

  test.each(ways)("a theme: %s installs the update", async (way) => {
    await sell({}, { download_url: `http://127.0.0.1:${shop.port}/acme-theme.zip` })
    expect(await listOffers()).toBe(offered)
    await update(way, "theme", "acme-theme")
    expect(versionOf(join(theme(), "style.css"))).toBe("1.1.0")
  })

  const rejections = [
    { state: "revoked", changes: { revoked: true }, sentence: "refunded or charged back" },
    {
      state: "expired",
      changes: { valid_until: "2025-06-01T00:00:00Z" },
      sentence: "subscription of this purchase has ended",
    },
    { state: "over the limit", changes: {}, sentence: "as many sites as its license allows" },
  ]
  describe.each(rejections)("a code that is $state", ({ state, changes, sentence }) => {
    const end = async () => {
      await sell(changes)
      if (state !== "over the limit") return
      const send = (operation: string, site: string) =>
        fetch(`${program.url}/api/purchases/${operation}`, {
          method: "POST",
          body: new URLSearchParams({ api_key: key, purchase_code: code, site }),
        })
      await send("release", "shop.example.com")
      await send("validation", "other.example.com")
    }

    test.each(ways)("since the last request: %s installs nothing", async (way) => {
      expect(await listOffers()).toBe(offered)
      await end()
      const page = await update(way)
      expect(pluginVersion()).toBe("1.0.0")
      if (way === "the updates page") expect(page).toContain(sentence)
    })

    test("is not offered the update after the next request", async () => {
      await end()
      await run(`foreach (['acme_slider', 'acme_theme'] as $name) {
    $option = json_decode(get_option("{$name}_record"), true);
    foreach ($option['records'] as &$record) { $record['next'] = 0; }
    update_option("{$name}_record", json_encode($option), false);
}`)
      await check()
      expect(await listOffers()).toBe("")
    })
  })

  test("without a download URL the buyer reads where to get the update", async () => {
    await sell({}, { download_url: undefined })
    await check()
    expect(await listOffers()).toBe(offered)
    expect(await update("the updates page")).toContain('href="https://demo.example.com/"')
    expect(pluginVersion()).toBe("1.0.0")
    expect(await listOffers()).toContain("acme-slider.php 1.1.0 manually")
    const details = "/wp-admin/plugin-install.php?tab=plugin-information&plugin=acme-slider"
    const { text } = await admin.get(details)
    expect(text).toContain("cannot be installed automatically")
    expect(text).toContain('href="https://demo.example.com/"')
  })

  test("details come from the item, and auto-updates can be enabled", async () => {
    await listOffers()
    const plugins = (await admin.get("/wp-admin/plugins.php")).text
    expect(plugins).toContain("plugin=acme-slider&#038;section=changelog")
    expect(plugins).toContain("Enable auto-updates")
    const details = "/wp-admin/plugin-install.php?tab=plugin-information&plugin=acme-slider"
    expect((await admin.get(details)).text).toContain("Slides <strong>quickly</strong>")
  })

  test("version 1.1 of the product is 1.1.0 of the item", async () => {
    const main = join(site.plugins, plugin)
    writeFileSync(main, readFileSync(main, "utf8").replace("Version: 1.0.0", "Version: 1.1"))
    expect(await listOffers()).toBe("acme-theme 1.1.0 automatically\n")
  })

  test("pages send no request to the server, and lists of updates none either", async () => {
    writeFileSync(requestLog, "")
    for (const path of ["/", "/wp-admin/", "/wp-admin/plugins.php", "/wp-admin/update-core.php"]) {
      await admin.get(path)
    }
    await listOffers()
    expect(listRequests().filter((url) => url.startsWith(server))).toEqual([])
  })
})
