/** The sample plugin in a real WordPress and the real server with a limit of one site; see also `php-wordpress-sites.test.ts`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { account, item, purchase } from "../../contracts/records.ts"
import { until } from "../../contracts/until.ts"
import { openVisitor, type Visitor } from "../../harness/browser/visitor.ts"
import { readKeySet } from "../../harness/http/key-set.ts"
import { startWordPress, type WordPress } from "../../harness/php/wordpress.ts"
import { readWordPressTexts } from "../../harness/php/wordpress-texts.ts"
import { type Program, startProgram } from "../../harness/program.ts"

const code = "BUYERS-PURCHASE-CODE"
const settings = "/wp-admin/options-general.php?page=acme_slider"
const load = "require_once ABSPATH . 'wp-admin/includes/plugin.php';"
const { en, tr } = await readWordPressTexts()
const plugin = "'acme-slider/acme-slider.php'"

describe("a real WordPress, and one site for each purchase", () => {
  let program: Program
  let site: WordPress
  let admin: Visitor
  beforeAll(async () => {
    program = await startProgram()
    await program.load([account("ada"), item("ada", 1229), purchase(code, 1229)])
    await program.app.store.sites.putLimits(1229, { sites: 1, byLicense: {} })
    site = await startWordPress()
    const pinned = (await readKeySet(program.url)).map(({ x }) => x)
    const { secret: key } = await program.issue("ada", "vk", [1229])
    site.addSamplePlugin({ server: program.url, key, pinned })
    await run(`${load} activate_plugin(${plugin});`)
    admin = openVisitor(site.url)
    await admin.get("/wp-login.php")
    await admin.post("/wp-login.php", { ...site.administrator, testcookie: "1" })
  })
  afterAll(async () => {
    await site.close()
    await stopProgram()
  })
  let stopped: Promise<void> | undefined
  const stopProgram = () => {
    stopped ??= program.close()
    return stopped
  }

  const run = async (text: string) => {
    const { stdout, stderr } = await site.run(text)
    expect(stderr).toBe("")
    return stdout
  }
  /** The part of a page that is ours. */
  const read = async (path = settings) => {
    const { text } = await admin.get(path)
    return /<div class="wrap">.*?<div class="clear">/s.exec(text)?.[0] ?? text.slice(0, 500)
  }
  const send = async (verb: string, fields: Readonly<Record<string, string>>) => {
    const [, form = ""] = (await read()).split(`value="acme_slider_${verb}"`)
    const _wpnonce = /name="_wpnonce" value="(\w+)"/.exec(form)?.[1] ?? ""
    const action = `acme_slider_${verb}`
    const sent = await admin.post("/wp-admin/admin-post.php", { action, _wpnonce, ...fields })
    expect(sent.status).toBe(302)
    return read(sent.location?.slice(site.url.length))
  }
  const save = () => send("save", { purchase_code: code })
  const release = (fields: Readonly<Record<string, string>> = {}) => send("release", fields)
  const listSites = async () =>
    (await program.app.store.sites.list(code)).map(({ site: name, isTest }) =>
      isTest ? `${name} (test)` : name,
    )
  /** Whether the product works on each site of a network. Events of this process are none of the sites'. */
  const boot = (options: string) =>
    `$options = ${options} + (require WP_PLUGIN_DIR . '/acme-slider/wordpress-licence.php');
foreach ([1, 2] as $blog) {
    switch_to_blog($blog);
    echo json_encode(Pazar\\WordPress::boot($options)->isValid()), ' ';
    restore_current_blog();
}
remove_all_actions('shutdown', PHP_INT_MAX);`
  const active = en("valid", "Ürün 1229", "Regular")
  const limited = en("site_limit", "Acme Slider")

  test("activating it", async () => {
    site.moveTo("https://www.shop.example.com/blog")
    expect(await save()).toContain(active)
    expect(await listSites()).toEqual(["shop.example.com"])
  })

  test("installing it again, with and without an uninstallation", async () => {
    await site.ask("DELETE FROM wp_options WHERE option_name LIKE 'acme%'")
    expect(await save()).toContain(active)
    await run(`${load} deactivate_plugins(${plugin}); uninstall_plugin(${plugin});`)
    expect(await listSites()).toEqual([])
    expect(await site.ask("SELECT 1 FROM wp_options WHERE option_name LIKE 'acme%'")).toEqual([])
    await run(`${load} activate_plugin(${plugin});`)
    expect(await save()).toContain(active)
    expect(await listSites()).toEqual(["shop.example.com"])
  })

  test("another spelling of its address is the same site", async () => {
    site.moveTo("http://shop.example.com:8080")
    expect(await read()).toContain(active)
  })

  test("a copy for tests has no place and needs none", async () => {
    site.moveTo("https://staging.shop.example.com")
    expect(await read()).not.toContain(active)
    expect(await save()).toContain(active)
    site.moveTo("https://shop.example.com")
    expect(await save()).toContain(active)
  })

  test("a move reaches the limit, and the buyer frees the old place", async () => {
    site.moveTo("https://new-shop.example.com")
    expect(await save()).toContain(limited)
    await run("update_user_meta(1, 'locale', 'tr_TR');")
    expect(await read()).toContain(tr("site_limit", "Acme Slider"))
    await run("delete_user_meta(1, 'locale');")
    expect(await release({ site: "elsewhere.example.com" })).toContain(en("absent"))
    expect(await release({ site: "https://www.shop.example.com/blog" })).toContain(active)
    // A test site is written with the counts.
    await until(async () =>
      (await listSites()).find((name) => name === "staging.shop.example.com (test)"),
    )
    expect(await listSites()).toContain("new-shop.example.com")
  })

  test("the old address is refused, until the new one gives its place up", async () => {
    site.moveTo("https://shop.example.com")
    expect(await save()).toContain(limited)
    site.moveTo("https://new-shop.example.com")
    // The record is of one site at a time.
    expect(await save()).toContain(active)
    expect(await release()).toContain(en("released"))
    site.moveTo("https://shop.example.com")
    expect(await save()).toContain(active)
  })

  test("each site of a network has its own licence, or all have one", async () => {
    // A network does not look at the configuration for it.
    await site.ask(
      "UPDATE wp_options SET option_value = 'https://shop.example.com' WHERE option_name = 'home'",
    )
    expect(await site.becomeNetwork()).toMatchObject({ stdout: "2", stderr: "" })
    await run(`${load} activate_plugin(${plugin}, '', true);`)
    expect(await run(boot("[]"))).toBe("true false ")
    expect(await run(boot("['network' => true]"))).toBe("true true ")
    const store = "$store = new Pazar\\WordPressStore('acme_kept', 1); switch_to_blog(2);"
    const calls = `$store->replace(null, 'a'), $store->replace('x', 'b'), $store->replace('a', 'c'),
      get_option('acme_kept'), $store->read(), $store->delete(), $store->read()`
    expect(await run(`${store} echo json_encode([${calls}]);`)).toBe(
      '[true,false,true,false,"c",null,null]',
    )
  })

  test("while the server is away the product works, and can be uninstalled", async () => {
    await stopProgram()
    expect(await run(boot("['network' => true]"))).toBe("true true ")
    await run(`${load} deactivate_plugins(${plugin}, false, true); uninstall_plugin(${plugin});`)
    for (const table of ["wp_options", "wp_2_options"]) {
      expect(await site.ask(`SELECT 1 FROM ${table} WHERE option_name LIKE 'acme%'`)).toEqual([])
    }
  })

  test("PHP had nothing to complain about", () => {
    const own = site
      .readLog()
      .split("\n")
      .filter((line) => /pazar\/|acme/i.test(line))
    expect(own.filter((line) => !/\/wp-(includes|admin)\//.test(line))).toEqual([])
  })
})
