/** An nginx in front of a server, which compresses every response. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pickFreePort } from "../free-port.ts"
import { until, workMsMax } from "../until.ts"

export type Nginx = Readonly<{ url: string; close(): Promise<void> }>

export async function openNginx(server: string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "pazar-nginx-"))
  const port = pickFreePort()
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  const settings = `daemon off;
    pid ${join(folder, "pid")};
    error_log stderr;
    events {}
    http {
      ${paths.join(" ")}
      access_log off;
      gzip on; gzip_types *; gzip_proxied any; gzip_min_length 1;
      server {
        listen 127.0.0.1:${port};
        proxy_http_version 1.1; proxy_set_header Connection "";
        location / { proxy_pass ${server}; }
      }
    }`
  const file = join(folder, "nginx.conf")
  writeFileSync(file, settings)
  const child = Bun.spawn(["nginx", "-c", file, "-p", folder], { stderr: "ignore" })
  const url = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(url).then(
      () => true as const,
      () => undefined,
    )
  await until(isUp, workMsMax)
  return {
    url,
    async close() {
      child.kill("SIGTERM")
      await child.exited
      rmSync(folder, { recursive: true })
    },
  }
}
