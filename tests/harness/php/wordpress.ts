/** A real WordPress in a temporary folder, from Debian's package. */
import { spawn } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { extname, join } from "node:path"
import { pickFreePort } from "../free-port.ts"
import { temporaryFolder } from "../program.ts"
import { type CommandResult, plainEnvironment } from "../run-pazar.ts"
import { createMariadbDatabase, queryMariadb } from "../stores/mariadb-server.ts"
import { until, workMsMax } from "../until.ts"
import { runPhp } from "./php.ts"
import { clientFolder, copyClient } from "./php-client.ts"

const installed = "/usr/share/wordpress"
const administrator = { log: "admin", pwd: "a password of the administrator" }

export type PluginSettings = Readonly<{ server: string; key: string; pinned: readonly string[] }>

export type WordPress = Readonly<{
  url: string
  plugins: string
  administrator: typeof administrator
  run(code: string, phpArguments?: readonly string[]): Promise<CommandResult>
  sendRequest(sql: string): Promise<unknown>
  /** Stores another value of the option `home`, which need not lead here. The constant WP_HOME is the Host header. */
  moveTo(home: string): Promise<unknown>
  addSamplePlugin(settings: PluginSettings): void
  /** Converts the site to the first one of a multisite network, and adds a second. */
  becomeNetwork(): Promise<CommandResult>
  readLog(): string
  close(): Promise<void>
}>

