/** PHP-FPM behind nginx, the usual stack of such scripts: opcache enabled, PDO with persistent connections. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Cores, listTree, pickFreePort, spawnPinned, stopProcess } from "../processes.ts"
import { dataFolder, environment } from "../program.ts"
import { type Store, storePath } from "../stores/bench-stores.ts"
import { type Contender, type Missing, startQuietServer } from "./contender.ts"
import { lookUpKeyOf } from "./look-up-key.ts"

const name = "php-fpm"
/** Enough to keep a core busy; more would only wait for each other. */
const workers = 8

export async function startPhpFpm(store: Store, cores: Cores): Promise<Contender | Missing> {
  const binary = find("php-fpm", "php-fpm8.4", "php-fpm8.3", "php-fpm8.2", "php-fpm8.1")
  const nginx = find("nginx")
  if (binary === null || nginx === null)
    return { name, missing: "php-fpm or nginx is not installed" }
  if (!hasSqlite(binary)) return { name, missing: "php's pdo_sqlite is not installed" }
  const folder = join(dataFolder, "php-fpm")
  mkdirSync(folder, { recursive: true })
  const isRoot = process.getuid?.() === 0
  const path = join(folder, "php-fpm.conf")
  writeFileSync(path, phpSettings(folder, store, isRoot))
  const command = [binary, "--nodaemonize", "--fpm-config", path, ...(isRoot ? ["-R"] : [])]
  const fpm = spawnPinned(cores, command, environment({}))
  const port = pickFreePort()
  const nginxPath = join(folder, "nginx.conf")
  writeFileSync(nginxPath, nginxSettings(folder, port, isRoot))
  const proxy = await startQuietServer(
    { name, command: [nginx, "-p", folder, "-c", nginxPath], settings: {}, cores },
    port,
  )
  return {
    ...proxy,
    pids: () => [...proxy.pids(), ...listTree(fpm.pid)],
    async stop() {
      await proxy.stop()
      await stopProcess(fpm)
    },
  }
}

/** Distributions install servers outside an ordinary user's path. */
function find(...names: readonly string[]): string | null {
  const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`
  return names.map((each) => Bun.which(each, { PATH })).find((path) => path) ?? null
}

const hasSqlite = (binary: string) =>
  /^pdo_sqlite$/m.test(Bun.spawnSync([binary, "-m"]).stdout.toString())

const phpSettings = (folder: string, store: Store, isRoot: boolean) => `
[global]
error_log = ${folder}/php-fpm.log
[www]
${isRoot ? "user = root\ngroup = root" : ""}
listen = ${folder}/php-fpm.sock
pm = static
pm.max_children = ${workers}
env[DATABASE] = ${storePath(store)}
env[LOOK_UP_KEY] = ${lookUpKeyOf(store)}
php_admin_value[opcache.enable] = 1
php_admin_value[opcache.validate_timestamps] = 0
`

const nginxSettings = (folder: string, port: number, isRoot: boolean) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
${isRoot ? "user root;" : ""}
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_timeout 300;
  keepalive_requests 1000000000;
  ${["client_body", "fastcgi", "proxy", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ")}
  server {
    listen 127.0.0.1:${port};
    location / {
      fastcgi_pass unix:${folder}/php-fpm.sock;
      fastcgi_param SCRIPT_FILENAME ${join(import.meta.dir, "php-fpm-server.php")};
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
    }
  }
}
`
