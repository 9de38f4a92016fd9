/** The sample plugin in a real WordPress, where one is installed; `php-wordpress.test.ts` runs everywhere. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { account, item, purchase } from "../../contracts/records.ts"
import { openVisitor, type Visitor } from "../../harness/browser/visitor.ts"
import { type FakePazar, startFakePazar } from "../../harness/http/fake-pazar.ts"
import { readKeySet } from "../../harness/http/key-set.ts"
import { copyClient } from "../../harness/php/php-client.ts"
import { startWordPress, type WordPress } from "../../harness/php/wordpress.ts"
import { readWordPressTexts } from "../../harness/php/wordpress-texts.ts"
import { type Program, startProgram } from "../../harness/program.ts"

const settings = "/wp-admin/options-general.php?page=acme_slider"
const slide = '<div class="acme-slider">'
const { en } = await readWordPressTexts()

describe("a real WordPress", () => {
  let program: Program
  let pazar: FakePazar
  let site: WordPress
  let admin: Visitor
  beforeAll(async () => {
    program = await startProgram()
    await program.load([
      ...[account("ada"), item("ada", 1229), purchase("BUYERS-PURCHASE-CODE", 1229)],
    ])
    pazar = await startFakePazar()
    site = await startWordPress()
    const pinned = (await readKeySet(program.url)).map(({ x }) => x)
    const { secret: key } = await program.issue("ada", "vk", [1229])
    site.addSamplePlugin({ server: program.url, key, pinned })
    expect(await site.run(activate("acme-slider"))).toEqual(printed(""))
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

  const load = "require_once ABSPATH . 'wp-admin/includes/plugin.php';"
  const activate = (name: string) =>
    `${load} echo is_wp_error(activate_plugin('${name}/${name}.php')) ? 'refused' : '';`
  const printed = (stdout: string) => ({ status: 0, stdout, stderr: "" })
  const read = async (path: string) => (await admin.get(path)).text
  const save = async (code: string) => {
    const page = await read(settings)
    const answer = await admin.post("/wp-admin/admin-post.php", {
      action: "acme_slider_save",
      _wpnonce: /name="_wpnonce" value="(\w+)"/.exec(page)?.[1] ?? "",
      purchase_code: code,
    })
    expect([answer.status, answer.location, answer.text]).toEqual([302, site.url + settings, ""])
  }
  const readFront = async () => (await fetch(site.url)).text()

  test("signing in and REST work beside the plugin", async () => {
    admin = openVisitor(site.url)
    await admin.get("/wp-login.php")
    const answer = await admin.post("/wp-login.php", { ...site.administrator, testcookie: "1" })
    expect([answer.status, answer.location]).toEqual([302, `${site.url}/wp-admin/`])
    const rest = await fetch(`${site.url}/?rest_route=/`)
    expect(await rest.json()).toMatchObject({ name: "Site" })
  })

  test("the list of plugins links to the settings", async () => {
    expect(await read("/wp-admin/plugins.php")).toContain(
      `<a href="${site.url}${settings}">${en("settings")}`,
    )
  })

  test("a notice asks for the code, and can be dismissed", async () => {
    const page = await read("/wp-admin/tools.php")
    expect(page).toContain(en("none", "Acme Slider"))
    const link = /href="([^"]+acme_slider_dismiss[^"]+)"/.exec(page)?.[1] ?? ""
    const { pathname, search } = new URL(link.replaceAll("&#038;", "&").replaceAll("&amp;", "&"))
    expect((await admin.get(pathname + search)).status).toBe(302)
    expect(await read("/wp-admin/tools.php")).not.toContain(en("none", "Acme Slider"))
    expect(await readFront()).not.toContain("acme-slider")
  })

  test("a typing error is told, and the right code activates the product", async () => {
    await save("BUYERS-PURCHASE-COED")
    expect(await read(settings)).toContain(en("unknown_code"))
    await save(" BUYERS-PURCHASE-CODE ")
    expect(await read(settings)).toContain(en("valid", "Ürün 1229", "Regular"))
    expect(await readFront()).toContain(slide)
  })

  test("without cron, a page that finds no answer asks for the next one", async () => {
    await site.ask("DELETE FROM wp_options WHERE option_name = 'acme_slider_record'")
    expect(await readFront()).not.toContain(slide)
    expect(await readFront()).toContain(slide)
  })

  test("a second plugin with a newer copy and its own option", async () => {
    const folder = join(site.plugins, "beta")
    mkdirSync(folder)
    copyClient(join(folder, "pazar"))
    const change = (file: string, from: string | RegExp, to: string) => {
      const text = readFileSync(join(folder, file), "utf8")
      writeFileSync(join(folder, file), text.replace(from, to))
    }
    change("pazar/pazar.php", /\['[\d.]+'\]/, "['0.100.0']")
    change("pazar/src/options.php", "'site' => '',", "'site' => '', 'colour' => 'red',")
    const options = "'name' => 'beta', 'title' => 'Beta', 'key' => 'k', 'colour' => 'blue'"
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
    expect(await site.run(activate("beta"))).toEqual(printed(""))
    const front = await readFront()
    expect(front).toContain(slide)
    expect(front).toContain("0.100.0")
    expect(await site.run(`${load} deactivate_plugins('beta/beta.php');`)).toEqual(printed(""))
  })

  describe.each([
    { transport: "cURL", phpArguments: [] },
    { transport: "a stream", phpArguments: ["-d", "disable_functions=curl_exec"] },
  ])("over $transport", ({ phpArguments }) => {
    const send = (mode: string, timeout: number) =>
      sendTo(`${pazar.url}/${mode}/1/api/purchases/validation`, timeout)
    const sendTo = (url: string, timeout: number) => {
      const code = `do_action('after_setup_theme');
$start = microtime(true);
try {
    $body = (new Pazar\\WordPressHttp())->send('${url}', [], 'purchase_code=good', ${timeout}, 262144)->body;
    echo strlen($body) > 262144 ? 'too long' : json_encode(json_decode($body));
} catch (Pazar\\TransportFailure $failure) {
    echo microtime(true) - $start > ${timeout} + 5 ? 'too slow' : $failure->reason;
}`
      return site.run(code, ["-d", "memory_limit=64M", ...phpArguments])
    }

    test.each(["bomb", "bomb-in-a-bomb"])("a %s is no answer", async (mode) => {
      const { status, stdout } = await send(mode, 60)
      expect([status, ["not_json", "null"].includes(stdout)]).toEqual([0, true])
    })

    test("a body without an end is no answer", async () => {
      const { status, stdout } = await send("endless", 1)
      expect([status, ["not_json", "timeout"].includes(stdout)]).toEqual([0, true])
    })

    test("a connection that hangs ends in time", async () => {
      const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
      const { status, stdout } = await sendTo(`https://127.0.0.1:${silent.port}`, 1)
      silent.stop(true)
      expect([status, stdout]).toEqual([0, "timeout"])
    })

    test("an answer is one", async () => {
      const { status, stdout } = await send("unsigned", 60)
      expect([status, JSON.parse(stdout).status]).toEqual([0, "success"])
    })
  })

  test("new salts and an outage do not stop the product", async () => {
    await stopProgram()
    site.changeSalts()
    expect(await readFront()).toContain(slide)
  })

  test("PHP had nothing to complain about", () => {
    const own = site
      .readLog()
      .split("\n")
      .filter((line) => /pazar\/|acme|beta/i.test(line))
    expect(own.filter((line) => !/\/wp-(includes|admin)\//.test(line))).toEqual([])
  })

  test("deactivating and deleting it leaves nothing", async () => {
    const remains = "SELECT option_name FROM wp_options WHERE option_name LIKE 'acme%'"
    const cron = "SELECT option_value FROM wp_options WHERE option_name = 'cron'"
    const meta = "SELECT meta_key FROM wp_usermeta WHERE meta_key LIKE 'acme%'"
    expect(await site.ask(remains)).toHaveLength(2)
    expect(await site.run(`${load} deactivate_plugins('acme-slider/acme-slider.php');`)).toEqual(
      printed(""),
    )
    expect(JSON.stringify(await site.ask(cron))).not.toContain("acme")
    expect(await site.run(`${load} uninstall_plugin('acme-slider/acme-slider.php');`)).toEqual(
      printed(""),
    )
    expect([await site.ask(remains), await site.ask(meta)]).toEqual([[], []])
  })

  test("the same on every site of a network", async () => {
    const plugin = "acme-slider/acme-slider.php"
    const tables = ["wp_options", "wp_2_options"]
    const select = (column: string, name: string) =>
      tables.map((table) => `SELECT ${column} FROM ${table} WHERE option_name LIKE '${name}'`)
    const findEvents = async () => {
      const lists = await Promise.all(select("option_value", "cron").map((sql) => site.ask(sql)))
      return lists.map((list) => JSON.stringify(list).includes("acme_slider_check"))
    }
    expect(await site.becomeNetwork()).toEqual(printed("2"))
    expect(await site.run(`${load} activate_plugin('${plugin}', '', true);`)).toEqual(printed(""))
    const use = "update_option('acme_slider_code', 'x', false); do_action('init');"
    expect(await site.run(`${use} switch_to_blog(2); ${use}`)).toEqual(printed(""))
    expect(await findEvents()).toEqual([true, true])
    const deactivate = `deactivate_plugins('${plugin}', false, true);`
    expect(await site.run(`${load} ${deactivate}`)).toEqual(printed(""))
    expect(await findEvents()).toEqual([false, false])
    const names = select("option_name", "acme_slider_code").join(" UNION ALL ")
    expect(await site.ask(names)).toHaveLength(2)
    expect(await site.run(`${load} uninstall_plugin('${plugin}');`)).toEqual(printed(""))
    expect(await site.ask(names)).toEqual([])
  })
})