export async function startWordPress(): Promise<WordPress> {
  const folder = temporaryFolder()
  const port = pickFreePort()
  const url = `http://127.0.0.1:${port}`
  const database = await createMariadbDatabase()
  const log = join(folder, "debug.log")
  cpSync(installed, folder, { recursive: true, filter: (path) => extname(path) !== ".js" })
  writeFileSync(join(folder, "wp-config.php"), configuration(url, new URL(database), log))
  writeFileSync(log, "")
  const theme = join(folder, "wp-content/themes/plain")
  mkdirSync(theme, { recursive: true })
  writeFileSync(join(theme, "style.css"), "/* Theme Name: Plain */")
  writeFileSync(join(theme, "index.php"), "<?php wp_head(); wp_footer();")

  // Compiling WordPress takes longer than running it, so compiled files are cached until they change.
  const compiled = join(folder, "compiled")
  mkdirSync(compiled)
  const settings = {
    sendmail_path: "/bin/true",
    display_errors: "stderr",
    "opcache.enable_cli": 1,
    "opcache.file_cache": compiled,
    "opcache.revalidate_freq": 0,
  }
  const arguments_ = Object.entries(settings).flatMap(([name, value]) => ["-d", `${name}=${value}`])
  // Compiled code differs for a PHP without some functions.
  const recompile = ["-d", "opcache.enable_cli=0"]
  const run = (code: string, more: readonly string[] = []) =>
    runPhp([
      ...arguments_,
      ...(more.length > 0 ? [...recompile, ...more] : []),
      "-r",
      `require '${folder}/wp-load.php'; ${code}`,
    ])
  const install = `define('WP_INSTALLING', true); require '${folder}/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Site', '${administrator.log}', 'admin@example.com', true, '', '${administrator.pwd}');
switch_theme('plain');`

  const plugins = join(folder, "wp-content/plugins")
  function addSamplePlugin({ server, key, pinned }: PluginSettings): void {
    const plugin = join(plugins, "acme-slider")
    mkdirSync(plugin, { recursive: true })
    copyClient(join(plugin, "pazar"))
    for (const [example, file] of [
      ["wordpress.php", "acme-slider.php"],
      ["wordpress-license.php", "wordpress-license.php"],
      ["wordpress-uninstall.php", "uninstall.php"],
    ] as const) {
      const text = readFileSync(join(clientFolder, "examples", example), "utf8")
        .replace("/../pazar.php", "/pazar/pazar.php")
        .replace("https://licenses.example.com", server)
        .replace("pzr_vk_YOUR_VALIDATION_KEY", key)
        .replace("'CURRENT_KEY', 'NEXT_KEY'", pinned.map((x) => `'${x}'`).join(", "))
      writeFileSync(join(plugin, file), text)
    }
  }

  const { host } = new URL(url)
  async function becomeNetwork(): Promise<CommandResult> {
    await run(`require ABSPATH . 'wp-admin/includes/upgrade.php';
define('WP_INSTALLING_NETWORK', true);
foreach ($wpdb->tables('ms_global') as $table => $prefixed) {
    $wpdb->$table = $prefixed;
}
install_network();
populate_network(1, '${host}', 'admin@example.com', 'Network', '/', false);`)
    writeFileSync(join(folder, "network.php"), networkConfiguration(host))
    return run(`echo wpmu_create_blog('${host}', '/two/', 'Two', 1);`)
  }

  const server = startServer(folder, port, arguments_)
  const { stderr } = await runPhp([...arguments_, "-r", install])
  if (stderr !== "") throw new Error(stderr)
  await until(async () => {
    const response = await fetch(`${url}/?rest_route=/`).catch(() => null)
    return response?.ok ? true : undefined
  }, workMsMax)
  return {
    url,
    plugins,
    administrator,
    run,
    sendRequest: (sql) => queryMariadb(database, sql),
    moveTo: (home) =>
      queryMariadb(
        database,
        `UPDATE wp_options SET option_value = '${home}' WHERE option_name = 'home'`,
      ),
    addSamplePlugin,
    becomeNetwork,
    readLog: () => readFileSync(log, "utf8"),
    async close() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Sends requests only to this machine, and runs no scheduled events. */
const configuration = (url: string, { host, pathname }: URL, log: string) => `<?php
define('DB_NAME', '${pathname.slice(1)}');
define('DB_USER', 'shop');
define('DB_PASSWORD', '');
define('DB_HOST', '${host}');
define('DB_CHARSET', 'utf8mb4');
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT',
    'LOGGED_IN_SALT', 'NONCE_SALT'] as $name) {
    define($name, $name);
}
define('WP_HOME', 'http://' . ($_SERVER['HTTP_HOST'] ?? '${new URL(url).host}'));
define('WP_SITEURL', '${url}');
define('WP_DEBUG', true);
define('WP_DEBUG_LOG', '${log}');
define('WP_DEBUG_DISPLAY', false);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
if (is_file(__DIR__ . '/network.php')) {
    require __DIR__ . '/network.php';
}
$table_prefix = 'wp_';
if (!defined('ABSPATH')) {
    define('ABSPATH', __DIR__ . '/');
}
require_once ABSPATH . 'wp-settings.php';
`

const networkConfiguration = (host: string) => `<?php
define('MULTISITE', true);
define('SUBDOMAIN_INSTALL', false);
define('DOMAIN_CURRENT_SITE', '${host}');
define('PATH_CURRENT_SITE', '/');
define('SITE_ID_CURRENT_SITE', 1);
define('BLOG_ID_CURRENT_SITE', 1);
$_SERVER += ['HTTP_HOST' => '${host}', 'REQUEST_URI' => '/'];
`

function startServer(folder: string, port: number, phpArguments: readonly string[]) {
  // When this process ends, even by a kill, the pipe closes and the waiting subshell kills the server.
  const script = 'exec 3<&0; (read -r _ <&3; kill -9 $$) & exec "$@" 3<&-'
  const command = ["php", ...phpArguments, "-S", `127.0.0.1:${port}`, "-t", folder]
  const server = spawn("sh", ["-c", script, "sh", ...command], {
    detached: true,
    env: plainEnvironment,
    stdio: ["pipe", "ignore", "ignore"],
  })
  const ended = new Promise((resolve) => server.on("exit", resolve))
  return {
    async stop() {
      server.stdin?.end()
      await ended
    },
  }
}
