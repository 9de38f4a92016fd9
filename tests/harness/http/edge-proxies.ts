/** The proxies of deploy/, run with their own files in front of another server, if they are installed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deployFolder, installBlocks, readDeployFile } from "../deploy-files.ts"
import { pickFreePort } from "../free-port.ts"
import { until, workMsMax } from "../until.ts"

export type EdgeProxy = Readonly<{
  url: string
  plainUrl: string
  logged(): string
  close(): Promise<void>
}>

type Edit = (file: string) => string
type Settings = Readonly<{
  folder: string
  port: number
  plainPort: number
  nodes: readonly string[]
  edit: Edit
}>
type Started = Readonly<{ command: readonly string[]; logs: readonly string[] }>

function prepareNginx({ folder, port, plainPort, nodes, edit }: Settings): Started {
  const server = edit(readDeployFile("nginx.conf"))
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replace("listen [::]:443 ssl;", `listen [::1]:${port};`)
    .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
    .replace("listen [::]:80;", "")
    .replaceAll(/^\s*ssl_certificate.*$/gm, "")
    .replace(/^\tserver 127\.0\.0\.1:8081(.*\n)\tserver 127\.0\.0\.1:8082\1/m, (_, rest: string) =>
      nodes.map((node) => `\tserver ${node}${rest}`).join(""),
    )
    .replaceAll("/var/log/nginx", folder)
  return {
    command: includeInNginx(folder, server),
    logs: ["pazar.log", "pazar-error.log", "main.log"],
  }
}

function includeInNginx(folder: string, server: string): readonly string[] {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  const main = `daemon off; pid ${join(folder, "pid")}; error_log ${join(folder, "main.log")};
    events {} http { ${paths.join(" ")} ${server} }`
  const file = join(folder, "nginx.conf")
  writeFileSync(file, main)
  return ["nginx", "-c", file, "-p", folder]
}

function checkNginx(folder: string): readonly string[] {
  const certificate = join(import.meta.dir, "../certificate")
  const server = readDeployFile("nginx.conf")
    .replaceAll(/\/etc\/letsencrypt\S*fullchain\.pem/g, join(certificate, "server.crt"))
    .replaceAll(/\/etc\/letsencrypt\S*privkey\.pem/g, join(certificate, "server.key"))
    .replaceAll("/var/log/nginx", folder)
  return [...includeInNginx(folder, server), "-t"]
}

/** The admin port is disabled, because only one process per machine can use it. */
function prepareCaddy({ folder, port, plainPort, nodes, edit }: Settings): Started {
  const file = join(folder, "Caddyfile")
  const site = edit(readDeployFile("Caddyfile"))
    .replace("\n{$SITE_DOMAIN} {", `\nhttp://:${port} {`)
    .replace("\nhttp://{$SITE_DOMAIN} {", `\nhttp://:${plainPort} {`)
    .replaceAll("{$SITE_DOMAIN}", "api.example.com")
    .replace("{$UPSTREAMS}", nodes.join(" "))
    .replace(/^\{$/m, "{\n\tadmin off")
  writeFileSync(file, site)
  const run = `exec caddy run --config ${file} --adapter caddyfile 2> ${join(folder, "caddy.log")}`
  return { command: ["sh", "-c", run], logs: ["caddy.log"] }
}

export const edgeProxies = [
  {
    name: "nginx",
    prepare: prepareNginx,
    check: checkNginx,
    /** The block that denies operator paths. */
    closing: /^\tlocation ~ \^\/\(.*?^\t\}\n/ms,
  },
  {
    name: "caddy",
    prepare: prepareCaddy,
    check: () => ["caddy", "adapt", "--config", join(deployFolder, "Caddyfile"), "--validate"],
    closing: /^\t@inside path .*\n\terror @inside 404\n/m,
  },
] as const

type Edge = (typeof edgeProxies)[number]

/** The edit of docs/install.md that allows pushes from this IP address. */
export function allowShop({ closing }: Edge, address: string): Edit {
  const instead = installBlocks.find((text) => closing.test(text)) ?? ""
  return (file) => file.replace(closing, () => instead.replace("192.0.2.50", address))
}

export async function openEdgeProxy(
  { prepare }: Edge,
  upstreams: readonly string[],
  edit: Edit = (file) => file,
): Promise<EdgeProxy> {
  const folder = mkdtempSync(join(tmpdir(), "pazar-proxy-"))
  const [port, plainPort] = [pickFreePort(), pickFreePort()]
  const nodes = upstreams.map((upstream) => new URL(upstream).host)
  const { command, logs } = prepare({ folder, port, plainPort, nodes, edit })
  const child = Bun.spawn([...command], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ["ignore", "ignore", "ignore"],
  })
  const url = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      () => true as const,
      () => undefined,
    )
  const logged = () => logs.map((name) => readFileSync(join(folder, name), "utf8")).join("")
  await Promise.race([
    until(isUp, workMsMax),
    child.exited.then(() => Promise.reject(new Error(`it ended: ${logged()}`))),
  ])
  return {
    url,
    plainUrl: `http://127.0.0.1:${plainPort}`,
    logged,
    async close() {
      child.kill("SIGTERM")
      await child.exited
      rmSync(folder, { recursive: true })
    },
  }
}
