/** PHP-FPM behind nginx, the usual stack of such scripts: opcache on, PDO with kept connections. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Cores, listTree, spawnPinned, stopProcess } from "../processes/processes.ts"
import { dataFolder, environment } from "../processes/program.ts"
import { pathOfStore, type Store } from "../stores/stores.ts"
import { type Contender, isMissing, type Missing } from "./contender.ts"
import { lookUpKeyOf } from "./look-up-key.ts"
import { findNginx, startNginx } from "./nginx.ts"

const name = "php-fpm"
/** Enough to keep a core busy; more only wait for each other. */
const workers = 8

export async function startPhpFpm(store: Store, cores: Cores): Promise<Contender | Missing> {
  const binary = findPhpFpm()
  if (binary === null || findNginx() === null) {
    return { name, missing: "php-fpm or nginx is not installed" }
  }
  if (!hasSqlite(binary)) return { name, missing: "php's pdo_sqlite is not installed" }
  const folder = join(dataFolder, "php-fpm")
  mkdirSync(folder, { recursive: true })
  const path = join(folder, "php-fpm.conf")
  writeFileSync(path, configuration(folder, store))
  const isRoot = process.getuid?.() === 0
  const command = [binary, "--nodaemonize", "--fpm-config", path, ...(isRoot ? ["-R"] : [])]
  const fpm = spawnPinned(cores, command, environment({}))
  const script = join(import.meta.dir, "php-fpm-server.php")
  const location = `
    fastcgi_pass unix:${folder}/php-fpm.sock;
    fastcgi_param SCRIPT_FILENAME ${script};
    fastcgi_param REQUEST_METHOD $request_method;
    fastcgi_param CONTENT_TYPE $content_type;
    fastcgi_param CONTENT_LENGTH $content_length;
  `
  const nginx = await startNginx(name, folder, location, cores)
  if (isMissing(nginx)) return nginx
  return {
    ...nginx,
    pids: () => [...nginx.pids(), ...listTree(fpm.pid)],
    async stop() {
      await nginx.stop()
      await stopProcess(fpm)
    },
  }
}

export function findPhpFpm(): string | null {
  const names = ["php-fpm", "php-fpm8.4", "php-fpm8.3", "php-fpm8.2", "php-fpm8.1"]
  const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`
  return names.map((candidate) => Bun.which(candidate, { PATH })).find((path) => path) ?? null
}

const hasSqlite = (binary: string) =>
  /^pdo_sqlite$/m.test(Bun.spawnSync([binary, "-m"]).stdout.toString())

const configuration = (folder: string, store: Store) => `
[global]
error_log = ${folder}/php-fpm.log
[www]
${process.getuid?.() === 0 ? "user = root\ngroup = root" : ""}
listen = ${folder}/php-fpm.sock
pm = static
pm.max_children = ${workers}
env[DATABASE] = ${pathOfStore(store)}
env[LOOK_UP_KEY] = ${lookUpKeyOf(store)}
php_admin_value[opcache.enable] = 1
php_admin_value[opcache.validate_timestamps] = 0
`
